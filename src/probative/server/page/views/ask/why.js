// Why the verdict is what it is: every check of the answer, each with its number.
import { percent } from "../../parts/format.js";
import { isProbable, levelOf } from "../../parts/verdict_badge.js";
import { html } from "../../preact.js";

export function Why({ result }) {
  const checks = result.checks ?? []; // a run kept by an earlier version has none
  return html`<section class="stack" aria-labelledby="why-heading">
    <h2 id="why-heading">Why “${levelOf(result).word}”</h2>
    <p>${verdictInWords(result)}</p>
    ${checks.length > 0 && html`<ul class="reasons">${checks.map((check) => html`
      <li key=${check.name} class=${check.passed ? "supported" : "insufficient"}><span class="sign" aria-hidden="true">${check.passed ? "✓" : "?"}</span>
        <span><span class="hidden">${check.passed ? "For: " : "Against: "}</span>${sentence(check.text)}${numberOf(check)}</span></li>`)}
    </ul>`}
  </section>`;
}

function verdictInWords(result) {
  if (result.verdict === "supported") return "The evidence is enough, and the sentences that decide it are cited.";
  if (result.verdict === "contradicted") return "Passages say different things about what is asked. Both sides are shown above.";
  if (result.missing.length) return `The evidence is not enough. There is no passage for: ${result.missing.map((name) => name.replace(/^[a-z]+: /, "")).join("; ")}.`;
  if (isProbable(result)) return "The evidence is not enough to confirm the answer. Of such answers, at least 60% are right.";
  return "The evidence is not enough for an answer.";
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1);

// numberOf({value: 0.35, needed: 0.4, passed: false}) → " (35%, and 40% is needed)"
function numberOf({ value, needed, passed }) {
  if (value === null) return "";
  return passed || needed === null ? ` (${percent(value)})` : ` (${percent(value)}, and ${percent(needed)} is needed)`;
}
