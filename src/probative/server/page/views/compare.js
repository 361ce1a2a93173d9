// Compare: two runs side by side, with what differs marked.
import { getResult, getRun } from "../api.js";
import { html, useEffect, useState } from "../preact.js";
import { Button } from "../parts/button.js";
import { ErrorBox } from "../parts/error_box.js";
import { CopyLink } from "../parts/run_bar.js";
import { saveJson, savePage } from "../parts/save_view.js";
import { href } from "../router.js";
import { rowsOf } from "./runs/differences.js";
import { addressOf, State, Verdict } from "./runs/words.js";

export default function Compare({ params }) {
  const [first, second] = params;
  const [sides, setSides] = useState(null);
  const [error, setError] = useState(null);
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const load = () => {
    setError(null);
    setSides(null);
    Promise.all([loadSide(first), loadSide(second)]).then(setSides, setError);
  };
  useEffect(load, [first, second]);
  if (!first || !second) return html`<h1>Compare</h1><p>Choose two runs in the <a href=${href("runs")}>list of runs</a>.</p>`;
  const rows = sides ? rowsOf(...sides) : [];
  const shown = onlyDifferent ? rows.filter((row) => row.differs) : rows;
  const different = rows.filter((row) => row.differs && !row.measured);
  return html`<div class="stack">
    <div class="view-head"><p class="crumbs"><a href=${href("runs")}>Runs</a></p>
      <h1>Two runs compared</h1></div>
    <${ErrorBox} error=${error} onRetry=${load} />
    ${!sides && !error && html`<p class="muted" role="status">Loading…</p>`}
    ${sides && html`
      <p role="status" class="lead">${different.length ? `They differ in: ${different.map((row) => row.name.toLowerCase()).join(", ")}.` : "They do not differ in anything but cost and time."}</p>
      <div class="actions compare-actions">
        <label class="check"><input type="checkbox" checked=${onlyDifferent} onChange=${() => setOnlyDifferent(!onlyDifferent)} /> Only what differs</label>
        <${CopyLink} address=${href("compare", [first, second])} />
        <${Button} onClick=${() => savePage("comparison.html")} aria-label="Download as HTML">HTML<//>
        <${Button} onClick=${() => saveJson("comparison.json", sides)} aria-label="Download as JSON">JSON<//>
      </div>
      <${Table} rows=${shown} sides=${sides} />`}
  </div>`;
}

async function loadSide(id) {
  const run = await getRun(id);
  return { run, result: run.state === "done" ? await getResult(id) : null };
}

function Table({ rows, sides }) {
  return html`<table class="comparison cards">
    <caption class="hidden">The runs side by side</caption>
    <thead><tr><td></td>${sides.map(({ run }, at) => html`<th scope="col" key=${at}>
      <a href=${addressOf(run)}>${["First", "Second"][at]}: ${run.title || run.id}</a><br /><a class="muted" href=${href("runs", [run.id])}>Trace</a></th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.name} class=${row.differs ? (row.measured ? "measured" : "differs") : "same"}>
      <th scope="row">${row.name}${row.differs && !row.measured ? html` <span class="tag differs"><span aria-hidden="true">≠ </span>differs</span>` : null}</th>
      ${row.cells.map((cell, at) => html`<td key=${at} data-label=${["First", "Second"][at]}><${Cell} row=${row} cell=${cell} run=${sides[at].run} /></td>`)}
    </tr>`)}</tbody>
  </table>`;
}

function Cell({ row, cell, run }) {
  if (row.verdict) return html`<${Verdict} run=${{ ...run, verdict: cell.text }} />`;
  if (row.name === "State") return html`<${State} run=${run} />`;
  if (cell.items) {
    return cell.items.length
      ? html`<ol class="items">${cell.items.map((item, index) => html`<li key=${index} class=${item.only ? "only" : ""}>${item.only ? html`<span class="tag">only here</span> ` : null}${item.text}</li>`)}</ol>`
      : html`<span class="muted">none</span>`;
  }
  return cell.text ?? html`<span class="muted">–</span>`;
}
