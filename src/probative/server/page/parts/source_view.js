// A document or passage with marked ranges that scrolls to one of them:
// <${SourceView} title place text marks=${[{id, start, end, kind, label}]} focus=${id} />
// - start, end: characters as the API counts them (parts/text.js)
// - kind: "cited", "deciding", "leading", "conflict" or "passage" (the whole passage, faint); label: read by screen readers
// - focus: the id of the mark to scroll to; give a new object {id} to scroll there again, and {id, quiet: true} to
//   scroll the text without moving the page or the keyboard's focus
import { html, useEffect, useMemo, useRef } from "../preact.js";
import { pieces } from "./text.js";

export function SourceView({ title, place = null, text, marks = [], focus = null, level = 3 }) {
  const body = useRef(null);
  const parts = useMemo(() => withLabels(pieces(text, marks)), [text, marks]);
  const wanted = focus?.id ?? focus;
  useEffect(() => {
    if (wanted === null || wanted === undefined) return;
    reveal(body.current, String(wanted), Boolean(focus.quiet));
  }, [focus, text, marks]);
  return html`<article class="source">
    <header><${`h${level}`} class="source-title">${title || place || "Passage"}<//>${place && place !== title && html`<p class="place">${place}</p>`}</header>
    <div class="source-text" ref=${body} tabindex="0" role="region" aria-label=${`Text of ${title || place || "the passage"}`}>
      ${parts.map((part, index) => html`<${Piece} key=${index} part=${part} wanted=${focus?.quiet ? null : wanted} />`)}
    </div>
  </article>`;
}

// Each label is read once, before the first piece of its mark.
function withLabels(parts) {
  const seen = new Set();
  return parts.map((part) => {
    const first = part.marks.find((mark) => mark.label && !seen.has(mark.id));
    part.marks.forEach((mark) => seen.add(mark.id));
    return { ...part, label: first?.label ?? null };
  });
}

function Piece({ part, wanted }) {
  if (!part.marks.length) return part.text;
  const kinds = part.marks.map((mark) => mark.kind ?? "cited").join(" ");
  const ids = part.marks.map((mark) => String(mark.id));
  const here = wanted !== null && wanted !== undefined && ids.includes(String(wanted));
  return html`<mark class="${kinds} ${here ? "here" : ""}" data-marks=${ids.join(" ")}>${
    part.label && html`<span class="hidden">[${part.label}] </span>`}${part.text}</mark>`;
}

// Scroll the text's own box, then the page as little as needed.
function reveal(body, id, quiet) {
  const found = [...body.querySelectorAll("[data-marks]")].find((element) => element.dataset.marks.split(" ").includes(id));
  if (!found) return;
  const smooth = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  const box = body.getBoundingClientRect();
  const at = found.getBoundingClientRect();
  body.scrollTo({ top: body.scrollTop + at.top - box.top - box.height / 3, behavior: quiet ? "auto" : smooth });
  if (quiet) return;
  if (box.top < 0 || box.bottom > innerHeight) body.parentElement.scrollIntoView({ block: "nearest", behavior: smooth });
  body.focus({ preventScroll: true });
}
