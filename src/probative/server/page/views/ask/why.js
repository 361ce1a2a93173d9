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
      <li key=${check.name} class=${check.passed ? "supported" : "insufficient"}><span class="sign" aria-hidden="true">${check.passed ? "✓" : "✗"}</span>
        <span><span class="hidden">${check.passed ? "For: " : "Against: "}</span>${sentence(check.text)}${numberOf(check)}</span></li>`)}
    </ul>`}
  </section>`;
}

function verdictInWords(result) {
  if (result.verdict === "supported") return "The evidence is enough, and the sentences that decide it are cited.";
  if (result.verdict === "contradicted") return "Passages say different things about what is asked. Both sides are shown above.";
  if (result.missing.length) return `The evidence is not enough. There is no passage for: ${result.missing.map((name) => name.replace(/^[a-z]+: /, "")).join("; ")}.`;
  if (isProbable(result)) return "The evidence is not enough to confirm the answer. About 60% of such answers were right where the limit was fitted.";
  return "The evidence is not enough for an answer.";
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1);

// The number of a check as the terminal and reports have it:
// numberOf({value: 0.596, needed: 0.6, passed: false}) → " (59.6%, and 60.0% is needed)"
function numberOf({ value, needed, passed }) {
  if (value === null || (needed === null && !passed)) return "";
  if (passed || needed === null) return ` (${percent(value)})`;
  const digits = needed - value >= 0.01 ? 0 : 1;
  return ` (${percent(value, digits)}, and ${percent(needed, digits)} is needed)`;
}
