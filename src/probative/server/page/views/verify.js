// Verify: a text, pasted or dropped, held against sources; each sentence gets its verdict as it is decided.
import { startRun } from "../api.js";
import { Button } from "../parts/button.js";
import { ErrorBox } from "../parts/error_box.js";
import { RunBar } from "../parts/run_bar.js";
import { SourcePicker, emptySource, sourceOf, sourceProblem, sourceRequest } from "../parts/source_picker.js";
import { html, useEffect, useState } from "../preact.js";
import { href, navigate } from "../router.js";
import { useRun } from "../use_run.js";
import { Examples } from "./examples.js";
import { TextPicker, emptyText, textOf, textProblem, textRequest } from "./text_picker.js";
import { VerifyResult } from "./verify_result.js";

const STEPS = { verify: "Checking the claims", retrieve: "Looking for evidence", judge: "Reading the evidence" };
const EXPORTS = ["html", "json", "sarif", "junit"];

export default function Verify({ params, query, info }) {
  const id = params[0] ?? null;
  const live = useRun(id);
  const [text, setText] = useState(emptyText);
  const [source, setSource] = useState(() => emptySource(info));
  const [problem, setProblem] = useState(null);
  const fill = (request) => {
    setText(textOf(request));
    setSource(sourceOf(request, info));
  };
  useEffect(() => {
    if (live.run) fill(live.run.request);
  }, [live.run?.id]);
  const start = (request) => {
    setProblem(null);
    startRun("verify", request).then((run) => navigate(href("verify", [run.id])), setProblem);
  };
  const submit = (event) => {
    event.preventDefault();
    const wrong = textProblem(text) ?? sourceProblem(source);
    if (wrong) setProblem({ message: wrong });
    else start({ ...textRequest(text), ...sourceRequest(source) });
  };
  const form = html`<form class="panel" onSubmit=${submit}>
    <div class="columns">
      <${TextPicker} value=${text} onChange=${setText} label="Text to check" />
      <${SourcePicker} value=${source} onChange=${setSource} info=${info} label="Sources" />
    </div>
    <${ErrorBox} error=${problem} />
    <div class="row"><${Button} kind="primary" type="submit" disabled=${live.busy}>Check the text<//></div>
  </form>`;
  return html`<div class="stack wide">
    <header class="view-head">
      <h1>Verify</h1>
      <p class="lead">Paste a report or an answer. Each of its claims is held against your sources: supported, contradicted, or not settled by them, with the sentences that decide.</p>
    </header>
    ${id ? html`<details class="again"><summary>Change the text or the sources</summary>${form}</details>` : form}
    ${!id && html`<${Examples} verb="verify" info=${info} onChoose=${(request) => (fill(request), start(request))} />`}
    <${RunBar} live=${live} words=${STEPS} exports=${EXPORTS} address=${live.run && href("verify", [live.run.id], query)} />
    ${live.run && (live.result || live.claims.length > 0 || live.busy) && html`<${VerifyResult} live=${live} query=${query} />`}
  </div>`;
}
