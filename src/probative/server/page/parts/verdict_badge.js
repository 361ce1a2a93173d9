// A verdict as sign, word and colour: <${VerdictBadge} verdict="supported" />
import { html } from "../preact.js";

// The words of each verdict; `css` is the class that colours it.
export const VERDICTS = {
  supported: { sign: "✓", word: "Supported", css: "supported" },
  insufficient: { sign: "?", word: "Insufficient evidence", css: "insufficient" },
  contradicted: { sign: "✗", word: "Contradicted", css: "contradicted" },
};

export function VerdictBadge({ verdict, large = false }) {
  const known = Object.hasOwn(VERDICTS, verdict ?? "") ? VERDICTS[verdict] : { sign: "–", word: verdict ?? "No verdict", css: "none" };
  return html`<span class="badge ${known.css} ${large ? "large" : ""}"><span class="sign" aria-hidden="true">${known.sign}</span>${known.word}</span>`;
}
