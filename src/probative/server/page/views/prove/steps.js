// The chosen sentences of a proof in order: what each adds, which sentences came next, and the numbers one click away.
import { percent } from "../../parts/format.js";
import { html } from "../../preact.js";
import { contribution, effect, moves, runnerUp, strength } from "./words.js";

// The first `step` sentences are shown, the others wait; `go(n)` shows the first n.
export function ProofSteps({ proof, step, go }) {
  return html`<ol class="proof-steps">${proof.evidence.map((sentence, place) => html`<li key=${place} class="proof-step ${place < step ? "shown" : "waiting"}"
      aria-current=${place === step - 1 ? "step" : null}>
    <button type="button" class="step-number" onClick=${() => go(place + 1)} aria-label=${`Show step ${place + 1}`}>${place + 1}</button>
    ${place < step ? html`<${Step} proof=${proof} place=${place} />` : html`<p class="muted">…</p>`}
  </li>`)}</ol>`;
}

function Step({ proof, place }) {
  const sentence = proof.evidence[place];
  const size = strength(sentence.gain, proof.claim_tokens);
  return html`<div class="stack tight">
    <p class="step-sentence">${sentence.text}</p>
    <p class="row">
      ${size !== null && html`<span class="effect size${size}">${effect(size)}</span>`}
      ${sentence.index === proof.deciding && html`<span class="effect decides">decides</span>`}
    </p>
    <p>${contribution(proof, place)}</p>
    ${proof.curve.length > place && html`<${Rise} curve=${proof.curve} place=${place} />`}
    ${sentence.runners_up.length > 0 && html`<details><summary>Runners-up: ${sentence.runners_up.length}</summary>
      <ul class="runners-up">${sentence.runners_up.map((other) => html`<li key=${other.index}><q>${other.text}</q> ${runnerUp(other, sentence, proof.claim_tokens)}.</li>`)}</ul>
    </details>`}
  </div>`;
}

// What the sentences before have added, and this one, as a bar; the words say the same.
function Rise({ curve, place }) {
  const highest = Math.max(...curve, 0);
  const width = (value) => ({ width: `${highest > 0 ? (100 * Math.max(value, 0)) / highest : 0}%` });
  const before = Math.min(place > 0 ? curve[place - 1] : 0, curve[place]);
  return html`<div class="rise" aria-hidden="true"><i class="before" style=${width(before)}></i><i class="added" style=${width(curve[place] - Math.max(before, 0))}></i></div>`;
}

const number = (value) => (value === null || value === undefined ? "–" : value.toFixed(2).replace("-", "−"));
const signed = (value) => (value > 0 ? `+${number(value)}` : number(value));

// The log-probabilities and scores behind the words, closed until they are asked for.
export function ProofNumbers({ proof }) {
  const total = proof.curve.at(-1);
  const rows = proof.evidence.flatMap((sentence, place) => [
    html`<${Row} key=${`${place}`} name=${`${place + 1}`} sentence=${sentence} />`,
    ...sentence.runners_up.map((other) => html`<${Row} key=${`${place}-${other.index}`} name=${`instead of ${place + 1}`} sentence=${other} css="instead" />`),
  ]);
  const likely = proof.evidence.some((sentence) => sentence.probability !== null);
  return html`<details class="proof-numbers"><summary>The numbers behind the words</summary><div class="stack">
    ${total !== undefined && html`<p>With all chosen sentences the claim is ${moves(total)}. Its log-probability is ${number(proof.without_evidence)} without
      evidence (${proof.claim_tokens} tokens) and ${number(proof.evidence.at(-1).joint)} with it. “Alone” is the log-probability of the claim after this
      sentence only, “together” after it and those chosen before it, “gain” what it adds; all in nats. “Score” is what the method chose by.</p>`}
    ${likely && html`<p>“Score” is what the method chose by.${proof.stops.length > 0 && ` Before each sentence, the evidence model's probability that nothing more is needed: ${proof.stops.map((stop) => percent(stop.complete)).join(", ")}.`}</p>`}
    <div class="scroll-x" tabindex="0" role="region" aria-label="Scores of the sentences"><table>
      <thead><tr><th scope="col">Step</th><th scope="col">Sentence</th>${["Score", "Alone", "Together", "Gain"].map((title) => html`<th key=${title} scope="col" class="number">${title}</th>`)}</tr></thead>
      <tbody>${rows}</tbody>
    </table></div>
  </div></details>`;
}

function Row({ name, sentence, css = "" }) {
  return html`<tr class=${css}><th scope="row">${name}</th><td>${sentence.text}</td><td class="number">${number(sentence.score)}</td>
    <td class="number">${number(sentence.alone)}</td><td class="number">${number(sentence.joint)}</td><td class="number">${signed(sentence.gain)}</td></tr>`;
}
