// What changed between two reports: the figures that both have, the clearest and largest changes first.
import { html } from "../../preact.js";
import { count } from "../../parts/format.js";
import { changeOf, number } from "./figures.js";

const SHOWN = 8;

// The tables with the figures that both reports have, and how many only one of them has.
export function inBoth(tables) {
  const kept = tables.map((table) => ({ ...table, rows: table.rows.filter((row) => changeOf(row) !== null) }));
  const rows = (all) => all.reduce((sum, table) => sum + table.rows.length, 0);
  return { tables: kept.filter((table) => table.rows.length), single: rows(tables) - rows(kept) };
}

// The tables with the figures that one report has.
export const inOne = (tables) => tables.map((table) => ({ ...table, rows: table.rows.filter((row) => changeOf(row) === null) })).filter((table) => table.rows.length);

// [{title, name, first, second, change, clear}]; `clear`: the intervals of both figures do not overlap.
export function changesOf(tables) {
  const rows = tables.flatMap((table) => table.rows.map((row) => ({ title: table.title, name: row.name, first: row.cells[0], second: row.cells[1], change: changeOf(row) })));
  const changed = rows.filter(({ change }) => change).map((row) => ({ ...row, clear: apart(row.first, row.second) }));
  return changed.sort((a, b) => b.clear - a.clear || share(b) - share(a));
}

const hasInterval = ({ low, high }) => low !== null && high !== null;
const apart = (first, second) => hasInterval(first) && hasInterval(second) && (first.high < second.low || second.high < first.low);
const share = ({ first, second, change }) => Math.abs(change) / Math.max(Math.abs(first.value), Math.abs(second.value));

export function LargestChanges({ tables, names }) {
  const changes = changesOf(tables);
  const clear = changes.filter((change) => change.clear).length;
  const all = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const intervals = tables.some((table) => table.rows.some((row) => row.cells.every(hasInterval)));
  const shown = changes.slice(0, SHOWN);
  if (!all) return html`<p class="notice">No figure is in both reports.</p>`;
  return html`<section class="stack" aria-labelledby="largest-changes"><h2 id="largest-changes">What changed most</h2>
    <p>${changes.length} of ${count(all, "figure")} changed${intervals && changes.length ? apartInWords(clear) : ""}. ${changes.length > shown.length ? `The ${shown.length} ${clear ? "clearest" : "largest"} are shown.` : ""}</p>
    <ol class="bench-changes">${shown.map((change, index) => html`<${Change} key=${index} change=${change} names=${names} />`)}</ol>
  </section>`;
}

const apartInWords = (clear) => (clear ? `; the intervals of ${count(clear, "figure")} do not overlap` : "; where there are intervals, they overlap, so that chance may be the reason");

function Change({ change: { title, name, first, second, change, clear }, names }) {
  const values = [first.value, second.value];
  const largest = Math.max(...values.map(Math.abs));
  const text = (value) => number(value, largest <= 1 ? 3 : 1);
  return html`<li>
    <p><strong>${name}</strong> <span class="muted small">${title}</span></p>
    ${values.map((value, at) => html`<div class="bench-bar" key=${at}><span class="muted small">${names[at]}</span>
      <span class="track" aria-hidden="true"><span class=${at ? "fill second" : "fill"} ref=${(element) => element && (element.style.width = `${(100 * Math.abs(value)) / largest}%`)}></span></span>
      <span class="numbers">${text(value)}</span></div>`)}
    <p><strong>${change > 0 ? "▲ +" : "▼ −"}${text(Math.abs(change))}</strong>${clear ? html` <span class="tag">intervals do not overlap</span>` : null}</p>
  </li>`;
}
