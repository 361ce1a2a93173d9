// Groups and connections: the picture that the server lays out, coloured, filtered and enlarged here.
import { send, runPath } from "../../api.js";
import { html, useEffect, useRef, useState } from "../../preact.js";

// A small drawing is not blown up by more than this.
const MAX_SCALE = 1.15;
const MARGIN = 12;

// Drawing of the run `run` with the visible kinds of `connections`. `selected` is the id of a connection, or
// null; `onSelect(id | null)` is called when a line is chosen.
export function Drawing({ run, groups, connections, visible, selected, onSelect }) {
  const box = useRef(null);
  const [picture, setPicture] = useState(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    load(run, abort.signal).then(setPicture, () => abort.signal.aborted || setFailed(true));
    return () => abort.abort();
  }, [run]);
  useEffect(() => {
    if (!picture) return undefined;
    box.current.replaceChildren(picture);
    fit(picture);
    const resized = new ResizeObserver(() => fit(picture));
    resized.observe(box.current);
    return () => resized.disconnect();
  }, [picture]);
  useEffect(() => picture && show(picture, visible, selected), [picture, visible, selected]);
  const choose = ({ target }) => onSelect(idsOf(target.closest("[data-ids]"))[0] ?? null);
  const shown = connections.filter((one) => visible.has(one.kind)).length;
  const left = picture ? [...picture.querySelectorAll(".note")].map((note) => note.textContent) : [];
  return html`
    <figure class="drawing">
      <div class="drawing-tools" role="group" aria-label="Size of the drawing">
        <button type="button" class="button small" onClick=${() => zoom(picture, 1.25)} aria-label="Larger">+</button>
        <button type="button" class="button small" onClick=${() => zoom(picture, 0.8)} aria-label="Smaller">−</button>
        <button type="button" class="button small" onClick=${() => fit(picture)}>Show all</button>
      </div>
      <div class="drawing-canvas" ref=${box} role="img" onClick=${choose} onPointerMove=${(event) => drag(picture, event)}
        aria-label=${`Drawing of ${groups.length} groups of entities and ${shown} connections. The table of connections has the same.`}></div>
      ${failed && html`<p class="muted">The drawing could not be loaded; the table has all connections.</p>`}
      ${left.length > 0 && html`<figcaption class="muted">${left.join("; ")}; the table has all connections.</figcaption>`}
    </figure>`;
}

// The picture as an element; read as XML, so that no name in it becomes markup of the page.
async function load(run, signal) {
  const text = await (await send(runPath(run, "/export.svg"), { signal })).text();
  const picture = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  ["width", "height", "role"].forEach((name) => picture.removeAttribute(name));
  return picture;
}

const idsOf = (line) => line?.dataset.ids.split(" ") ?? [];

function show(picture, visible, selected) {
  const lines = [...picture.querySelectorAll("[data-ids]")];
  const chosen = (line) => idsOf(line).includes(selected) && visible.has(line.dataset.kind);
  const some = lines.some(chosen);
  for (const line of lines) {
    line.classList.toggle("off", !visible.has(line.dataset.kind));
    line.classList.toggle("chosen", chosen(line));
    line.classList.toggle("faded", some && !chosen(line));
  }
}

// Show the whole graph, without the question and the legend of the file.
function fit(picture) {
  const { clientWidth, clientHeight } = picture?.parentNode ?? {};
  if (!clientWidth) return;
  const graph = picture.querySelector(":scope > g:not(.legend)");
  const [area, { e, f }] = [graph.getBBox(), graph.transform.baseVal.consolidate().matrix];
  const width = Math.max(area.width + 2 * MARGIN, clientWidth / MAX_SCALE);
  const height = Math.max(area.height + 2 * MARGIN, clientHeight / MAX_SCALE);
  look(picture, area.x + e + (area.width - width) / 2, area.y + f + (area.height - height) / 2, width, height);
}

function zoom(picture, factor) {
  if (!picture) return;
  const { x, y, width, height } = picture.viewBox.baseVal;
  look(picture, x + (width - width / factor) / 2, y + (height - height / factor) / 2, width / factor, height / factor);
}

// A mouse moves the drawing; a finger scrolls the page.
function drag(picture, event) {
  if (!picture || event.pointerType === "touch" || !(event.buttons & 1)) return;
  const { x, y, width, height } = picture.viewBox.baseVal;
  const scale = Math.max(width / picture.clientWidth, height / picture.clientHeight);
  look(picture, x - event.movementX * scale, y - event.movementY * scale, width, height);
}

const look = (picture, ...area) => picture.setAttribute("viewBox", area.join(" "));
