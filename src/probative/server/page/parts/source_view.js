// A document or passage with marked ranges that scrolls to one of them:
// <${SourceView} title place text marks=${[{id, start, end, kind, label}]} focus=${id} />
// - structure: what a reader kept of the document (headings, tables, slides): null for a text as it is
// - start, end: characters as the API counts them (parts/text.js)
// - kind: "cited", "deciding", "leading", "conflict" or "passage" (the whole passage, faint); label: read by screen readers
// - focus: the id of the mark to scroll to; give a new object {id} to scroll there again, and {id, quiet: true} to
//   scroll the text without moving the page or the keyboard's focus
// - file: {corpus, source, pages} or {upload, source, pages} of a document that has pages: its real page is shown first (parts/page_view.js)
// - back: the words of the button that, like Escape, leads back to where the focus came from
import { html, useEffect, useId, useMemo, useRef, useState } from "../preact.js";
import { blocksOf, divided, grown, node, Nodes, placed, spanAround } from "./blocks.js";
import { Button } from "./button.js";
import { markdownNodes } from "./markdown.js";
import { useNumber } from "./numbered.js";
import { PageSheet, PageTools, usePages } from "./page_view.js";
import { characters, offsets } from "./text.js";

// Characters of a long text that are shown at once, and that "Show more" adds.
const SHOWN = 30_000;

export function SourceView({ title, place = null, text, structure = null, marks = [], focus = null, level = 3, back = "Back to the citation", file = null }) {
  const base = useId();
  const number = useNumber();
  const body = useRef(null);
  const [from, setFrom] = useState(null);
  const wanted = focus?.id ?? focus;
  const here = focus?.quiet || wanted === null || wanted === undefined ? null : String(wanted);
  const ranges = useMemo(() => placed(text, marks), [text, marks]);
  const around = useMemo(() => {
    const target = ranges.find((mark) => String(mark.id) === String(wanted ?? ""));
    return spanAround(text, target?.start ?? 0, SHOWN);
  }, [text, ranges, focus]);
  const [more, setMore] = useState({ around, span: around });
  const span = more.around === around ? more.span : around;
  const grow = (before) => setMore({ around, span: grown(text, span, SHOWN, before) });
  const shown = useMemo(() => divided(nodesOf(text, structure, span, level + 1), text, ranges, here, base), [text, structure, span.start, span.end, ranges, here]);
  const pages = usePages(file?.pages.length ? file : null, marks, focus, body);
  const [asText, setAsText] = useState(false);
  const drawn = pages !== null && !pages.error && !asText;
  const seen = useRef([]);
  useEffect(() => {
    if (wanted === null || wanted === undefined || (drawn && !pages.ready)) return;
    // What was shown before, on another page or as text, keeps the focus of the keyboard where it is.
    const asked = [focus, text, marks];
    const again = asked.every((each, index) => each === seen.current[index]);
    seen.current = asked;
    const left = reveal(body.current, String(wanted), again || Boolean(focus.quiet));
    if (left) setFrom(left);
  }, [focus, text, marks, drawn, pages?.ready]);
  const goBack = () => from.focus();
  const onKeyDown = (event) => {
    if (event.key !== "Escape" || !from?.isConnected) return;
    event.preventDefault();
    goBack();
  };
  return html`<article class="source" onKeyDown=${onKeyDown}>
    <header><${`h${level}`} class="source-title">${title || place || "Passage"}<//>${place && place !== title && html`<p class="place">${place}</p>`}
      ${structure?.ocr?.length > 0 && html`<p><span class="tag plain">${readByOcr(structure, text)}</span></p>`}
      ${from?.isConnected && html`<${Button} kind="quiet" onClick=${goBack} aria-keyshortcuts="Escape">${back}<//>`}
      ${pages && !pages.error && html`<${Button} kind="quiet" onClick=${() => setAsText(!asText)}>${asText ? "Show the page" : "Show as text"}<//>`}
      ${drawn && html`<${PageTools} file=${file} pages=${pages} />`}
      ${pages?.error && html`<p class="hint">The page cannot be shown: ${pages.error.message}</p>`}</header>
    <div class="source-text ${drawn ? "drawn" : ""}" ref=${body} tabindex="0" role="region" aria-label=${`${drawn ? "Page" : "Text"} of ${title || place || "the passage"}${number && `, source${number}`}`} aria-describedby=${(!drawn && shown.ids.join(" ")) || null}>
      ${drawn && html`<${PageSheet} file=${file} pages=${pages} text=${text} here=${here ?? ""} />`}
      ${!drawn && span.start > 0 && html`<${Button} kind="quiet" onClick=${() => grow(true)}>Show what stands before<//>`}
      ${!drawn && html`<${Nodes} nodes=${shown.nodes} />`}
      ${!drawn && span.end < text.length && html`<${Button} kind="quiet" onClick=${() => grow(false)}>Show what follows<//>`}
    </div>
  </article>`;
}

// The nodes of a part of a text. Markdown is read from a heading on: what stands before may end inside of code.
function nodesOf(text, structure, span, top) {
  if (structure?.layout !== "markdown") return blocksOf(text, structure, span, top);
  const index = offsets(text);
  const start = structure.headings.map((heading) => index(heading.start)).findLast((at) => at <= span.start && at > span.start - SHOWN) ?? span.start;
  return [node("div", markdownNodes(text, { start: span.start && start, end: span.end }, top), { class: "markdown" })];
}

// What was read by OCR: the text, or some of its pages.
function readByOcr({ ocr, pages }, text) {
  if (ocr.length === 1 && ocr[0][0] === 0 && ocr[0][1] >= characters(text)) return "Read by OCR";
  const read = pages.flatMap((start, at) => (ocr.some((part) => part[0] <= start && start < part[1]) ? [at + 1] : []));
  return `${read.length === 1 ? "Page" : "Pages"} ${read.join(", ")} read by OCR`;
}

// In pixels, what is shown to the left of a mark.
const BESIDE = 24;

// Scroll the text's own box, then the page as little as needed. Gives the element outside that the focus was moved from.
function reveal(body, id, quiet) {
  const found = [...body.querySelectorAll("[data-marks]")].find((element) => element.dataset.marks.split(" ").includes(id));
  const smooth = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  const box = body.getBoundingClientRect();
  // A pasted passage that is cited as a whole has no mark: it begins at the top.
  const at = (found ?? body).getBoundingClientRect();
  const left = found ? body.scrollLeft + at.left - box.left - BESIDE : 0; // A page may be wider than its box.
  body.scrollTo({ left, top: found ? body.scrollTop + at.top - box.top - box.height / 3 : 0, behavior: quiet ? "auto" : smooth });
  if (quiet) return null;
  if (box.top < 0 || box.bottom > innerHeight) body.parentElement.scrollIntoView({ block: "nearest", behavior: smooth });
  const before = document.activeElement;
  body.focus({ preventScroll: true });
  return before === document.body || body.parentElement.contains(before) || before.tabIndex < 0 ? null : before;
}
