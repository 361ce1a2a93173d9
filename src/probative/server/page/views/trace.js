// Trace: the steps of one run as a tree, with each prompt, output, token and second.
import { getTrace } from "../api.js";
import { html, useEffect, useMemo, useState } from "../preact.js";
import { Button } from "../parts/button.js";
import { ErrorBox } from "../parts/error_box.js";
import { Field } from "../parts/field.js";
import { count, seconds, when } from "../parts/format.js";
import { RunBar } from "../parts/run_bar.js";
import { href } from "../router.js";
import { useRun } from "../use_run.js";
import { CallView, textsOf } from "./runs/calls.js";
import { addressOf, State, Verdict, verbOf } from "./runs/words.js";

const CALLS = 20;

export default function Trace({ params }) {
  const [id] = params;
  const live = useRun(id);
  const [trace, setTrace] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => {
    setTrace(null);
    setError(null);
    if (!live.run || live.busy) return;
    getTrace(id).then(setTrace, (problem) => (problem.status === 404 ? setTrace(false) : setError(problem)));
  }, [id, live.run?.id, live.busy]);
  const { run } = live;
  return html`<div class="stack wide">
    <div class="view-head"><p class="crumbs"><a href=${href("runs")}>Runs</a></p>
      <h1>${run ? run.title || "(no title)" : "Run"}</h1></div>
    ${run && html`<${Facts} run=${{ ...run, state: live.state ?? run.state }} />`}
    <${RunBar} live=${live} address=${href("runs", [id])} />
    <${ErrorBox} error=${error} />
    ${run && html`<${Request} run=${run} />`}
    ${trace && html`<${Steps} trace=${trace} />`}
    ${trace === false && html`<p class="empty">This run has no trace: it ended before its first step, or its trace was not kept.</p>`}
  </div>`;
}

function Facts({ run }) {
  return html`<dl class="facts-list">
    <div><dt>Type</dt><dd>${verbOf(run)}${run.state === "done" && addressOf(run) !== href("runs", [run.id]) ? html` · <a href=${addressOf(run)}>open the result</a>` : null}</dd></div>
    <div><dt>State</dt><dd><${State} run=${run} /></dd></div>
    <div><dt>Verdict</dt><dd><${Verdict} run=${run} /></dd></div>
    <div><dt>Model</dt><dd>${run.model ?? "–"}</dd></div>
    <div><dt>Started</dt><dd>${run.started ? when(run.started) : "not yet"}</dd></div>
  </dl>`;
}

function Request({ run }) {
  return html`<details class="request"><summary>The request</summary><pre>${JSON.stringify(run.request, null, 2)}</pre></details>`;
}

function Steps({ trace }) {
  const [typed, setTyped] = useState("");
  const [all, setAll] = useState(false);
  const search = typed.trim().toLowerCase();
  const indexed = useMemo(() => indexedStep(trace), [trace]);
  const found = search ? countMatches(indexed, search) : null;
  return html`<section class="stack" aria-labelledby="trace-steps">
    <h2 id="trace-steps">Steps</h2>
    <form class="filters" role="search" aria-label="Search the trace" onSubmit=${(event) => event.preventDefault()}>
      <${Field} label="Search prompts and outputs">${(fieldId) => html`<input id=${fieldId} type="search" value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} />`}<//>
      <${Button} onClick=${() => setAll(!all)}>${all ? "Close all steps" : "Open all steps"}<//>
    </form>
    <p role="status" class="muted">${found === null ? "" : found ? `${count(found, "call")} found` : "Nothing found"}</p>
    <ol class="trace-tree"><${StepView} step=${indexed} search=${search} open all=${all} /></ol>
  </section>`;
}

// The step with the cost of all inside it and the text of each call, for the search.
function indexedStep(step) {
  const steps = step.steps.map(indexedStep);
  const calls = step.calls.map((call, index) => ({ call, index, text: [call.model, ...textsOf(call).map((one) => one.text)].join("\n").toLowerCase() }));
  const usage = { calls: 0, prompt_tokens: 0, completion_tokens: 0, scored_tokens: 0, cached: 0 };
  for (const own of [...step.calls.map((call) => call.usage), ...steps.map((inner) => inner.usage)]) {
    for (const name of Object.keys(usage)) usage[name] += own[name];
  }
  return { name: step.name, calls, steps, usage: { ...usage, seconds: step.seconds } };
}

const countMatches = (step, search) => step.calls.filter((one) => one.text.includes(search)).length + step.steps.reduce((sum, inner) => sum + countMatches(inner, search), 0);

// Only open steps draw their calls: a trace may have thousands.
function StepView({ step, search, open: first = false, all }) {
  const [opened, setOpened] = useState(first);
  const [shown, setShown] = useState(CALLS);
  useEffect(() => void setOpened(all || first), [all]);
  if (search && !countMatches(step, search)) return null;
  const open = search ? true : opened;
  const calls = search ? step.calls.filter((one) => one.text.includes(search)) : step.calls;
  return html`<li><details class="step" open=${open} onToggle=${(event) => event.currentTarget.open !== open && setOpened(event.currentTarget.open)}>
    <summary><span class="step-name">${step.name}</span> <span class="muted numbers">${stepCost(step)}</span></summary>
    ${open && html`
      ${calls.slice(0, shown).map((one) => html`<${CallView} key=${one.index} call=${one.call} index=${one.index} search=${search} />`)}
      ${calls.length > shown && html`<${Button} onClick=${() => setShown(shown + 5 * CALLS)}>Show more calls (${calls.length - shown} left)<//>`}
      ${step.steps.length > 0 && html`<ol>${step.steps.map((inner, index) => html`<${StepView} key=${index} step=${inner} search=${search} all=${all} />`)}</ol>`}`}
  </details></li>`;
}

function stepCost(step) {
  const tokens = step.usage.prompt_tokens + step.usage.completion_tokens + step.usage.scored_tokens;
  const parts = [step.usage.calls && count(step.usage.calls, "call"), step.usage.cached && `${step.usage.cached} from the response cache`, tokens && count(tokens, "token"), seconds(step.usage.seconds)];
  return parts.filter(Boolean).join(" · ");
}
