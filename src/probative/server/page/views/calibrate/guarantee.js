// What holds for a corpus: its guarantee, when and why it lapsed; and what the labels of the draw say.
import { count, percent, when } from "../../parts/format.js";
import { html } from "../../preact.js";
import { Chart } from "../bench/chart.js";

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;

export function Guarantee({ state }) {
  const { guarantee } = state;
  const css = !guarantee ? "none" : guarantee.lapse ? "contradicted" : "supported";
  return html`<section class="panel guarantee ${css}" aria-labelledby="guarantee-heading">
    <h2 id="guarantee-heading"><span class="badge large ${css}"><span class="sign" aria-hidden="true">${guarantee ? (guarantee.lapse ? "✗" : "✓") : "–"}</span>${guarantee ? (guarantee.lapse ? "Guarantee lapsed" : "Guaranteed") : "No guarantee"}</span></h2>
    ${!guarantee && html`<p>Nothing is known yet about how often supported answers over this corpus are wrong.</p>`}
    ${guarantee && html`<p class="guarantee-text">${sentence(guarantee.text)}</p>
      ${guarantee.lapse && html`<p><strong>It does not hold any more: ${guarantee.lapse.why}.</strong> Noticed ${when(guarantee.lapse.noticed)}. Draw and label again for another one.</p>`}
      <p class="muted">Kept since ${when(guarantee.made)}; supported from a certainty of ${percent(guarantee.limit)} on. It is about questions like those drawn, answered by the same models with the same options over the same documents.</p>`}
  </section>`;
}

export function Labelled({ draw }) {
  const { assessment, curve } = draw;
  const done = !assessment.missing && assessment.supported >= assessment.needed;
  if (!assessment.labelled) return null;
  return html`<div class="stack">
    <h3>What the labels say</h3>
    <p>${count(assessment.labelled - assessment.wrong, "answer")} right and ${assessment.wrong} wrong of the ${assessment.labelled} that are labelled.${!done && assessment.supported >= assessment.needed ? ` The guarantee is worked out when the other ${assessment.supported - assessment.labelled} are labelled, too.` : ""}</p>
    ${done && assessment.kind === "none" && html`<p class="notice wrong"><span><strong>No limit can be guaranteed:</strong> ${assessment.reason}. Do not draw again until it passes: draw more questions, or choose a larger share for the next draw.</span></p>`}
    ${done && assessment.kind === "guarantee" && html`<p class="notice"><span>Supported from a certainty of <strong>${percent(assessment.limit)}</strong> on: the lowest limit that passed.</span></p>`}
    ${curve.length > 1 && html`<${Chart} plot=${plotOf(draw)} />`}
    ${assessment.limits.length > 0 && html`<${Limits} assessment=${assessment} />`}
  </div>`;
}

function plotOf({ alpha, delta, curve }) {
  const points = (value) => curve.map((at) => [at.limit, value(at)]).reverse();
  return {
    title: "Wrong answers by the lowest certainty of supported",
    x: "lowest certainty",
    y: "share of wrong answers",
    kind: "line",
    ticks: [],
    series: [
      { name: "labelled wrong", points: points((at) => at.wrong / at.supported) },
      { name: `at most, ${percent(1 - delta)} sure`, points: points((at) => at.bound) },
      { name: `allowed: ${percent(alpha)}`, points: [curve.at(-1).limit, curve[0].limit].map((limit) => [limit, alpha]) },
    ],
  };
}

// Neighbouring limits with the same answers are one row: that of the lowest.
function Limits({ assessment }) {
  const rows = [...new Map(assessment.limits.map((each) => [`${each.supported} ${each.wrong}`, each])).values()];
  return html`<div class="figures scroll-x" tabindex="0" role="region" aria-label="The limits that were tested"><table>
    <caption class="hidden">The limits in the order of their tests</caption>
    <thead><tr><th scope="col">Certainty from</th><th scope="col" class="number">Answers</th><th scope="col" class="number">Wrong</th><th scope="col" class="number">At most, ${percent(1 - assessment.delta)} sure</th><th scope="col">Passes</th></tr></thead>
    <tbody>${rows.map((each) => html`<tr key=${each.limit}><th scope="row">${percent(each.limit)}</th><td class="number">${each.supported}</td><td class="number">${each.wrong}</td><td class="number">${(100 * each.bound).toFixed(1)}%</td><td>${each.passed ? "yes" : "no"}</td></tr>`)}</tbody>
  </table></div>`;
}
