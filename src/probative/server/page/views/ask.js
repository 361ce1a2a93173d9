// Ask: a question to pasted passages, files or a corpus, and the answer with its chain of evidence.
import { askInThread, post, startRun } from "../api.js";
import { useAnnounced } from "../parts/announce.js";
import { Button } from "../parts/button.js";
import { asksForContents, Contents } from "../parts/contents.js";
import { ErrorBox } from "../parts/error_box.js";
import { Examples } from "../parts/examples.js";
import { Field, sendOnEnter } from "../parts/field.js";
import { useMarks } from "../parts/marks.js";
import { ModelChoice, modelOf, modelRequest, preferredModel } from "../parts/model_choice.js";
import { Notes } from "../parts/notes.js";
import { stillReading, useReadingEnd } from "../parts/reading.js";
import { doingNow, OtherView, RunBar } from "../parts/run_bar.js";
import { SourcePicker, emptySource, searchedBy, sourceOf, sourceProblem, sourceReading, sourceRequest } from "../parts/source_picker.js";
import { Suggestions } from "../parts/suggestions.js";
import { html, useEffect, useRef, useState } from "../preact.js";
import { href, navigate } from "../router.js";
import { useRun } from "../use_run.js";
import { AnswerCard, inOneLine } from "./ask/answer.js";
import { Chain } from "./ask/chain.js";
import { Compared } from "./ask/compared.js";
import { Computation, Conflicts } from "./ask/conflicts.js";
import { EvidenceText, useEvidence } from "./ask/evidence.js";
import { FollowUp, ThreadOf } from "./ask/follow_up.js";
import { Found } from "./ask/found.js";
import { STEPS } from "./ask/steps.js";
import { Why } from "./ask/why.js";

const DEFAULT_METHOD = "scope";

export default function Ask({ params, query, info }) {
  const [id] = params;
  const live = useRun(id ?? null);
  const foreign = live.run && live.run.verb !== "ask";
  const own = foreign ? null : live.run;
  useAnnounced(live, "ask", doingNow(live, STEPS), inOneLine);
  return html`<div class="stack wide">
    <div class="view-head">
      <h1>Ask</h1>
      ${!id && html`<p class="lead">Ask your documents a question. You get the answer with the sentences that prove it, or what is missing.</p>`}
      ${id && html`<${AskForm} info=${info} run=${own} busy=${live.busy} key=${id} />`}
    </div>
    ${!id && html`<${AskForm} info=${info} key="new" opened />`}
    ${!id && html`<${Examples} verb="ask" info=${info} words=${(request) => request.question} more=${() => modelRequest(preferredModel(info), info)} />`}
    ${foreign && html`<${OtherView} run=${live.run} />`}
    ${own && live.state !== "done" && html`<h2 class="question">${live.run.title}</h2>`}
    ${live.state !== "done" && html`<${RunBar} live=${live} words=${STEPS} />`}
    ${!foreign && html`<${Found} live=${live} />`}
    ${own && html`<${ThreadOf} run=${own} />`}
    ${live.result && own && html`<${Result} live=${live} info=${info} other=${query.rag ?? null} />`}
    ${live.result && own && html`<${FollowUp} request=${own.request} info=${info} ask=${(request) => followUp(own, request)} />`}
  </div>`;
}

function AskForm({ info, run = null, busy = false, opened = false }) {
  const [question, setQuestion] = useState("");
  const [source, setSource] = useState(() => emptySource(info));
  const [method, setMethod] = useState(DEFAULT_METHOD);
  const [model, setModel] = useState(() => preferredModel(info));
  const [contents, setContents] = useState(null);
  const [problem, setProblem] = useState(null);
  const [starting, setStarting] = useState(false);
  useEffect(() => {
    if (!run) return;
    setQuestion(run.request.question);
    setSource(sourceOf(run.request, info));
    setMethod(run.request.method ?? DEFAULT_METHOD);
    setModel(modelOf(run.request, info));
  }, [run?.id]);
  const reading = sourceReading(source);
  useReadingEnd(reading, problem, setProblem);
  const panel = useRef(null);
  const start = async (text) => {
    if (reading) return setProblem(stillReading(reading));
    const wrong = text ? sourceProblem(source) : "Write a question.";
    if (wrong) return setProblem({ message: wrong });
    const counted = source.kind === "corpus" && asksForContents(text, info);
    setContents(counted ? source.corpus : null);
    if (counted) return setProblem(null);
    setStarting(true);
    setProblem(await ask({ question: text, ...sourceRequest(source), ...modelRequest(model, info), ...(method === DEFAULT_METHOD ? {} : { method }) }));
    setStarting(false);
  };
  const submit = (event) => {
    event.preventDefault();
    start(question.trim());
  };
  const pick = (text) => {
    setQuestion(text);
    panel.current.querySelector("textarea").focus();
    start(text);
  };
  const form = html`<div class="stack"><form class="panel ask-form" onSubmit=${submit} ref=${panel}>
    <div class="stack"><${Field} label="Question">${(field) => html`
      <textarea id=${field} rows="2" required placeholder=${searchedBy(source, info)} value=${question} onInput=${(event) => setQuestion(event.currentTarget.value)} onKeyDown=${sendOnEnter}></textarea>`}
    <//>
    <div class="row"><${Button} kind="primary" type="submit" busy=${starting || busy}>Ask<//></div>
    <${ErrorBox} error=${problem} />
    ${opened && !question && source.kind === "corpus" && html`<${Suggestions} corpus=${source.corpus} onPick=${pick} />`}</div>
    <div class="stack"><${SourcePicker} value=${source} onChange=${setSource} info=${info} label="Where to look" />
    <${ModelChoice} value=${model} onChange=${setModel} info=${info} verb="ask" />
    <details><summary>Advanced</summary>
      <${Field} label="Method" hint="“scope” chooses a chain of evidence. The others are baselines to compare with.">${(field, described) => html`
        <select id=${field} aria-describedby=${described} value=${method} onChange=${(event) => setMethod(event.currentTarget.value)}>
          ${(info.methods.ask ?? [DEFAULT_METHOD]).map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
        </select>`}
      <//>
    </details></div>
  </form>${contents && html`<${Contents} corpus=${contents} />`}</div>`;
  return opened ? form : html`<details class="again"><summary>Change the question or the evidence</summary>${form}</details>`;
}

// Start a run and go to its address; gives the error, if there is one.
async function ask(request) {
  try {
    const run = await startRun("ask", request);
    navigate(href("ask", [run.id]));
    return null;
  } catch (error) {
    return error;
  }
}

// Ask the next question of the thread that the run is in, or of a new one, and go there.
async function followUp(run, request) {
  const thread = await post("/api/threads", { run: run.id });
  await askInThread(thread.id, request);
  navigate(href("thread", [thread.id]));
}

function Result({ live, info, other }) {
  const { run, result } = live;
  const evidence = useEvidence(run, result);
  const marks = useMarks(run.id);
  return html`<article class="stack wide result" aria-label="Result">
    <div class="answer-layout">
      <${AnswerCard} result=${result} evidence=${evidence} marks=${marks} />
      <${EvidenceText} evidence=${evidence} result=${result} />
      <${RunBar} live=${live} address=${href("ask", [run.id], { rag: other })} />
    </div>
    <${Chain} result=${result} evidence=${evidence} />
    <${Computation} result=${result} evidence=${evidence} />
    <${Conflicts} result=${result} evidence=${evidence} />
    <${Why} result=${result} />
    <${Compared} run=${run} result=${result} info=${info} other=${other} />
    <${Notes} notes=${result.notes} />
  </article>`;
}
