// Calibrate: how often a supported answer over a corpus is wrong: "#/calibrate?corpus=NAME", or "#/calibrate/RUN".
import { corpusPath, download, get, getRun, post, remove } from "../api.js";
import { announce, useAnnounced } from "../parts/announce.js";
import { Button } from "../parts/button.js";
import { Confirm } from "../parts/confirm.js";
import { ErrorBox } from "../parts/error_box.js";
import { count, percent } from "../parts/format.js";
import { doingNow, RunBar } from "../parts/run_bar.js";
import { html, useCallback, useEffect, useState } from "../preact.js";
import { href, navigate } from "../router.js";
import { useRun } from "../use_run.js";
import { Draw, Shares } from "./calibrate/draw.js";
import { Guarantee, Labelled } from "./calibrate/guarantee.js";
import { Labelling } from "./calibrate/labelling.js";
import { Tests } from "./calibrate/tests.js";

const STEPS = { ask: "Answering the questions", question: "Writing questions", verify: "Checking claims of the documents" };

export default function Calibrate({ params, query }) {
  if (params.length) return html`<${Run} id=${params[0]} key=${params[0]} />`;
  if (query.corpus) return html`<${Corpus} name=${query.corpus} key=${query.corpus} />`;
  return html`<div class="stack"><h1>Calibrate</h1>
    <p class="lead">Choose a corpus under <a href=${href("documents")}>Documents</a>, and then “Calibrate”.</p></div>`;
}

// A run that the history has: its corpus shows what came of it.
function Run({ id }) {
  const [error, setError] = useState(null);
  useEffect(() => {
    getRun(id).then((run) => navigate(href("calibrate", [], { corpus: run.request.corpus }), { replace: true }), setError);
  }, [id]);
  return html`<div class="stack"><h1>Calibrate</h1>${error ? html`<${ErrorBox} error=${error} />` : html`<p class="muted" role="status">Loading…</p>`}</div>`;
}

function Corpus({ name }) {
  const { state, answers, error, setError, reload, told, act } = useCalibration(name);
  const [followed, setFollowed] = useState(null);
  useEffect(() => void (state?.run && setFollowed(state.run.id)), [state?.run?.id]);
  const live = useRun(followed);
  useAnnounced(live, "calibrate", doingNow(live, STEPS), (result) => (result.task === "draw" ? "The questions are answered." : "The claims are checked."));
  const ended = Boolean(followed) && !live.busy && Boolean(live.state);
  useEffect(() => void (ended && reload()), [followed, ended]);
  const start = (part, body) => post(corpusPath(name, part), body).then((run) => (setFollowed(run.id), setError(null), reload()), setError);
  const again = (run) => start(run.request.task === "draw" ? "calibration/more" : "calibration/test", run.request.task === "draw" ? {} : { n: run.request.n });
  const discard = () => act(remove(corpusPath(name, "calibration")), "The draw was discarded.");
  return html`<div class="stack wide">
    <p class="crumbs"><a href=${href("documents")}>All corpora</a> › <a href=${href("documents", [name])}>${name}</a></p>
    <div class="view-head"><h1>Calibrate</h1>
      <p class="lead">How often is a supported answer over “${name}” wrong? Questions are drawn at random and answered, and you say of each answer whether it is right. From enough labels follows a guarantee.</p></div>
    <${ErrorBox} error=${error} onRetry=${reload} />
    ${!state && !error && html`<p class="muted" role="status">Loading…</p>`}
    ${error && !state && html`<div><${Confirm} label="Discard the draw" sure="Discard it for good" onConfirm=${discard}>Discard the draw<//></div>`}
    ${state && html`<${Guarantee} state=${state} />`}
    ${followed && live.state !== "done" && html`<${RunBar} live=${live} words=${STEPS} again=${again} />`}
    ${live.result?.failed > 0 && html`<div class="notice wrong"><p>${count(live.result.failed, "question")} could not be answered: ${live.result.problem}</p></div>`}
    ${state && !state.draw && html`<${Draw} state=${state} busy=${live.busy} onDraw=${(body) => start("calibration", body)} />`}
    ${state?.draw && html`<${Drawn} name=${name} state=${state} answers=${answers} busy=${live.busy} stopped=${["cancelled", "failed"].includes(live.state)} told=${told} start=${start} discard=${discard} setError=${setError} />`}
    ${state && html`<${Tests} state=${state} busy=${live.busy} onTest=${(n) => start("calibration/test", { n })} />`}
  </div>`;
}

// {state, answers, error, setError, reload, told(state), act(change, said)}; the answers are read again when there are more.
function useCalibration(name) {
  const [state, setState] = useState(null);
  const [answers, setAnswers] = useState(null);
  const [error, setError] = useState(null);
  const reload = useCallback(() => get(corpusPath(name, "calibration")).then((found) => (setState(found), setError(null)), setError), [name]);
  useEffect(() => void reload(), [reload]);
  const questions = state?.draw?.assessment?.questions ?? 0;
  useEffect(() => {
    if (questions) get(corpusPath(name, "calibration/answers")).then((found) => setAnswers(found.answers), setError);
    else setAnswers(null);
  }, [name, questions]);
  const told = (found, mark, right) => {
    setState(found);
    setError(null);
    setAnswers((old) => old?.map((answer) => (answer.mark === mark ? { ...answer, right } : answer)) ?? null);
  };
  const act = (change, said) => change.then(() => (announce(said), reload()), setError);
  return { state, answers, error, setError, reload, told, act };
}

// The draw: what is left to do, the answers, and what the labels say.
function Drawn({ name, state, answers, busy, stopped, told, start, discard, setError }) {
  const { draw } = state;
  const { assessment } = draw;
  return html`<section class="stack" aria-labelledby="draw-heading">
    <div class="view-head"><h2 id="draw-heading">The draw</h2>
      <p class="muted">${drawnInWords(draw)} To be guaranteed: at most ${percent(draw.alpha)} of supported answers are wrong, with ${percent(1 - draw.delta)} confidence.</p></div>
    ${draw.changed && html`<p class="notice wrong">The documents have changed since the draw: its labels say nothing about them. Discard the draw, and begin again.</p>`}
    ${!assessment && !busy && !stopped && !draw.changed && html`<div class="notice"><p>The draw was stopped before all questions were answered.</p><${Button} kind="primary" onClick=${() => start("calibration/more", {})}>Go on<//></div>`}
    ${assessment && !draw.changed && assessment.supported < assessment.needed && html`<${TooFew} draw=${draw} busy=${busy} start=${start} />`}
    ${!draw.changed && assessment?.labelled === 0 && html`<${Shares} name=${name} draw=${draw} onChange=${told} onError=${setError} />`}
    ${answers && assessment?.supported > 0 && html`<${Labelling} name=${name} answers=${answers} assessment=${assessment} closed=${draw.changed} onLabel=${told} />`}
    ${assessment && html`<${Labelled} draw=${draw} />`}
    <div class="actions">
      ${assessment && html`<${Export} name=${name} onError=${setError} />`}
      ${!busy && html`<${Confirm} label="Discard the draw with its labels" sure="Discard it for good" onConfirm=${discard}>Discard the draw<//>`}
    </div>
  </section>`;
}

const ORIGINS = { asked: "asked of this corpus so far", given: "that you gave", made: "that the model made" };

function drawnInWords({ n, pool, source, assessment }) {
  if (!assessment) return `${count(n, "question")} of those ${ORIGINS[source]}.`;
  const unanswered = assessment.questions - assessment.supported;
  const rest = unanswered > 0 ? ` ${count(unanswered, "question")} ${unanswered === 1 ? "has" : "have"} no answer that could be supported, and ${unanswered === 1 ? "needs" : "need"} no label.` : "";
  return `${count(assessment.questions, "question")}, drawn from the ${pool} ${ORIGINS[source]}.${rest}`;
}

function TooFew({ draw, busy, start }) {
  const { assessment, source, pool } = draw;
  const more = Math.min(2000, Math.max(assessment.questions + 1, Math.ceil((assessment.needed * assessment.questions) / Math.max(assessment.supported, 1))));
  const possible = source === "made" ? more : Math.min(more, pool);
  return html`<div class="notice">
    <p><strong>${count(assessment.missing, "answer")} too few.</strong> ${assessment.needed} answers without an error are needed, and ${assessment.supported} could be supported.</p>
    ${possible > assessment.questions
      ? html`<${Button} busy=${busy} onClick=${() => start("calibration/more", { n: possible })}>Draw ${possible} questions in all<//>`
      : html`<p>All ${pool} questions are drawn. Discard the draw and begin again with more questions, or choose a larger share or a lower confidence.</p>`}
  </div>`;
}

function Export({ name, onError }) {
  const save = () => download(corpusPath(name, "calibration/labels.jsonl"), `labels-${name}.jsonl`).catch(onError);
  return html`<${Button} onClick=${save}>Download the labels<//>`;
}
