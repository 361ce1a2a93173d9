// A question of a thread with its own answer, evidence and verdict.
import { awaited } from "../../api.js";
import { useAnnounced } from "../../parts/announce.js";
import { Button } from "../../parts/button.js";
import { ErrorBox } from "../../parts/error_box.js";
import { Field, sendOnEnter } from "../../parts/field.js";
import { useMarks } from "../../parts/marks.js";
import { Notes } from "../../parts/notes.js";
import { Numbered } from "../../parts/numbered.js";
import { doingNow, RunBar } from "../../parts/run_bar.js";
import { html, useEffect, useRef, useState } from "../../preact.js";
import { href } from "../../router.js";
import { useRun } from "../../use_run.js";
import { AnswerCard, inOneLine } from "./answer.js";
import { Computation, Conflicts } from "./conflicts.js";
import { EvidenceText, useEvidence } from "./evidence.js";
import { Found } from "./found.js";
import { STEPS } from "./steps.js";

// `number` is its place in the thread. `ask(question, run)` asks another question in the place of a run; `onBusy` is told whether this one works.
export function Turn({ run: known, number, ask, onBusy }) {
  const live = useRun(known.id);
  const run = live.run ?? known;
  const box = useRef(null);
  useAnnounced(live, "ask", doingNow(live, STEPS), inOneLine);
  useEffect(() => onBusy(live.busy), [live.busy]);
  useEffect(() => void (awaited.has(known.id) && box.current.scrollIntoView({ block: "nearest" })), []);
  const edit = run.request && !live.busy && html`<${EditQuestion} question=${live.result?.read_as ?? run.request.question} ask=${(question) => ask(question, run)} />`;
  const bar = html`<${RunBar} live=${live} words=${STEPS} exports=${[]} again=${(same) => ask(same.request.question, same)} address=${href("ask", [run.id])} />`;
  return html`<${Numbered.Provider} value=${` of answer ${number}`}><article class="turn stack" ref=${box} aria-label=${`Question: ${run.title}`}>
    ${live.result
      ? html`<${Answered} run=${run} result=${live.result} edit=${edit} bar=${bar} />`
      : html`<h2 class="question">${run.request?.question ?? run.title}</h2>${edit}${bar}<${Found} live=${live} />`}
  </article><//>`;
}

function Answered({ run, result, edit, bar }) {
  const evidence = useEvidence(run, result);
  const marks = useMarks(run.id);
  return html`<div class="answer-layout">
      <${AnswerCard} result=${result} evidence=${evidence} marks=${marks}>${edit}<//>
      <${EvidenceText} evidence=${evidence} result=${result} />
      ${bar}
    </div>
    <${Computation} result=${result} evidence=${evidence} />
    <${Conflicts} result=${result} evidence=${evidence} />
    <${Notes} notes=${result.notes} />
    <p><a href=${href("ask", [run.id])} aria-label=${`The chain and the checks of “${run.title}”`}>The chain and the checks of this answer</a></p>`;
}

// The question as it was read, to be changed; it is then asked as it is written.
function EditQuestion({ question, ask }) {
  const [text, setText] = useState(null);
  const [problem, setProblem] = useState(null);
  const [starting, setStarting] = useState(false);
  const field = useRef(null);
  const opener = useRef(null);
  const isOpen = text !== null;
  useEffect(() => void (isOpen && field.current.querySelector("textarea").focus()), [isOpen]);
  const close = () => {
    setText(null);
    requestAnimationFrame(() => opener.current?.querySelector("button").focus());
  };
  const submit = async (event) => {
    event.preventDefault();
    if (!text.trim()) return setProblem({ message: "Write a question." });
    setStarting(true);
    try {
      await ask(text.trim());
    } catch (error) {
      setProblem(error);
      setStarting(false);
    }
  };
  if (!isOpen) return html`<div class="edit-question" ref=${opener}><${Button} kind="quiet" onClick=${() => setText(question)} aria-label=${`Change the question “${question}”`}>Change the question<//></div>`;
  return html`<form class="stack tight edit-question" ref=${field} onSubmit=${submit} onKeyDown=${(event) => event.key === "Escape" && close()}>
    <${Field} label="Ask it like this" hint="It is asked as it is written, and its answer takes the place of this one.">${(id, described) => html`
      <textarea id=${id} aria-describedby=${described} rows="2" value=${text} onInput=${(event) => setText(event.currentTarget.value)} onKeyDown=${sendOnEnter}></textarea>`}
    <//>
    <${ErrorBox} error=${problem} />
    <div class="row"><${Button} type="submit" busy=${starting}>Ask again<//><${Button} kind="quiet" onClick=${close}>Keep it<//></div>
  </form>`;
}
