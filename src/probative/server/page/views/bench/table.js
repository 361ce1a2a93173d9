// Tables of a bench report.
import { html } from "../../preact.js";
import { whole } from "../../parts/format.js";
import { cellParts, changeOf, columnDigits, number, usualCount } from "./figures.js";

// A table of a report. With `compared`, the columns are reports, and a last one has the difference.
export function FigureTable({ table, compared = false }) {
  const digits = table.columns.map((_, at) => columnDigits(table, at));
  const counts = table.rows.map((row) => usualCount(row.cells));
  const counted = counts.some((count) => count !== null);
  const changes = compared && table.columns.length === 2 ? table.rows.map(changeOf) : null;
  return html`<section class="figures">
    <h3>${table.title}</h3>
    <div class="scroll-x" tabindex="0" role="region" aria-label=${table.title}><table>
      <caption class="hidden">${table.title}</caption>
      <thead><tr><th scope="col">${table.corner}</th>${table.columns.map((column, at) => html`<th scope="col" class="number" key=${at}>${column}</th>`)}
        ${changes && html`<th scope="col" class="number">difference</th>`}${counted && html`<th scope="col" class="number">cases</th>`}</tr></thead>
      <tbody>${table.rows.map((row, index) => html`<tr key=${index}>
        <th scope="row">${row.name}</th>
        ${row.cells.map((cell, at) => html`<td class="number" key=${at}><${Figure} cell=${cell} digits=${digits[at]} usual=${counts[index]} /></td>`)}
        ${changes && html`<td class="number"><${Change} change=${changes[index]} digits=${Math.max(...digits)} /></td>`}
        ${counted && html`<td class="number muted">${counts[index] === null ? "–" : whole(counts[index])}</td>`}
      </tr>`)}</tbody>
    </table></div>
    ${table.note && html`<p class="muted small">${table.note}</p>`}
  </section>`;
}

function Figure({ cell, digits, usual }) {
  const parts = cellParts(cell, digits);
  return html`<span class="figure">${parts.value}</span>
    ${parts.interval && html`<span class="aside">${parts.interval}</span>`}
    ${parts.n !== undefined && parts.n !== null && parts.n !== usual && html`<span class="aside">${whole(parts.n)} cases</span>`}
    ${parts.published && html`<span class="aside">paper ${parts.published}${parts.difference ? ` (${parts.difference})` : ""}</span>`}`;
}

function Change({ change, digits }) {
  if (change === null) return html`<span class="muted">–</span>`;
  if (change === 0) return "0";
  return html`<strong>${change > 0 ? "▲ +" : "▼ −"}${number(Math.abs(change), digits)}</strong>`;
}
