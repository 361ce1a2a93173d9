// The main figures of a report as bars with their intervals. The numbers stand beside the bars, so that the
// drawing says nothing that the text does not.
import { Field } from "../../parts/field.js";
import { html, useState } from "../../preact.js";
import { niceTicks } from "./chart.js";
import { cellParts, columnDigits } from "./figures.js";

const ROWS = 12;
const PANELS = 4;

// The columns that can be drawn: their figures have intervals. [{name, tables}]
export function drawable(tables) {
  const columns = new Map();
  for (const table of tables) {
    table.columns.forEach((name, at) => {
      const rows = table.rows.filter((row) => hasInterval(row.cells[at]));
      if (rows.length < 2) return;
      if (!columns.has(name)) columns.set(name, { name, panels: [] });
      columns.get(name).panels.push({ title: table.title, digits: columnDigits(table, at), rows: table.rows.map((row) => ({ name: row.name, cell: row.cells[at] })).filter((row) => isFigure(row.cell)) });
    });
  }
  return [...columns.values()];
}

const isFigure = (cell) => typeof cell === "object" && cell !== null && cell.value !== null;
const hasInterval = (cell) => isFigure(cell) && cell.low !== null && cell.high !== null;

// A plot of the report names the column that matters; without one, it is the first.
const plotOf = (column, plots) => plots.find((plot) => plot.kind === "bars" && plot.y === column.name);
const mainColumn = (columns, plots) => columns.find((column) => plotOf(column, plots)) ?? columns[0];

export function MainFigures({ report }) {
  const columns = drawable(report.tables);
  const [chosen, setChosen] = useState(null);
  if (!columns.length) return null;
  const column = columns.find((other) => other.name === chosen) ?? mainColumn(columns, report.plots);
  const panels = column.panels.slice(0, PANELS);
  const scale = scaleOf(panels);
  const published = panels.some((panel) => panel.rows.some((row) => isDrawn(row.cell.published)));
  const left = column.panels.length > PANELS || panels.some((panel) => panel.rows.length > ROWS);
  return html`<section class="stack main-figures" aria-labelledby="main-figures">
    <div class="main-figures-head"><h2 id="main-figures">${`Main figures: ${column.name}`}</h2>
      ${columns.length > 1 && html`<${Field} label="Figure">${(id) => html`<select id=${id} value=${column.name} onChange=${(event) => setChosen(event.currentTarget.value)}>
        ${columns.map((other) => html`<option key=${other.name} value=${other.name}>${other.name}</option>`)}</select>`}<//>`}</div>
    ${plotOf(column, report.plots) && html`<p class="lead">${plotOf(column, report.plots).title}</p>`}
    <div class="panels">${panels.map((panel, index) => html`<${Panel} key=${index} panel=${panel} scale=${scale} />`)}</div>
    <ul class="chart-legend">
      <li><svg class="bar-sample" width="40" height="14" viewBox="0 0 40 14" aria-hidden="true" focusable="false"><rect class="bar" y="2" width="30" height="10" /><path class="interval" d="M22 7H38M22 3V11M38 3V11" /></svg>ours, with its 95% interval</li>
      ${published && html`<li><svg class="bar-sample" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false"><path class="paper" d="M7 1V13" /></svg>published by the paper</li>`}
      ${left && html`<li>Further figures are in the tables below.</li>`}
    </ul>
  </section>`;
}

const isDrawn = (value) => value !== null && value !== undefined;

function Panel({ panel, scale }) {
  return html`<section class="bar-panel"><h3>${panel.title}</h3>
    <ul class="bar-list">${panel.rows.slice(0, ROWS).map((row, index) => html`<${Bar} key=${index} row=${row} digits=${panel.digits} scale=${scale} />`)}</ul>
  </section>`;
}

function Bar({ row, digits, scale }) {
  const { cell } = row;
  const parts = cellParts(cell, digits);
  const [from, to] = [scale(Math.min(0, cell.value)), scale(Math.max(0, cell.value))];
  return html`<li><span class="bar-name">${row.name}</span>
    <svg class="bar-plot" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="ground" width="100" height="20" />
      <rect class="bar" x=${from} y="3" width=${Math.max(0.4, to - from)} height="14" />
      ${hasInterval(cell) && html`<path class="interval" d=${`M${scale(cell.low)} 10H${scale(cell.high)}M${scale(cell.low)} 6V14M${scale(cell.high)} 6V14`} />`}
      ${isDrawn(cell.published) && html`<path class="paper" d=${`M${scale(cell.published)} 0V20`} />`}
    </svg>
    <span class="bar-value"><strong>${parts.value}</strong>${parts.interval && html` <span class="muted">${parts.interval}</span>`}${parts.published && html` <span class="muted">paper ${parts.published}</span>`}</span></li>`;
}

// All panels share one scale, from 0 to a round value, such that bars can be compared.
function scaleOf(panels) {
  const values = panels.flatMap((panel) => panel.rows.slice(0, ROWS).flatMap(({ cell }) => [cell.value, cell.low, cell.high, cell.published].filter(isDrawn)));
  const ticks = niceTicks(values, true);
  const [low, high] = [ticks[0], ticks.at(-1)];
  return (value) => Number(((100 * (value - low)) / (high - low)).toFixed(2));
}
