// One claim of a text: its verdict, the sentences that decide, and the citations that the text has for it.
import { percent } from "../../parts/format.js";
import { VERDICTS, VerdictBadge } from "../../parts/verdict_badge.js";
import { html } from "../../preact.js";
import { Quote } from "./evidence.js";

const CITED = { supported: "says so.", contradicted: "says otherwise.", insufficient: "does not say so." };
const SIDES = { supports: "Says so", contradicts: "Says otherwise" };

export function ClaimDetail({ claim, run }) {
  const others = claim.evidence.filter((sentence) => !sentence.deciding);
  return html`<div class="stack">
    <p class="claim-text">${claim.text}</p>
    ${claim.claim !== claim.text && html`<p class="muted small">Read as: ${claim.claim}</p>`}
    <p class="row"><${Verdict} claim=${claim} /></p>
    <${Deciding} claim=${claim} run=${run} />
    <${Citations} claim=${claim} run=${run} />
    ${claim.notes.length > 0 && html`<section class="stack tight"><h3>Notes</h3>
      <ul>${claim.notes.map((note, index) => html`<li key=${index}>${note}</li>`)}</ul></section>`}
    ${others.length > 0 && html`<details><summary>Also read: ${others.length}</summary>
      <div class="stack">${others.map((sentence, index) => html`<${Quote} key=${index} sentence=${sentence} run=${run} />`)}</div></details>`}
    ${claim.judged && html`<details><summary>Probability of each verdict</summary><${Shares} probabilities=${claim.probabilities} /></details>`}
  </div>`;
}

// The deciding sentences as a screen reader is told of them.
export function decidedInWords(claim) {
  const deciding = claim.evidence.filter((sentence) => sentence.deciding);
  if (!deciding.length) return "No sentence of the sources decides it.";
  return deciding.map((sentence) => `${SIDES[sentence.stance] ?? "Read"}: ${sentence.text}`).join(" ");
}

function Verdict({ claim }) {
  if (!claim.judged) return html`<${VerdictBadge} verdict="not judged" /><span class="muted">No source was read for it.</span>`;
  return html`<${VerdictBadge} verdict=${claim.verdict} /><span class="muted">probability ${percent(claim.probabilities[claim.verdict])}</span>`;
}

function Deciding({ claim, run }) {
  const deciding = claim.evidence.filter((sentence) => sentence.deciding);
  if (claim.conflict) return html`<${Conflict} deciding=${deciding} run=${run} />`;
  if (!deciding.length) return html`<p>No sentence of the sources decides it.</p>`;
  return html`<section class="stack tight">
    <h3>${deciding.length === 1 ? "The sentence that decides" : "The sentences that decide"}</h3>
    ${deciding.map((sentence, index) => html`<${Quote} key=${index} sentence=${sentence} run=${run} />`)}
  </section>`;
}

function Conflict({ deciding, run }) {
  return html`<section class="stack tight conflict">
    <h3>The sources disagree</h3>
    <div class="both-sides">${Object.entries(SIDES).map(([stance, title]) => html`<div class="stack tight" key=${stance}>
      <h4>${title}</h4>
      ${deciding.filter((sentence) => sentence.stance === stance).map((sentence, index) => html`<${Quote} key=${index} sentence=${sentence} run=${run} told />`)}
    </div>`)}</div>
  </section>`;
}

function Citations({ claim: { citations, evidence }, run }) {
  if (!citations.length) return null;
  const shown = new Set(evidence.filter((sentence) => sentence.deciding).map(placeAndText));
  const isNew = (sentence) => sentence.deciding && !shown.has(placeAndText(sentence));
  return html`<section class="stack tight citations">
    <h3>What the text cites for it</h3>
    <ul>${citations.map((citation, index) => html`<li key=${index} class="stack tight">
      <p class="row"><code>${citation.marker}</code><${VerdictBadge} verdict=${citation.verdict ?? "not found"} /></p>
      <p><strong>${citation.source ?? citation.target ?? "The citation"}</strong>${" "}${citation.verdict ? CITED[citation.verdict] : ""}${" "}${citation.note}</p>
      ${citation.evidence.filter(isNew).map((sentence, at) => html`<${Quote} key=${at} sentence=${sentence} run=${run} />`)}
    </li>`)}</ul>
  </section>`;
}

// The deciding sentence of a citation is often that of the claim, which is shown already.
const placeAndText = (sentence) => JSON.stringify([sentence.source, sentence.start, sentence.text]);

export function Shares({ probabilities }) {
  return html`<dl class="shares">${Object.entries(VERDICTS).map(([verdict, { word, css }]) => html`<div key=${verdict}>
    <dt>${word}</dt>
    <dd><span class="share"><i class=${css} style=${{ width: percent(probabilities[verdict]) }}></i></span>${percent(probabilities[verdict])}</dd>
  </div>`)}</dl>`;
}
