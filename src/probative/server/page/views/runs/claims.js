// The claims of two verifications, matched: which verdicts changed, what was edited, added and removed.
import { html, useMemo } from "../../preact.js";
import { count } from "../../parts/format.js";
import { VerdictBadge, VERDICTS } from "../../parts/verdict_badge.js";
import { comparable, markedWords, wordsOf } from "./word_changes.js";

const MAX_PAIRS = 250_000;
const KINDS = {
  flipped: { one: "verdict changed", many: "verdicts changed" },
  edited: { one: "claim was edited", many: "claims were edited" },
  removed: { one: "claim is only in the first", many: "claims are only in the first" },
  added: { one: "claim is only in the second", many: "claims are only in the second" },
  evidence: { one: "verdict has another deciding sentence", many: "verdicts have other deciding sentences" },
  same: { one: "claim is the same", many: "claims are the same" },
};

// The claims of two runs as [{kind, before, after}], verdicts that changed first. A claim belongs to the one
// with the same words, or else to the one most like it.
export function matchClaims(first, second) {
  const pairs = [];
  const waiting = new Map();
  second.forEach((claim) => waiting.set(claim.text, [...(waiting.get(claim.text) ?? []), claim]));
  const left = first.filter((claim) => {
    const after = waiting.get(claim.text)?.shift();
    if (after) pairs.push({ before: claim, after });
    return !after;
  });
  const free = new Set([...waiting.values()].flat());
  for (const before of left) {
    const after = left.length * free.size <= MAX_PAIRS ? mostLike(before, free) : null;
    free.delete(after);
    pairs.push({ before, after });
  }
  pairs.push(...second.filter((claim) => free.has(claim)).map((after) => ({ before: null, after })));
  const order = Object.keys(KINDS);
  return pairs.map((pair) => ({ ...pair, kind: kindOf(pair) })).sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

function mostLike(claim, others) {
  const own = new Set(wordsOf(claim.text));
  let best = null;
  let most = 0.5;
  for (const other of others) {
    const theirs = new Set(wordsOf(other.text));
    const common = [...own].filter((word) => theirs.has(word)).length;
    const share = common / (own.size + theirs.size - common);
    if (share >= most) [best, most] = [other, share];
  }
  return best;
}

function kindOf({ before, after }) {
  if (!before) return "added";
  if (!after) return "removed";
  if (before.verdict !== after.verdict) return "flipped";
  if (before.text !== after.text) return "edited";
  return deciding(before) === deciding(after) ? "same" : "evidence";
}

const deciding = (claim) => (claim.evidence ?? []).filter((sentence) => sentence.deciding).map((sentence) => sentence.text).sort().join("\n");

// "2 verdicts changed, 1 claim was edited, 9 claims are the same"
export function claimsInWords(matched) {
  return Object.entries(KINDS).map(([kind, words]) => [matched.filter((pair) => pair.kind === kind).length, words])
    .filter(([number]) => number).map(([number, { one, many }]) => count(number, one, many)).join(", ");
}

export function ClaimChanges({ sides }) {
  const [first, second] = sides.map(({ result }) => result.claims);
  const matched = useMemo(() => matchClaims(first, second), [first, second]);
  const changed = matched.filter((pair) => pair.kind !== "same");
  const same = matched.filter((pair) => pair.kind === "same");
  return html`<section class="stack claim-changes" aria-labelledby="claim-changes">
    <h2 id="claim-changes">Claims</h2>
    <${Bar} name="First" claims=${first} /><${Bar} name="Second" claims=${second} />
    ${changed.length > 0 && html`<ol class="changes">${changed.map((pair, index) => html`<${Change} key=${index} pair=${pair} />`)}</ol>`}
    ${same.length > 0 && html`<details><summary>${count(same.length, KINDS.same.one, KINDS.same.many)}</summary>
      <ol class="changes">${same.map((pair, index) => html`<${Change} key=${index} pair=${pair} />`)}</ol></details>`}
  </section>`;
}

// The verdicts of all claims as one bar; each part has its number and its word.
function Bar({ name, claims }) {
  const parts = Object.entries(VERDICTS).map(([verdict, words]) => [claims.filter((claim) => claim.verdict === verdict).length, words]).filter(([number]) => number);
  return html`<div class="verdict-bar"><span class="bar-name">${name}</span>
    <ul aria-label=${`${name}: verdicts`}>${parts.map(([number, { sign, word, css }]) => html`<li key=${word} class=${css} title=${word} ref=${(element) => element && (element.style.flexGrow = number)}>
      <span aria-hidden="true">${sign} </span>${number}<span class="hidden"> ${word}</span></li>`)}</ul></div>`;
}

function Change({ pair: { kind, before, after } }) {
  const edited = before && after && before.text !== after.text;
  const marks = edited && comparable(before.text, after.text);
  return html`<li class="change is-${kind}">
    <p class="change-head">
      ${kind === "flipped" ? html`<${VerdictChange} before=${before.verdict} after=${after.verdict} />` : html`<${VerdictBadge} verdict=${(after ?? before).verdict} />`}
      ${kind === "added" && html`<span class="tag">only in the second</span>`}${kind === "removed" && html`<span class="tag">only in the first</span>`}
      ${edited && html`<span class="tag">edited</span>`}${kind === "evidence" && html`<span class="tag">other deciding sentence</span>`}
    </p>
    ${edited
      ? html`<p><span class="muted">First: </span>${marks ? markedWords(before.text, after.text) : before.text}</p><p><span class="muted">Second: </span>${marks ? markedWords(after.text, before.text) : after.text}</p>`
      : html`<p>${(after ?? before).text}</p>`}
    ${["flipped", "evidence"].includes(kind) && html`<${Decided} name="First" claim=${before} /><${Decided} name="Second" claim=${after} />`}
  </li>`;
}

function Decided({ name, claim }) {
  const sentences = (claim.evidence ?? []).filter((sentence) => sentence.deciding);
  const words = sentences.length ? sentences.map((sentence) => `“${sentence.text}”${sentence.source ? ` (${sentence.source})` : ""}`).join(" ") : "no deciding sentence";
  return html`<p class="muted small">${name}: ${words}</p>`;
}

export function VerdictChange({ before, after, Badge = VerdictBadge }) {
  return html`<span class="verdict-change"><${Badge} verdict=${before} /> <span aria-hidden="true">→</span><span class="hidden">became</span> <${Badge} verdict=${after} /></span>`;
}
