// Prove: a claim and a text; the sentences that together carry the claim light up in the order in which they were chosen.
import { getUpload, startRun, upload } from "../api.js";
import { useAnnounced } from "../parts/announce.js";
import { Button } from "../parts/button.js";
import { ErrorBox } from "../parts/error_box.js";
import { Examples } from "../parts/examples.js";
import { Field } from "../parts/field.js";
import { FileNotes, readingError, readingMore, stillReading, useReadingEnd } from "../parts/reading.js";
import { doingNow, OtherView, RunBar } from "../parts/run_bar.js";
import { DropZone } from "../parts/source_picker.js";
import { html, useEffect, useState } from "../preact.js";
import { href, navigate } from "../router.js";
import { useRun } from "../use_run.js";
import { ProveResult, concludedInWords } from "./prove/result.js";

// The steps of the trace in words.
const STEPS = {
  prove: "Reading the text",
  prior: "Comparing the sentences with the claim",
  strength: "Weighing the sentences",
  policy: "Weighing the sentences",
  verdict: "Judging the claim",
};
const COUNTS = ["auto", 1, 2, 3, 4, 5, 6];
const METHODS = { mcse: "By what they make the model believe (mcse)", learned: "By a trained evidence model, faster (learned)" };
const EMPTY = { claim: "", text: "", k: 3, method: "mcse" };

export default function Prove({ params, info }) {
  const id = params[0] ?? null;
  const live = useRun(id);
  const foreign = live.run && live.run.verb !== "prove";
  const own = foreign ? null : live.run;
  useAnnounced(live, "prove", doingNow(live, STEPS), concludedInWords);
  return html`<div class="stack wide">
    <div class="view-head">
      <h1>Proof</h1>
      ${!id && html`<p class="lead">Write a claim and paste a text. You see which of its sentences carry the claim together, and what each one adds.</p>`}
    </div>
    <${ProveForm} info=${info} run=${own} busy=${live.busy} opened=${!id} key=${id ?? "new"} />
    ${!id && html`<${Examples} verb="prove" info=${info} words=${(request) => request.claim} />`}
    ${foreign && html`<${OtherView} run=${live.run} />`}
    ${!foreign && live.state !== "done" && html`<${RunBar} live=${live} words=${STEPS} />`}
    ${own && live.result && html`<${ProveResult} key=${id} proof=${live.result} request=${own.request} />`}
    ${!foreign && live.state === "done" && html`<${RunBar} live=${live} words=${STEPS} />`}
  </div>`;
}

function ProveForm({ info, run, busy, opened }) {
  const [form, setForm] = useState(EMPTY);
  const [files, setFiles] = useState({ reading: 0, notes: [] });
  const [problem, setProblem] = useState(null);
  const [starting, setStarting] = useState(false);
  const change = (part) => setForm((old) => ({ ...old, ...part }));
  useEffect(() => {
    if (run) change(formOf(run.request));
  }, [run?.id]);
  useReadingEnd(files.reading, problem, setProblem);
  const submit = async (event) => {
    event.preventDefault();
    if (files.reading) return setProblem(stillReading(files.reading));
    const wrong = !form.claim.trim() ? "Write a claim first." : !form.text.trim() ? "Paste a text first." : null;
    if (wrong) return setProblem({ message: wrong });
    setStarting(true);
    setProblem(await prove(form));
    setStarting(false);
  };
  const fields = html`<form class="panel" onSubmit=${submit}>
    <${ClaimAndText} info=${info} form=${form} change=${change} files=${files} setFiles=${setFiles} onError=${setProblem} />
    <div class="columns">
      <${Field} label="Number of sentences">${(id) => html`<select id=${id} value=${form.k} onChange=${(event) => change({ k: numberOf(event.currentTarget.value) })}>
        ${COUNTS.map((count) => html`<option key=${count} value=${count}>${count === "auto" ? "As many as help" : count}</option>`)}</select>`}<//>
    </div>
    <details><summary>Advanced</summary>
      <${Field} label="How sentences are chosen">${(id) => html`<select id=${id} value=${form.method} onChange=${(event) => change({ method: event.currentTarget.value })}>
        ${(info.methods.prove ?? [EMPTY.method]).map((name) => html`<option key=${name} value=${name}>${METHODS[name] ?? name}</option>`)}</select>`}<//>
    </details>
    <${ErrorBox} error=${problem} />
    <div class="row"><${Button} kind="primary" type="submit" busy=${starting || busy}>Find the evidence<//></div>
  </form>`;
  return opened ? fields : html`<details class="again"><summary>Change the claim or the text</summary>${fields}</details>`;
}

function ClaimAndText({ info, form, change, files, setFiles, onError }) {
  // The words of a file become the text, so that every sentence can be seen.
  const read = async ([file]) => {
    setFiles((old) => ({ ...readingMore(old, 1), notes: [] }));
    try {
      const { text, notes } = await getUpload((await upload(file)).id);
      change({ text });
      setFiles((old) => ({ ...old, notes }));
    } catch (error) {
      onError(readingError(file, error));
    }
    setFiles((old) => readingMore(old, -1));
  };
  const drop = (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    read(event.dataTransfer.files);
  };
  return html`
    <${Field} label="Claim" hint="One statement, as a full sentence.">${(id, described) => html`
      <input id=${id} aria-describedby=${described} value=${form.claim} onInput=${(event) => change({ claim: event.currentTarget.value })} />`}<//>
    <${Field} label="Text" hint="You can also drop a file on it.">${(id, described) => html`
      <textarea id=${id} aria-describedby=${described} rows="8" value=${form.text} onDragOver=${(event) => event.preventDefault()} onDrop=${drop}
        onInput=${(event) => change({ text: event.currentTarget.value })}></textarea>`}<//>
    <div aria-live="polite">${files.reading > 0 && html`<p class="muted">Reading the file…</p>`}</div>
    <${FileNotes} notes=${files.notes} />
    <details><summary>Take the text from a file</summary><${DropZone} suffixes=${info.suffixes} multiple=${false} label="Drop a file here or choose it" onFiles=${read} /></details>`;
}

const formOf = (request) => ({
  claim: request.claim,
  text: request.text ?? (request.sentences ?? []).join("\n"),
  k: request.k ?? EMPTY.k,
  method: request.method ?? EMPTY.method,
});

const numberOf = (value) => (value === "auto" ? value : Number(value));

// Start a run and go to its address; gives the error, if there is one.
async function prove(request) {
  try {
    navigate(href("prove", [(await startRun("prove", request)).id]));
    return null;
  } catch (error) {
    return error;
  }
}
