// Prove: a claim and a text; the sentences that together carry the claim light up in the order in which they were chosen.
import { getUpload, startRun, upload } from "../api.js";
import { Button } from "../parts/button.js";
import { ErrorBox } from "../parts/error_box.js";
import { Field } from "../parts/field.js";
import { RunBar } from "../parts/run_bar.js";
import { html, useEffect, useRef, useState } from "../preact.js";
import { href, navigate } from "../router.js";
import { useRun } from "../use_run.js";
import { Examples } from "./examples.js";
import { ProveResult } from "./prove_result.js";

const STEPS = { prove: "Weighing the sentences", verdict: "Judging the claim" };
const COUNTS = ["auto", 1, 2, 3, 4, 5, 6];
const METHODS = { mcse: "What makes the model believe the claim (mcse)", learned: "Trained evidence model, faster (learned)" };

export default function Prove({ params, info }) {
  const id = params[0] ?? null;
  const live = useRun(id);
  const [form, setForm] = useState({ claim: "", text: "", k: 3, method: "mcse" });
  const [problem, setProblem] = useState(null);
  const change = (part) => setForm((old) => ({ ...old, ...part }));
  const watched = useWatched(live);
  useEffect(() => {
    if (live.run) change(formOf(live.run.request));
  }, [live.run?.id]);
  const start = (request) => {
    setProblem(null);
    startRun("prove", request).then((run) => navigate(href("prove", [run.id])), setProblem);
  };
  const submit = (event) => {
    event.preventDefault();
    const wrong = !form.claim.trim() ? "Write a claim first." : !form.text.trim() ? "Paste a text first." : null;
    if (wrong) setProblem({ message: wrong });
    else start(form);
  };
  const drawn = html`<${ProveForm} form=${form} change=${change} info=${info} busy=${live.busy} problem=${problem} setProblem=${setProblem} onSubmit=${submit} />`;
  return html`<div class="stack wide">
    <header class="view-head">
      <h1>Prove</h1>
      <p class="lead">Write a claim and paste a text. You see which of its sentences carry the claim together, and what each one adds.</p>
    </header>
    ${id ? html`<details class="again"><summary>Change the claim or the text</summary>${drawn}</details>` : drawn}
    ${!id && html`<${Examples} verb="prove" info=${info} onChoose=${(request) => (change(formOf(request)), start(request))} />`}
    <${RunBar} live=${live} words=${STEPS} />
    ${live.result && html`<${ProveResult} key=${live.run.id} proof=${live.result} request=${live.run.request} fresh=${watched} />`}
  </div>`;
}

const formOf = (request) => ({
  claim: request.claim,
  text: request.text ?? (request.sentences ?? []).join("\n"),
  k: request.k ?? 3,
  method: request.method ?? "mcse",
});

// Whether the run was seen at work: its result then plays by itself; a stored one waits for the reader.
function useWatched(live) {
  const seen = useRef(null);
  if (live.busy && live.run) seen.current = live.run.id;
  return live.run !== null && seen.current === live.run.id;
}

function ProveForm({ form, change, info, busy, problem, setProblem, onSubmit }) {
  const methods = info.methods.prove ?? ["mcse"];
  // The words of a file become the text, so that every sentence can be seen.
  const drop = async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    try {
      change({ text: (await getUpload((await upload(file)).id)).text });
    } catch (error) {
      setProblem({ message: `${file.name}: ${error.message}`, hint: error.hint });
    }
  };
  return html`<form class="panel" onSubmit=${onSubmit}>
    <${Field} label="Claim" hint="One statement, as a full sentence.">${(id, described) => html`
      <input id=${id} aria-describedby=${described} value=${form.claim} onInput=${(event) => change({ claim: event.currentTarget.value })} />`}<//>
    <${Field} label="Text" hint="You can also drop a file here.">${(id, described) => html`
      <textarea id=${id} aria-describedby=${described} rows="8" value=${form.text} onDragOver=${(event) => event.preventDefault()} onDrop=${drop}
        onInput=${(event) => change({ text: event.currentTarget.value })}></textarea>`}<//>
    <div class="columns">
      <${Field} label="Number of sentences">${(id) => html`<select id=${id} value=${form.k} onChange=${(event) => change({ k: numberOf(event.currentTarget.value) })}>
        ${COUNTS.map((count) => html`<option key=${count} value=${count}>${count === "auto" ? "As many as help" : count}</option>`)}</select>`}<//>
      <${Field} label="How sentences are chosen">${(id) => html`<select id=${id} value=${form.method} onChange=${(event) => change({ method: event.currentTarget.value })}>
        ${methods.map((name) => html`<option key=${name} value=${name}>${METHODS[name] ?? name}</option>`)}</select>`}<//>
    </div>
    <${ErrorBox} error=${problem} />
    <div class="row"><${Button} kind="primary" type="submit" disabled=${busy}>Find the evidence<//></div>
  </form>`;
}

const numberOf = (value) => (value === "auto" ? value : Number(value));
