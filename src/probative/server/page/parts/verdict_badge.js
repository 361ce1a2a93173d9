// A verdict or a level as sign, word and colour: <${VerdictBadge} verdict="supported" />
import { html } from "../preact.js";

// The words of each verdict; `css` is the class that colours it.
export const VERDICTS = {
  supported: { sign: "✓", word: "Supported", css: "supported" },
  insufficient: { sign: "?", word: "Insufficient evidence", css: "insufficient" },
  contradicted: { sign: "✗", word: "Contradicted", css: "contradicted" },
};

// How far an answer can be trusted.
export const LEVELS = {
  supported: VERDICTS.supported,
  probable: { sign: "≈", word: "Probable, not confirmed", css: "probable" },
  disputed: { sign: "✗", word: "Disputed", css: "contradicted" },
  not_found: { sign: "?", word: "Not found", css: "none" },
};

// levelOf({level: "probable"}) → its sign, word and class; a result of an earlier version has a verdict only.
export const levelOf = ({ level, verdict }) => LEVELS[level] ?? VERDICTS[verdict] ?? { sign: "–", word: verdict ?? "No verdict", css: "none" };

export const isProbable = (result) => result.level === "probable";

// <${VerdictBadge} verdict="supported" />, or <${VerdictBadge} level="probable" /> of an answer
export function VerdictBadge({ large = false, ...result }) {
  const { sign, word, css } = levelOf(result);
  return html`<span class="badge ${css} ${large ? "large" : ""}"><span class="sign" aria-hidden="true">${sign}</span>${word}</span>`;
}
