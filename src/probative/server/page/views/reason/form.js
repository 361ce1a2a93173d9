// The form of a question over a graph: the graph, the question, choices and the method.
import { html, useState } from "../../preact.js";
import { Button } from "../../parts/button.js";
import { Field, sendOnEnter } from "../../parts/field.js";
import { count } from "../../parts/format.js";
import { Tabs } from "../../parts/tabs.js";
import { parseTriples } from "./connections.js";

const FORMS = [
  { value: "", title: "Decide from the question" },
  { value: "yes-no", title: "Yes or no" },
  { value: "choice", title: "One of the choices" },
  { value: "text", title: "In words" },
];

const PRESETS = [
  { value: "", title: "Chosen for the model" },
  { value: "small", title: "For a small model: little is asked of it" },
  { value: "calls", title: "For a large model: many candidates in a call" },
  { value: "paper", title: "As in the paper: a call for each candidate" },
];

// emptyForm(info) and formOf(request, info) give the value of the form, requestOf(value) the request.
export function emptyForm(info) {
  return { kind: info.graphs.length ? "graph" : "triples", graph: info.graphs[0]?.name ?? "", triples: "", question: "", choices: "", form: "", method: "give", preset: "" };
}

export function formOf(request, info) {
  const empty = emptyForm(info);
  return {
    ...empty,
    kind: request.triples?.length ? "triples" : "graph",
    graph: request.graph ?? empty.graph,
    triples: (request.triples ?? []).map((triple) => triple.join("\t")).join("\n"),
    question: request.question ?? "",
    choices: (request.choices ?? []).join("\n"),
    form: request.form ?? "",
    method: request.method ?? empty.method,
    preset: request.preset ?? "",
  };
}

export function requestOf(value) {
  const choices = value.choices.split("\n").map((line) => line.trim()).filter(Boolean);
  return {
    question: value.question.trim(),
    ...(value.kind === "graph" ? { graph: value.graph } : { triples: parseTriples(value.triples).triples }),
    ...(choices.length ? { choices } : {}),
    ...(value.form ? { form: value.form } : {}),
    method: value.method,
    ...(value.preset && value.method === "give" ? { preset: value.preset } : {}),
  };
}

// What is wrong with the value, or null.
export function problemOf(value) {
  if (!value.question.trim()) return "Write a question.";
  if (value.kind === "graph") return value.graph ? null : "Choose a graph.";
  const { triples, problems } = parseTriples(value.triples);
  if (problems.length) return `Correct or remove ${problems.length === 1 ? "the line that is" : `the ${problems.length} lines that are`} no triple first.`;
  return triples.length ? null : "Paste at least one triple.";
}

export function ReasonForm({ value, onChange, onSubmit, busy, info }) {
  const [problem, setProblem] = useState(null);
  const change = (part) => onChange({ ...value, ...part });
  const submit = (event) => {
    event.preventDefault();
    const found = problemOf(value);
    setProblem(found);
    if (!found) onSubmit(requestOf(value));
  };
  const typed = (name) => (event) => change({ [name]: event.currentTarget.value });
  const tabs = [{ id: "graph", title: "Registered graph" }, { id: "triples", title: "Pasted triples" }];
  return html`<form class="panel reason-form" onSubmit=${submit} aria-label="Question over a graph">
    <${Field} label="Question">${(id) => html`
      <textarea id=${id} rows="2" value=${value.question} onInput=${typed("question")} onKeyDown=${sendOnEnter}></textarea>`}
    <//>
    <fieldset class="picker"><legend>Knowledge</legend>
      <${Tabs} label="Knowledge" tabs=${info.graphs.length ? tabs : tabs.slice(1)} current=${value.kind} onChange=${(kind) => change({ kind })}>
        ${value.kind === "graph" ? html`<${GraphChoice} value=${value} typed=${typed} info=${info} />` : html`<${Triples} value=${value} typed=${typed} />`}
      <//>
    </fieldset>
    <details class="more">
      <summary>Choices</summary>
      <${Field} label="Choices" hint="One per line. Leave it empty for a question that is not multiple choice.">${(id, described) => html`
        <textarea id=${id} aria-describedby=${described} rows="3" value=${value.choices} onInput=${typed("choices")}></textarea>`}
      <//>
      <${Field} label="Kind of answer">${(id) => html`
        <select id=${id} value=${value.form} onChange=${typed("form")}>${FORMS.map((form) => html`<option key=${form.value} value=${form.value}>${form.title}</option>`)}</select>`}
      <//>
    </details>
    <details class="more">
      <summary>Advanced</summary>
      <div class="pair">
        <${Field} label="Method">${(id) => html`
          <select id=${id} value=${value.method} onChange=${typed("method")}>${(info.methods?.reason ?? ["give"]).map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select>`}
        <//>
        ${value.method === "give" && html`<${Field} label="Way of working">${(id) => html`
          <select id=${id} value=${value.preset} onChange=${typed("preset")}>${PRESETS.map((preset) => html`<option key=${preset.value} value=${preset.value}>${preset.title}</option>`)}</select>`}
        <//>`}
      </div>
    </details>
    ${problem && html`<p class="hint wrong" role="alert">${problem}</p>`}
    <${Button} kind="primary" type="submit" busy=${busy}>Ask the graph<//>
  </form>`;
}

function GraphChoice({ value, typed, info }) {
  const chosen = info.graphs.find((graph) => graph.name === value.graph);
  const hint = chosen ? `${count(chosen.entities, "entity", "entities")}, ${count(chosen.triples, "triple")}` : null;
  return html`<${Field} label="Graph" hint=${hint}>${(id, described) => html`
    <select id=${id} aria-describedby=${described} value=${value.graph} onChange=${typed("graph")}>
      ${info.graphs.map((graph) => html`<option key=${graph.name} value=${graph.name}>${graph.name}</option>`)}
    </select>`}
  <//>`;
}

function Triples({ value, typed }) {
  const { triples, problems } = parseTriples(value.triples);
  const found = triples.length ? ` ${count(triples.length, "triple")}.` : "";
  const listed = problems.slice(0, 3).join("; ");
  const error = problems.length ? `${listed[0].toUpperCase()}${listed.slice(1)}; a triple has three.` : null;
  return html`<${Field} label="Triples" hint=${`One per line: entity, relation, entity, separated by a tab, a comma or “|”.${found}`} error=${error}>${(id, described) => html`
    <textarea id=${id} class="code" aria-describedby=${described} rows="7" placeholder="willow bark | contains | salicin" value=${value.triples} onInput=${typed("triples")}></textarea>`}
  <//>`;
}
