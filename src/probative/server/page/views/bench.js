// Bench: the reports that the operator registered; one of them; two of one experiment side by side.
import { get } from "../api.js";
import { html, useEffect, useState } from "../preact.js";
import { Button } from "../parts/button.js";
import { ErrorBox } from "../parts/error_box.js";
import { Field } from "../parts/field.js";
import { count, whole } from "../parts/format.js";
import { CopyLink } from "../parts/run_bar.js";
import { saveJson, savePage } from "../parts/save_view.js";
import { href, navigate } from "../router.js";
import { inBoth, inOne, LargestChanges } from "./bench/changes.js";
import { Chart } from "./bench/chart.js";
import { MainFigures } from "./bench/main_figures.js";
import { FigureTable } from "./bench/table.js";

const path = (name, rest = "") => `/api/bench/${encodeURIComponent(name)}${rest}`;

export default function Bench({ params }) {
  const [name, other] = params;
  if (!name) return html`<${List} />`;
  return other ? html`<${Comparison} name=${name} other=${other} key=${`${name}/${other}`} />` : html`<${One} name=${name} key=${name} />`;
}

function useLoaded(address) {
  const [state, setState] = useState({ value: null, error: null });
  const load = () => {
    setState({ value: null, error: null });
    get(address).then((value) => setState({ value, error: null }), (error) => setState({ value: null, error }));
  };
  useEffect(load, [address]);
  return { ...state, load };
}

function Waiting({ loaded }) {
  return loaded.error ? html`<${ErrorBox} error=${loaded.error} onRetry=${loaded.load} />` : html`<p class="muted" role="status">Loading…</p>`;
}

function List() {
  const loaded = useLoaded("/api/bench");
  const [typed, setTyped] = useState("");
  const list = loaded.value;
  const text = typed.trim().toLowerCase();
  const fits = (entry) => [entry.name, entry.title, entry.experiment, entry.paper, entry.model ?? ""].some((part) => part.toLowerCase().includes(text));
  const shown = list?.reports.filter(fits) ?? [];
  const papers = [...new Set(shown.map((entry) => entry.paper))].sort();
  return html`<div class="stack wide">
    <div class="view-head"><h1>Studies</h1>
      <p class="lead">Reports of experiments: how well the methods work with a model, beside what the papers publish.</p></div>
    ${!list && html`<${Waiting} loaded=${loaded} />`}
    ${list?.reports.length > 0 && html`<form class="filters" role="search" aria-label="Filter reports" onSubmit=${(event) => event.preventDefault()}>
      <${Field} label="Words in the name or question">${(id) => html`<input id=${id} type="search" value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} />`}<//>
    </form>
    <p class="muted" role="status">${count(shown.length, "report")} shown</p>`}
    ${list && !list.reports.length && html`<p class="empty">No reports are registered. Start the server with <code>probative serve --bench FOLDER</code>; the folder holds runs of <code>probative bench</code>.</p>`}
    ${papers.map((paper) => html`<${Paper} key=${paper} paper=${paper} entries=${shown.filter((entry) => entry.paper === paper)} />`)}
    ${list?.unreadable.length > 0 && html`<section class="stack tight"><h2>Without a report</h2>
      <ul>${list.unreadable.map((entry) => html`<li key=${entry.name}><strong>${entry.name}</strong>: ${entry.reason}</li>`)}</ul></section>`}
  </div>`;
}

function Paper({ paper, entries }) {
  return html`<section class="stack"><h2>${paper === "ours" ? "Our own" : paper}</h2>
    <table class="reports cards">
      <caption class="hidden">Reports: ${paper}</caption>
      <thead><tr><th scope="col">Report</th><th scope="col">What it finds out</th><th scope="col">Model</th><th scope="col" class="number">Cases</th><th scope="col">Made</th></tr></thead>
      <tbody>${entries.map((entry) => html`<tr key=${entry.name}>
        <th scope="row" class="title"><a href=${href("bench", [entry.name])}>${entry.name}</a></th>
        <td>${entry.title}${!entry.finished && html` <span class="tag insufficient">not finished</span>`}</td>
        <td data-label="Model">${entry.model ?? "–"}</td>
        <td data-label="Cases" class="number">${entry.cases ? whole(entry.cases) : "–"}${entry.failed > 0 && html`<br /><span class="muted">${whole(entry.failed)} failed</span>`}</td>
        <td data-label="Made">${entry.date}</td>
      </tr>`)}</tbody>
    </table></section>`;
}

function Actions({ address, file, value }) {
  return html`<div class="actions">
    <${CopyLink} address=${address} />
    <${Button} onClick=${() => savePage(`${file}.html`)} aria-label="Download as HTML">HTML<//>
    <${Button} onClick=${() => saveJson(`${file}.json`, value)} aria-label="Download as JSON">JSON<//>
  </div>`;
}

function One({ name }) {
  const loaded = useLoaded(path(name));
  const list = useLoaded("/api/bench");
  const report = loaded.value;
  if (!report) return html`<div class="stack wide"><p class="crumbs"><a href=${href("bench")}>Studies</a></p><h1>${name}</h1><${Waiting} loaded=${loaded} /></div>`;
  const { run } = report;
  const others = (list.value?.reports ?? []).filter((entry) => entry.experiment === run.experiment && entry.name !== name);
  const unfinished = run.notes.find((note) => note.startsWith("The run is not finished"));
  return html`<article class="stack wide">
    <div class="view-head"><p class="crumbs"><a href=${href("bench")}>Studies</a></p><h1>${run.title}</h1></div>
    ${unfinished && html`<p class="notice"><strong>${unfinished}</strong></p>`}
    <${Facts} report=${report} />
    <${Actions} address=${href("bench", [name])} file=${name} value=${report} />
    ${others.length > 0 && html`<${CompareWith} name=${name} others=${others} />`}
    ${run.report.findings.length > 0 && html`<section class="stack tight"><h2>Findings</h2><ul>${run.report.findings.map((finding, index) => html`<li key=${index}>${finding}</li>`)}</ul></section>`}
    <${MainFigures} report=${run.report} />
    <section class="stack wide"><h2>Tables</h2>${run.report.tables.map((table, index) => html`<${FigureTable} key=${index} table=${table} />`)}</section>
    ${run.report.plots.length > 0 && html`<section class="stack wide"><h2>Charts</h2>${run.report.plots.map((plot, index) => html`<${Chart} key=${index} plot=${plot} />`)}</section>`}
    <${ReportNotes} run=${run} />
    <${Making} report=${report} />
  </article>`;
}

// What a reader wants to know before the figures.
function Facts({ report }) {
  const { run } = report;
  const failed = run.errors.reduce((sum, error) => sum + error.count, 0);
  return html`<${FactList} facts=${[
    ["Experiment", `${run.experiment}: ${run.paper === "ours" ? "our own" : `${run.paper}, ${run.shown_as}`}`],
    ["Model", run.models.model],
    ["Cases", `${whole(run.cases)}${failed ? `, of which ${whole(failed)} failed` : ""}`],
    ["Made", report.date],
  ]} />`;
}

function Making({ report }) {
  const { run } = report;
  const settings = Object.entries(run.settings).filter(([, value]) => value && (typeof value !== "object" || Object.keys(value).length))
    .map(([name, value]) => `${name} ${typeof value === "object" ? Object.entries(value).map((pair) => pair.join("=")).join(", ") : value}`);
  const models = Object.entries(run.models).filter(([name, value]) => value && name !== "model").map(([name, value]) => [name.replaceAll("_", " "), value]);
  return html`<section class="stack"><h2>How it was made</h2>
    <${FactList} facts=${[...models, ["Settings", settings.join("; ")], ["Machine", report.machine], ["Version", run.version]]} />
    ${report.command && html`<p><code>${report.command}</code></p>`}
    ${run.data.length > 0 && html`<details><summary>Data (${count(run.data.length, "file")})</summary>
      <ul>${run.data.map((file) => html`<li key=${file.path}>${file.path} <span class="muted">SHA-256 ${file.sha256.slice(0, 12)}…</span></li>`)}</ul></details>`}
  </section>`;
}

function FactList({ facts }) {
  return html`<dl class="facts-list">${facts.filter(([, value]) => value).map(([name, value]) => html`<div key=${name}><dt>${name[0].toUpperCase()}${name.slice(1)}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function CompareWith({ name, others }) {
  const [other, setOther] = useState(others[0].name);
  return html`<form class="filters compare-with" aria-label="Compare" onSubmit=${(event) => (event.preventDefault(), navigate(href("bench", [other, name])))}>
    <${Field} label="Compare with another report of this experiment">${(id) => html`<select id=${id} value=${other} onChange=${(event) => setOther(event.currentTarget.value)}>
      ${others.map((entry) => html`<option key=${entry.name} value=${entry.name}>${entry.name} (${entry.date}${entry.finished ? "" : ", not finished"})</option>`)}</select>`}<//>
    <${Button} type="submit">Compare<//>
  </form>`;
}

function ReportNotes({ run }) {
  const errors = run.errors.map((error) => `${count(error.count, "case")} failed with ${error.type}${error.first ? `; the first: ${error.first.slice(0, 300)}` : ""}`);
  const notes = [...run.notes.filter((note) => !note.startsWith("The run is not finished")), ...errors];
  if (!notes.length) return null;
  return html`<section class="stack tight"><h2>Notes</h2><ul>${notes.map((note, index) => html`<li key=${index}>${note}</li>`)}</ul></section>`;
}

function Comparison({ name, other }) {
  const loaded = useLoaded(path(name, `/compare?with=${encodeURIComponent(other)}`));
  const compared = loaded.value;
  const both = compared && inBoth(compared.tables);
  return html`<div class="stack wide">
    <div class="view-head"><p class="crumbs"><a href=${href("bench")}>Studies</a></p>
      <h1>${compared ? compared.title : "Two reports compared"}</h1>
      <p class="lead"><a href=${href("bench", [name])}>${name}</a> and <a href=${href("bench", [other])}>${other}</a>; the difference is the second less the first.</p></div>
    ${!compared && html`<${Waiting} loaded=${loaded} />`}
    ${compared && html`
      <p role="status">${compared.shared_cases === null ? compared.note : `${count(compared.shared_cases, "case")} in common; all figures are over these. ${compared.note}`}</p>
      <${Actions} address=${href("bench", [name, other])} file=${`${name}-and-${other}`} value=${compared} />
      ${compared.paired && html`<section class="stack wide"><h2>Tests</h2><${FigureTable} table=${compared.paired} /></section>`}
      <${LargestChanges} tables=${both.tables} names=${compared.names} />
      ${both.tables.length > 0 && html`<section class="stack wide"><h2>Tables</h2>${both.tables.map((table, index) => html`<${FigureTable} key=${index} table=${table} compared />`)}</section>`}
      ${both.single > 0 && html`<details><summary>${count(both.single, "figure is", "figures are")} in one of the reports only</summary>
        ${inOne(compared.tables).map((table, index) => html`<${FigureTable} key=${index} table=${table} />`)}</details>`}`}
  </div>`;
}
