// The result of verify while it arrives and when it is complete: counts that filter, the text, and one claim beside it.
import { getUpload } from "../../api.js";
import { announce } from "../../parts/announce.js";
import { Button } from "../../parts/button.js";
import { count } from "../../parts/format.js";
import { MarkButtons, useMarks } from "../../parts/marks.js";
import { Notes } from "../../parts/notes.js";
import { Tabs } from "../../parts/tabs.js";
import { VERDICTS } from "../../parts/verdict_badge.js";
import { focusHeading } from "../../parts/keep_focus.js";
import { html, useEffect, useRef, useState } from "../../preact.js";
import { href, navigate } from "../../router.js";
import { countsOf, filterOf, firstToRead, neighbour, numbersOf } from "./segments.js";
import { ClaimDetail, decidedInWords } from "./claim.js";
import { CheckedText, ClaimList } from "./text.js";

const KEYS = { j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1 };
const BESIDE = "(min-width: 60rem)";
const SHAPES = [{ id: "text", title: "In the text" }, { id: "list", title: "As a list" }];

export function VerifyResult({ live, query }) {
  const { run, result } = live;
  const claims = claimsOf(live);
  const text = useText(run, result);
  const marks = useMarks(result ? run.id : null);
  const filter = filterOf(query.filter);
  const numbers = numbersOf(claims, filter);
  const chosen = Number(query.claim) || null;
  const selected = claims[chosen - 1] ? chosen : result ? firstToRead(claims) : null;
  const [shape, setShape] = useState("text");
  const region = useRef(null);
  const address = (change) => href("verify", [run.id], { ...query, ...change });
  const select = (number) => navigate(address({ claim: number }), { replace: true });
  const focusClaim = useFocus(region, selected);
  const move = (step, focus) => {
    const next = neighbour(numbers, selected, step);
    if (!next) return;
    select(next);
    // A screen reader reads the claim that gets the focus; else the claim is said, too.
    const claim = claims[next - 1];
    announce(focus ? decidedInWords(claim) : `Claim ${next}: ${claim.text} ${VERDICTS[claim.verdict].word}. ${decidedInWords(claim)}`);
    if (focus) focusClaim(next);
    else if (matchMedia(BESIDE).matches) markOf(region, next)?.scrollIntoView({ block: "nearest" });
  };
  const back = () => (markOf(region, selected) ?? region.current).focus();
  const choose = (number, event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select(number);
    const detail = region.current.querySelector(".detail");
    if (!matchMedia(BESIDE).matches) detail.scrollIntoView();
    // Chosen by a key (a click has a count): the evidence comes next, not the rest of the text.
    if (!event.detail) requestAnimationFrame(() => focusHeading(detail));
  };
  const onKeyDown = (event) => {
    if (event.key === "Escape" && event.target.closest(".detail") && !event.defaultPrevented) return back();
    const step = stepOf(event);
    if (!step) return;
    event.preventDefault();
    move(step, true);
  };
  const shown = { claims, selected, filter, numbers, choose, address: (number) => address({ claim: number }) };
  return html`<section class="stack verify-result" aria-label="Result" ref=${region} tabindex="-1" onKeyDown=${onKeyDown}>
    <${Counts} claims=${claims} total=${totalOf(live)} filter=${filter} busy=${live.busy}
      onFilter=${(name) => navigate(address({ filter: name === "all" ? null : name }), { replace: true })} />
    <div class="text-and-detail">
      <div class="panel"><h2 class="hidden">Text</h2>
        <${Tabs} label="Show the claims" tabs=${SHAPES} current=${shape} onChange=${setShape}>
          ${shape === "text" && text !== null ? html`<${CheckedText} text=${text} unchecked=${result?.unchecked ?? []} ...${shown} />` : html`<${ClaimList} ...${shown} />`}
        <//>
      </div>
      <aside class="detail panel" aria-label="Evidence">
        <${Detail} claims=${claims} selected=${selected} numbers=${numbers} move=${move} run=${run} marks=${result ? marks : null} back=${back} />
      </aside>
    </div>
    <${Unchecked} unchecked=${result?.unchecked ?? []} />
    <${Notes} notes=${result?.notes} />
  </section>`;
}

// The claims by index, with gaps for those that are not decided yet.
function claimsOf({ claims, result }) {
  if (result) return result.claims;
  const known = [];
  for (const { index, claim } of claims) known[index] = claim;
  return Array.from(known);
}

const totalOf = ({ claims, result }) => result?.claims.length ?? claims.at(-1)?.total ?? null;

// The text: of the result, of the request, or of the file that the request names. null until it is known.
function useText(run, result) {
  const [uploaded, setUploaded] = useState(null);
  const file = run.request.upload ?? null;
  useEffect(() => {
    // A file that has expired is no error: the claims are then shown as a list until the result has the text.
    if (file && !result) getUpload(file).then((found) => setUploaded(found.text), () => null);
  }, [file]);
  return result?.text ?? run.request.text ?? uploaded;
}

// J and K (and the arrow keys, outside tabs and scrolling texts) go to the next and the previous claim.
function stepOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return 0;
  const inText = event.target.closest(".checked-text, .claim-list");
  if (event.key.startsWith("Arrow") && !inText) return 0;
  return KEYS[event.key] ?? 0;
}

const markOf = (region, number) => region.current?.querySelector(`[data-claim="${number}"]`);

// A function that moves the focus to a claim, once it is selected and drawn.
function useFocus(region, selected) {
  const wanted = useRef(null);
  useEffect(() => {
    if (wanted.current === selected) markOf(region, selected)?.focus();
    wanted.current = null;
  }, [selected]);
  return (number) => {
    wanted.current = number;
  };
}

const verdictsInWords = (counts) => Object.entries(VERDICTS).map(([name, { word }]) => `${counts[name]} ${word.toLowerCase()}`).join(", ");

// countedInWords(claims) → "5 claims: 2 supported, 1 insufficient evidence, 2 contradicted"
export const countedInWords = (claims) => `${count(claims.length, "claim")}${claims.length ? `: ${verdictsInWords(countsOf(claims))}` : ""}`;

function Counts({ claims, total, filter, busy, onFilter }) {
  const counts = countsOf(claims);
  const verdicts = Object.entries(VERDICTS);
  return html`<div class="stack tight counts">
    <p class="counted"><strong>${total === null ? "Looking for claims…" : busy ? `${counts.all} of ${count(total, "claim")} checked` : count(total, "claim")}</strong>${
      total ? html`<span class="hidden">: ${verdictsInWords(counts)}</span>` : null}</p>
    <div class="proportions" aria-hidden="true">${verdicts.map(([name, { css }]) => counts[name] > 0 && html`<i key=${name} class=${css} style=${{ flexGrow: counts[name] }}></i>`)}${
      total > counts.all && html`<i class="open" style=${{ flexGrow: total - counts.all }}></i>`}</div>
    <div class="row filters" role="group" aria-label="Show only">
      <${Filter} name="all" word="All" counts=${counts} filter=${filter} onFilter=${onFilter} />
      ${verdicts.map(([name, { sign, word, css }]) => html`<${Filter} key=${name} name=${name} word=${word} sign=${sign} css=${css} counts=${counts} filter=${filter} onFilter=${onFilter} />`)}
      ${counts.conflict > 0 && html`<${Filter} name="conflict" word="Sources disagree" counts=${counts} filter=${filter} onFilter=${onFilter} />`}
      ${counts.citation > 0 && html`<${Filter} name="citation" word="Citation does not hold" counts=${counts} filter=${filter} onFilter=${onFilter} />`}
    </div>
  </div>`;
}

function Filter({ name, word, sign = null, css = "", counts, filter, onFilter }) {
  return html`<button type="button" class="filter ${css}" aria-pressed=${filter === name ? "true" : "false"} onClick=${() => onFilter(name)}>
    ${sign && html`<span class="sign" aria-hidden="true">${sign}</span>`}${word} <b>${counts[name]}</b></button>`;
}

function Detail({ claims, selected, numbers, move, run, marks, back }) {
  const claim = claims[selected - 1];
  // Not `disabled`: the button would lose the focus, and with it the keys.
  const isEnd = (number) => (number === selected || number === undefined ? "true" : null);
  if (!claim) return html`<h2>Evidence</h2><p class="muted">${marks && !claims.length ? "The text claims nothing that could be checked." : "Choose a sentence to see its evidence."}</p>`;
  return html`
    <div class="row detail-head">
      <h2>Claim ${selected}</h2>
      <div class="row">
        <${Button} onClick=${() => move(-1)} aria-disabled=${isEnd(numbers[0])} aria-keyshortcuts="K">Previous<//>
        <${Button} onClick=${() => move(1)} aria-disabled=${isEnd(numbers.at(-1))} aria-keyshortcuts="J">Next<//>
      </div>
      <${Button} class="button quiet to-text" onClick=${back}>Back to the text<//>
    </div>
    <${ClaimDetail} key=${selected} claim=${claim} run=${run} />
    ${marks && html`<${MarkButtons} marks=${marks} what="this verdict" claim=${selected - 1} />`}
    <p class="hint keys">In the text, <kbd>J</kbd> goes to the next claim and <kbd>K</kbd> to the previous one. <kbd>Esc</kbd> goes from here back to the text.</p>`;
}

function Unchecked({ unchecked }) {
  if (!unchecked.length) return null;
  return html`<details class="unchecked-list"><summary>Not checked: ${unchecked.length}</summary>
    <ul>${unchecked.map((part, index) => html`<li key=${index}>${part.text} <span class="muted">(${part.reason})</span></li>`)}</ul>
  </details>`;
}
