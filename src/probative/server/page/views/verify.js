// Verify: a text, pasted or dropped, held against sources; each sentence gets its verdict as it is decided.
import { startRun } from "../api.js";
import { useAnnounced } from "../parts/announce.js";
import { Button } from "../parts/button.js";
import { ErrorBox } from "../parts/error_box.js";
import { Examples } from "../parts/examples.js";
import { ModelChoice, modelOf, modelRequest, preferredModel } from "../parts/model_choice.js";
import { stillReading, useReadingEnd } from "../parts/reading.js";
import { doingNow, OtherView, RunBar } from "../parts/run_bar.js";
import { SourcePicker, emptySource, sourceOf, sourceProblem, sourceReading, sourceRequest } from "../parts/source_picker.js";
import { TextPicker, emptyText, textOf, textProblem, textRequest } from "../parts/text_picker.js";
import { html, useEffect, useState } from "../preact.js";
import { href, navigate } from "../router.js";
import { useRun } from "../use_run.js";
import { VerifyResult, countedInWords } from "./verify/result.js";

// The steps of the trace in words.
const STEPS = {
  verify: "Looking for claims",
  retrieve: "Searching the sources",
  evidence: "Choosing the sentences to read",
  verdict: "Reading what the sources say",
};
// Claims that are checked side by side arrive together. The embedded model is as fast with one claim at a time.
const pace = (model) => (model.startsWith("embedded") ? { options: { max_active: 1 } } : {});
const EXPORTS = ["html", "docx", "json", "sarif", "junit"];

export default function Verify({ params, query, info }) {
  const id = params[0] ?? null;
  const live = useRun(id);
  const foreign = live.run && live.run.verb !== "verify";
  const own = foreign ? null : live.run;
  useAnnounced(live, "verify", doingNow(live, STEPS), (result) => countedInWords(result.claims));
  return html`<div class="stack wide">
    <div class="view-head">
      <h1>Check a text</h1>
      ${!id && html`<p class="lead">Paste a report or an answer. Each of its claims is held against your sources: supported, contradicted, or not settled by them, with the sentences that decide.</p>`}
    </div>
    <${VerifyForm} info=${info} run=${own} busy=${live.busy} opened=${!id} key=${id ?? "new"} />
    ${!id && html`<${Examples} verb="verify" info=${info} words=${(request) => request.text} more=${() => ({ ...modelRequest(preferredModel(info), info), ...pace(preferredModel(info)) })} />`}
    ${foreign && html`<${OtherView} run=${live.run} />`}
    ${!foreign && live.state !== "done" && html`<${RunBar} live=${live} words=${STEPS} exports=${EXPORTS} address=${id && href("verify", [id], query)} />`}
    ${own && (live.result || live.busy || live.claims.length > 0) && html`<${VerifyResult} live=${live} query=${query} />`}
    ${!foreign && live.state === "done" && html`<${RunBar} live=${live} words=${STEPS} exports=${EXPORTS} address=${id && href("verify", [id], query)} />`}
  </div>`;
}

function VerifyForm({ info, run, busy, opened }) {
  const [text, setText] = useState(emptyText);
  const [source, setSource] = useState(() => emptySource(info));
  const [model, setModel] = useState(() => preferredModel(info));
  const [problem, setProblem] = useState(null);
  const [starting, setStarting] = useState(false);
  useEffect(() => {
    if (!run) return;
    setText(textOf(run.request));
    setSource(sourceOf(run.request, info));
    setModel(modelOf(run.request, info));
  }, [run?.id]);
  // A file that is dropped on the pasted text takes its place.
  const reading = text.reading + sourceReading(source);
  useReadingEnd(reading, problem, setProblem);
  const submit = async (event) => {
    event.preventDefault();
    if (reading) return setProblem(stillReading(reading));
    const wrong = textProblem(text) ?? sourceProblem(source);
    if (wrong) return setProblem({ message: wrong });
    setStarting(true);
    setProblem(await verify({ ...textRequest(text), ...sourceRequest(source), ...modelRequest(model, info), ...pace(model) }));
    setStarting(false);
  };
  const form = html`<form class="panel" onSubmit=${submit}>
    <div class="columns">
      <${TextPicker} value=${text} onChange=${setText} info=${info} label="Text to check" />
      <${SourcePicker} value=${source} onChange=${setSource} info=${info} label="Sources" />
    </div>
    <${ModelChoice} value=${model} onChange=${setModel} info=${info} verb="verify" />
    <${ErrorBox} error=${problem} />
    <div class="row"><${Button} kind="primary" type="submit" busy=${starting || busy}>Check the text<//></div>
  </form>`;
  return opened ? form : html`<details class="again"><summary>Change the text or the sources</summary>${form}</details>`;
}

// Start a run and go to its address; gives the error, if there is one.
async function verify(request) {
  try {
    navigate(href("verify", [(await startRun("verify", request)).id]));
    return null;
  } catch (error) {
    return error;
  }
}
