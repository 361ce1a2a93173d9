// Compare: two runs side by side, with what differs marked.
import { getResult, getRun } from "../api.js";
import { html, useEffect, useState } from "../preact.js";
import { Button } from "../parts/button.js";
import { ErrorBox } from "../parts/error_box.js";
import { CopyLink } from "../parts/run_bar.js";
import { saveJson, savePage } from "../parts/save_view.js";
import { href } from "../router.js";
import { ClaimChanges, claimsInWords, matchClaims, VerdictChange } from "./runs/claims.js";
import { rowsOf } from "./runs/differences.js";
import { comparable, markedWords } from "./runs/word_changes.js";
import { addressOf, areAlike, State, Verdict } from "./runs/words.js";

const PARTS = { result: "Result", request: "What was asked", cost: "Cost" };

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
  if (sides && !areAlike(sides[0].run, sides[1].run)) return html`<h1>Compare</h1><p>These runs ask different things. Choose two of one kind about one question or text in the <a href=${href("runs")}>list of runs</a>.</p>`;
  const rows = sides ? rowsOf(...sides) : [];
  const shown = onlyDifferent ? rows.filter((row) => row.differs) : rows;
  const verified = sides?.every(({ run, result }) => run.verb === "verify" && result);
  return html`<div class="stack">
    <div class="view-head"><p class="crumbs"><a href=${href("runs")}>History</a></p>
      <h1>Two runs compared</h1></div>
    <${ErrorBox} error=${error} onRetry=${load} />
    ${!sides && !error && html`<p class="muted" role="status">Loading…</p>`}
    ${sides && html`
      <${Changed} rows=${rows} sides=${sides} verified=${verified} />
      ${verified && html`<${ClaimChanges} sides=${sides} />`}
      <div class="actions compare-actions">
        <label class="check"><input type="checkbox" checked=${onlyDifferent} onChange=${() => setOnlyDifferent(!onlyDifferent)} /> Only what differs</label>
        <${CopyLink} address=${href("compare", [first, second])} />
        <${Button} onClick=${() => savePage("comparison.html")} aria-label="Download as HTML">HTML<//>
        <${Button} onClick=${() => saveJson("comparison.json", sides)} aria-label="Download as JSON">JSON<//>
      </div>
      <${Table} rows=${shown} sides=${sides} />`}
  </div>`;
}

// What changed, in a sentence, and the verdict and the answer before and after.
function Changed({ rows, sides, verified }) {
  const named = (part) => rows.filter((row) => row.part === part && row.differs).map((row) => row.name.toLowerCase());
  const [result, request] = [named("result"), named("request")];
  const verdict = rows.find((row) => row.verdict && row.differs && row.cells.every((cell) => cell.text));
  const answer = rows.find((row) => row.name === "Answer" && row.differs)?.cells.map((cell) => cell.text ?? "no answer");
  const Badge = ({ verdict: name }) => html`<${Verdict} run=${{ verb: sides[0].run.verb, verdict: name }} />`;
  const claims = verified ? claimsInWords(matchClaims(...sides.map((side) => side.result.claims))) : "";
  const outcome = claims ? `${claims}.` : result.length ? `The result differs in: ${result.join(", ")}.` : "The result is the same.";
  return html`<div class="panel changed">
    ${verdict && html`<p class="change-line"><strong>Verdict</strong> <${VerdictChange} before=${verdict.cells[0].text} after=${verdict.cells[1].text} Badge=${Badge} /></p>`}
    ${answer && html`<p class="change-line"><strong>Answer</strong> <span>${answer[0]} <span aria-hidden="true">→</span><span class="hidden">became</span> ${answer[1]}</span></p>`}
    <p role="status">${claims ? html`<strong>${outcome}</strong>` : outcome}</p>
    <p>${request.length ? `What was asked differs in: ${request.join(", ")}.` : "The same was asked in the same way."}</p>
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
      <a href=${addressOf(run)}>${["First", "Second"][at]}: ${run.title || run.id}</a> <a class="muted" href=${href("runs", [run.id])}>Trace</a></th>`)}</tr></thead>
    ${Object.entries(PARTS).map(([part, title]) => [title, rows.filter((row) => row.part === part)]).filter(([, own]) => own.length).map(([title, own]) => html`<tbody key=${title}>
      <tr class="part"><th scope="rowgroup" colspan="3">${title}</th></tr>
      ${own.map((row) => html`<${Row} key=${row.name} row=${row} sides=${sides} />`)}
    </tbody>`)}
  </table>`;
}

function Row({ row, sides }) {
  const telling = row.differs && row.part !== "cost";
  return html`<tr class=${telling ? "differs" : "same"}>
    <th scope="row">${row.name}${telling ? html` <span class="tag differs"><span aria-hidden="true">≠ </span>differs</span>` : null}</th>
    ${row.cells.map((cell, at) => html`<td key=${at} data-label=${["First", "Second"][at]}><${Cell} row=${row} at=${at} run=${sides[at].run} /></td>`)}
  </tr>`;
}

function Cell({ row, at, run }) {
  const cell = row.cells[at];
  const other = row.cells[1 - at];
  if (row.verdict) return html`<${Verdict} run=${{ ...run, verdict: cell.text }} />`;
  if (row.name === "State") return html`<${State} run=${run} />`;
  if (cell.items) {
    return cell.items.length
      ? html`<ol class="items">${cell.items.map((item, index) => html`<li key=${index} class=${item.only ? "only" : ""}>${item.only ? html`<span class="tag">only here</span> ` : null}${item.text}</li>`)}</ol>`
      : html`<span class="muted">none</span>`;
  }
  if (row.differs && row.part !== "cost" && cell.text && other.text && comparable(cell.text, other.text)) return markedWords(cell.text, other.text);
  return cell.text ?? html`<span class="muted">–</span>`;
}
