// The real page of a PDF with marked places: the picture is drawn by the server, the boxes of the marks lie over it.
// const pages = usePages(file, marks, focus, body), where `body` is the box around the page, file is {corpus or upload, source, pages, page}: `pages` are the offsets at which
// its pages start, `page` the one to show where no mark has the focus. Gives null for a file without pages.
// <${PageTools} file pages /> turns and zooms, <${PageSheet} file pages here=${id} /> is the page.
import { download, filePath, get, send } from "../api.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../preact.js";
import { href } from "../router.js";
import { announce } from "./announce.js";
import { Button } from "./button.js";
import { slice } from "./text.js";

// The widths of the picture in pixels at each zoom, and those on the screen as styles/parts.css has them.
const WIDTHS = [1_000, 1_500, 2_000, 2_400];
const ON_SCREEN = [1, 1.5, 2, 3];
// In CSS pixels: in less, nobody reads the text of a whole page.
const READABLE = 440;
// Boxes are close to their letters: shares of a line's height, and of the page's width.
const PAD = { y: 0.2, x: 0.005 };
const MAX_MARKS = 40;

// The page of a file that has this character.
export const pageOf = (file, offset) => Math.max(1, file.pages.filter((start) => start <= offset).length);
const isDrawn = (mark, id) => mark.kind !== "passage" || String(mark.id) === id;

export function usePages(file, marks, focus, body) {
  const wanted = String(focus?.id ?? focus ?? "");
  const target = marks.find((mark) => String(mark.id) === wanted);
  const first = file && (target ? pageOf(file, target.start) : Math.min(file.page ?? 1, file.pages.length));
  const [number, setNumber] = useState(first);
  const [zoom, setZoom] = useState(null);
  const [picture, setPicture] = useState(null);
  const [boxes, setBoxes] = useState([]);
  const [error, setError] = useState(null);
  useEffect(() => {
    const fits = ON_SCREEN.findIndex((factor) => factor * body.current.clientWidth >= READABLE);
    setZoom((old) => old ?? (fits < 0 ? ON_SCREEN.length - 1 : fits));
  }, []);
  useEffect(() => void setNumber(first), [file?.corpus ?? file?.upload, file?.source, file?.page, marks, focus]);
  useEffect(() => {
    if (!file || zoom === null) return undefined;
    const stop = new AbortController();
    const here = marks.filter((mark) => isDrawn(mark, wanted) && mark.end > mark.start && pageOf(file, mark.start) <= number && pageOf(file, mark.end - 1) >= number).slice(0, MAX_MARKS);
    Promise.all([pictureOf(filePath(file, "page", { page: number, width: WIDTHS[zoom] }), stop.signal), boxesOf(filePath(file, "boxes", { page: number }), here, stop.signal)]).then(
      ([bitmap, found]) => {
        setPicture({ bitmap, number });
        setBoxes(found);
        setError(null);
      },
      (problem) => stop.signal.aborted || setError(problem),
    );
    return () => stop.abort();
  }, [file?.corpus ?? file?.upload, file?.source, number, zoom, marks]);
  if (!file) return null;
  const turn = (to) => {
    const next = Math.min(Math.max(1, to), file.pages.length);
    setNumber(next);
    announce(`Page ${next} of ${file.pages.length}.`);
  };
  return { number, zoom, setZoom, picture, boxes, error, turn, target, ready: picture?.number === number ? picture : null };
}

async function pictureOf(path, signal) {
  return createImageBitmap(await (await send(path, { signal })).blob());
}

// Each mark with its boxes on the page.
async function boxesOf(path, marks, signal) {
  if (!marks.length) return [];
  const found = await get(`${path}${marks.map((mark) => `&char=${mark.start},${mark.end}`).join("")}`, { signal });
  return marks.map((mark, index) => ({ mark, boxes: found.boxes[index] }));
}

export function PageTools({ file, pages }) {
  const [failed, setFailed] = useState(null);
  const { number, zoom, target } = pages;
  const last = file.pages.length;
  const here = target && pageOf(file, target.start) === number ? `${target.start},${target.end}` : null;
  const open = () => download(filePath(file, "original"), file.source.split("/").pop()).then(() => setFailed(null), setFailed);
  return html`<div class="page-tools">
    <span class="group"><${Step} label="Previous page" sign="‹" able=${number > 1} onStep=${() => pages.turn(number - 1)} />
      <label>Page <input type="number" min="1" max=${last} value=${number} onChange=${(event) => pages.turn(Math.round(Number(event.currentTarget.value)) || number)} /> of ${last}</label>
      <${Step} label="Next page" sign="›" able=${number < last} onStep=${() => pages.turn(number + 1)} /></span>
    <span class="group"><${Step} label="Smaller" sign="−" able=${zoom > 0} onStep=${() => pages.setZoom(zoom - 1)} />
      <${Step} label="Larger" sign="+" able=${zoom < WIDTHS.length - 1} onStep=${() => pages.setZoom(zoom + 1)} /></span>
    <${Button} kind="quiet" onClick=${open}>Open original<//>
    ${file.corpus && html`<a href=${href("document", [file.corpus], { source: file.source, page: number, char: here })}>Link to this page</a>`}
    ${failed && html`<p class="hint wrong" role="alert">${failed.message}</p>`}
  </div>`;
}

// A step that cannot be taken keeps the keyboard's focus.
const Step = ({ label, sign, able, onStep }) => html`<${Button} aria-label=${label} title=${label} aria-disabled=${able ? null : "true"} onClick=${() => able && onStep()}>${sign}<//>`;

export function PageSheet({ file, pages, text, here }) {
  const canvas = useRef(null);
  const { picture, boxes, zoom, number } = pages;
  useLayoutEffect(() => {
    if (!picture) return;
    const { bitmap } = picture;
    Object.assign(canvas.current, { width: bitmap.width, height: bitmap.height });
    canvas.current.getContext("2d").drawImage(bitmap, 0, 0);
  }, [picture]);
  if (!picture) return html`<p class="muted drawing" role="status">Drawing the page…</p>`;
  const marked = boxes.filter((each) => each.boxes.length).map(({ mark }) => `“${slice(text, mark.start, mark.end)}”`);
  const missed = boxes.some((each) => !each.boxes.length);
  return html`<div class="page-sheet zoom-${zoom}"><div class="page-picture">
    <canvas ref=${canvas} role="img" aria-label=${`Page ${number} of ${file.source}.${marked.length ? ` Marked: ${marked.join(" ")}` : ""}`}></canvas>
    <svg class="page-marks lines" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      ${boxes.flatMap(({ mark, boxes: own }) => own.map((box, index) => html`<rect key=${`${mark.id}-${index}`} class="${mark.kind ?? "cited"} ${String(mark.id) === here ? "here" : ""}" data-marks=${mark.id}
        x=${box.left - PAD.x} y=${box.top - PAD.y * box.height} width=${box.width + 2 * PAD.x} height=${(1 + 2 * PAD.y) * box.height} />`))}
    </svg></div>
    ${missed && html`<p class="hint page-hint">A marked place was not found on the picture: see the text.</p>`}
  </div>`;
}
