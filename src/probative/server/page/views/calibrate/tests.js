// Tests, which guarantee nothing: answers that users marked, and claims made of the documents' own sentences.
import { Button } from "../../parts/button.js";
import { count, percent } from "../../parts/format.js";
import { html, useState } from "../../preact.js";
import { href } from "../../router.js";

const SHARES = [
  ["believed", "True claims that are believed"],
  ["caught", "Falsified claims that are caught"],
  ["accepted", "Falsified claims that are believed"],
  ["invented", "Claims that are believed without their sentence"],
  ["denied", "Claims that are contradicted without their sentence"],
];
const KINDS = { kept: "as it is", shortened: "shortened", joined: "two joined", number: "another number", date: "another date", name: "another name", negation: "the verb denied", removed: "its sentence taken away" };
const EXPECTED = { kept: "supported", shortened: "supported", joined: "supported", removed: "insufficient" };
const LISTED = 8;

export function Tests({ state, busy, onTest }) {
  const [n, setN] = useState(100);
  const test = state.self_test;
  const submit = (event) => {
    event.preventDefault();
    onTest(Number(n));
  };
  return html`<section class="stack" aria-labelledby="tests-heading">
    <div class="view-head"><h2 id="tests-heading">Tests, which guarantee nothing</h2></div>
    <section class="panel" aria-labelledby="marks-heading"><h3 id="marks-heading">Answers that were marked</h3>
      ${state.marks.n
        ? html`<p>${state.marks.hits} of ${count(state.marks.n, "supported answer")} that somebody marked ${state.marks.hits === 1 ? "is" : "are"} right (${range(state.marks)}). People choose what they mark, so this is a test and not a guarantee.</p>`
        : html`<p class="muted">No supported answer over this corpus is marked yet: “Right” and “Wrong” stand below each answer under <a href=${href("ask")}>Ask</a>.</p>`}
    </section>
    <section class="panel" aria-labelledby="claims-heading"><h3 id="claims-heading">Claims made of the documents</h3>
      <p class="muted">Sentences of the documents are taken as they are, falsified, or taken out of the evidence, and checked as “Check a text” does. Nobody has to label anything. The documents must be in English.</p>
      ${test && html`<${SelfTest} test=${test} outdated=${test.version !== state.version} />`}
      <form class="row" onSubmit=${submit}>
        <label class="inline">Claims <input type="number" min="1" max="2000" required value=${n} onInput=${(event) => setN(event.currentTarget.value)} /></label>
        <${Button} type="submit" busy=${busy}>${test ? "Test again" : "Test"}<//>
      </form>
    </section>
  </section>`;
}

const range = ({ low, high }) => `95% interval: ${percent(low)} to ${percent(high)}`;

function SelfTest({ test, outdated }) {
  const wrong = test.claims.filter((claim) => claim.verdict !== (EXPECTED[claim.kind] ?? "contradicted"));
  return html`<div class="stack">
    ${outdated && html`<p class="notice">The documents have changed since this test.</p>`}
    <div class="figures scroll-x" tabindex="0" role="region" aria-label="What was said of the claims"><table>
      <caption class="hidden">What was said of ${count(test.claims.length, "claim")}</caption>
      <thead><tr><th scope="col">${count(test.claims.length, "claim")}</th><th scope="col" class="number">How many</th><th scope="col" class="number">Share</th><th scope="col">95% interval</th></tr></thead>
      <tbody>${SHARES.map(([name, title]) => html`<tr key=${name}><th scope="row">${title}</th><td class="number">${test[name].hits} of ${test[name].n}</td><td class="number">${test[name].n ? percent(test[name].hits / test[name].n) : "–"}</td><td>${percent(test[name].low)} to ${percent(test[name].high)}</td></tr>`)}</tbody>
    </table></div>
    <details><summary>Claims believed, by the lowest probability</summary><div class="figures scroll-x" tabindex="0" role="region" aria-label="Claims believed"><table>
      <thead><tr><th scope="col">From</th><th scope="col" class="number">True</th><th scope="col" class="number">Falsified</th><th scope="col" class="number">Without their sentence</th></tr></thead>
      <tbody>${test.curve.map((at) => html`<tr key=${at.limit}><th scope="row">${percent(at.limit)}</th><td class="number">${at.true}</td><td class="number">${at.false}</td><td class="number">${at.not_stated}</td></tr>`)}</tbody>
    </table></div></details>
    ${wrong.length > 0 && html`<details><summary>${count(wrong.length, "wrong verdict")}</summary><ul class="wrong-claims">${wrong.slice(0, LISTED).map((claim, index) => html`<li key=${index}><span>${claim.claim}</span> <span class="muted small">${KINDS[claim.kind]}; called ${claim.verdict}</span></li>`)}</ul>
      ${wrong.length > LISTED && html`<p class="muted small">And ${wrong.length - LISTED} more.</p>`}</details>`}
  </div>`;
}
