// Trace: the steps of one run as a tree, with each prompt, output, token and second.
import { getTrace } from "../api.js";
import { html, useEffect, useMemo, useState } from "../preact.js";
import { Button } from "../parts/button.js";
import { ErrorBox } from "../parts/error_box.js";
import { Field } from "../parts/field.js";
import { count, seconds, when, whole } from "../parts/format.js";
import { RunBar } from "../parts/run_bar.js";
import { href } from "../router.js";
import { useRun } from "../use_run.js";
import { CallView, textsOf } from "./runs/calls.js";
import { addressOf, hasView, State, Verdict, verbTitle } from "./runs/words.js";

// Calls and steps that are drawn at first.
const AT_FIRST = 20;
// A step with more calls than this shows a line of each; a search does so if it finds more than AT_FIRST.
const UNFOLDED = 3;
const TYPING_MS = 200;

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
    <div class="view-head"><p class="crumbs"><a href=${href("runs")}>History</a></p>
      <h1>${run ? run.title || "(no title)" : "Run"}</h1></div>
    ${run && html`<${Facts} run=${{ ...run, state: live.state ?? run.state }} />`}
    <${RunBar} live=${live} address=${href("runs", [id])} />
    <${ErrorBox} error=${error} />
    ${run && html`<${Json} title="The request" value=${run.request} />`}
    ${live.result && !hasView(run) && html`<${Json} title="The result" value=${live.result} open />`}
    ${trace && html`<${Steps} trace=${trace} />`}
    ${trace === false && html`<p class="empty">This run has no trace: it ended before its first step, or its trace was not kept.</p>`}
  </div>`;
}

function Facts({ run }) {
  return html`<dl class="facts-list">
    <div><dt>Type</dt><dd>${verbTitle(run.verb)}${run.state === "done" && hasView(run) ? html` · <a href=${addressOf(run)}>open the result</a>` : null}</dd></div>
    <div><dt>State</dt><dd><${State} run=${run} /></dd></div>
    <div><dt>Verdict</dt><dd><${Verdict} run=${run} /></dd></div>
    <div><dt>Model</dt><dd>${run.model ?? "–"}</dd></div>
    <div><dt>Started</dt><dd>${run.started ? when(run.started) : "not yet"}</dd></div>
  </dl>`;
}

function Json({ title, value, open = false }) {
  return html`<details class="request" open=${open}><summary>${title}</summary><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre></details>`;
}

function Steps({ trace }) {
  const [typed, setTyped] = useState("");
  const [search, setSearch] = useState("");
  const [all, setAll] = useState(false);
  const indexed = useMemo(() => indexedStep(trace), [trace]);
  const found = useMemo(() => (search ? matches(indexed, search) : null), [indexed, search]);
  // A search of many calls waits for a pause in the typing.
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim().toLowerCase()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return html`<section class="stack" aria-labelledby="trace-steps">
    <h2 id="trace-steps">Steps</h2>
    <form class="filters" role="search" aria-label="Search the trace" onSubmit=${(event) => event.preventDefault()}>
      <${Field} label="Search prompts and outputs">${(fieldId) => html`<input id=${fieldId} type="search" value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} />`}<//>
      <${Button} onClick=${() => setAll(!all)}>${all ? "Close all steps" : "Open all steps"}<//>
    </form>
    <p role="status" class="muted">${found === null ? "" : found.get(indexed) ? `${count(found.get(indexed), "call")} found` : "Nothing found"}</p>
    <ol class="trace-tree"><${StepView} step=${indexed} search=${search} found=${found} many=${found?.get(indexed) > AT_FIRST} open all=${all} /></ol>
  </section>`;
}

// The step with the cost of all inside it. The text of a call is made when it is first searched.
function indexedStep(step) {
  const steps = step.steps.map(indexedStep);
  const calls = step.calls.map((call, index) => ({ call, index }));
  const usage = { calls: 0, prompt_tokens: 0, completion_tokens: 0, scored_tokens: 0, cached: 0 };
  for (const own of [...step.calls.map((call) => call.usage), ...steps.map((inner) => inner.usage)]) {
    for (const name of Object.keys(usage)) usage[name] += own[name];
  }
  const failed = calls.filter(({ call }) => call.error).length + steps.reduce((sum, inner) => sum + inner.failed, 0);
  return { name: step.name, calls, steps, failed, usage: { ...usage, seconds: step.seconds } };
}

function fits(one, search) {
  one.text ??= [one.call.model, ...textsOf(one.call).map((text) => text.text)].join("\n").toLowerCase();
  return one.text.includes(search);
}

// How many calls of each step fit a search, with those of the steps inside it.
function matches(step, search, found = new Map()) {
  for (const inner of step.steps) matches(inner, search, found);
  const own = step.calls.filter((one) => fits(one, search)).length;
  return found.set(step, step.steps.reduce((sum, inner) => sum + found.get(inner), own));
}

// Only open steps draw their calls, and some at a time: a trace may have thousands. Of many calls, each is one
// line until it is opened.
function StepView({ step, search, found, many, open: first = false, all }) {
  const [opened, setOpened] = useState(first);
  useEffect(() => void setOpened(all || first), [all]);
  const open = search ? true : opened;
  const calls = search ? step.calls.filter((one) => fits(one, search)) : step.calls;
  const steps = search ? step.steps.filter((inner) => found.get(inner)) : step.steps;
  const call = (one) => html`<${CallView} key=${one.index} call=${one.call} index=${one.index} search=${search} folded=${search ? many : calls.length > UNFOLDED} />`;
  const inside = (inner, at) => html`<${StepView} key=${at} step=${inner} search=${search} found=${found} many=${many} all=${all} />`;
  return html`<li><details class="step" open=${open} onToggle=${(event) => event.currentTarget.open !== open && setOpened(event.currentTarget.open)}>
    <summary><span class="step-name">${step.name}</span> ${step.failed > 0 && html`<span class="tag contradicted">${count(step.failed, "call")} failed</span> `}<span class="muted numbers">${stepCost(step)}</span></summary>
    ${open && html`<${Some} key=${`calls ${search}`} items=${calls} draw=${call} what="calls" />
      ${steps.length > 0 && html`<ol><${Some} key=${`steps ${search}`} items=${steps} draw=${inside} what="steps" Wrap="li" /></ol>`}`}
  </details></li>`;
}

// The first items, and a button for more.
function Some({ items, draw, what, Wrap = "div" }) {
  const [shown, setShown] = useState(AT_FIRST);
  return html`${items.slice(0, shown).map(draw)}
    ${items.length > shown && html`<${Wrap}><${Button} onClick=${() => setShown(shown + 5 * AT_FIRST)}>Show more ${what} (${whole(items.length - shown)} left)<//><//>`}`;
}

function stepCost(step) {
  const tokens = step.usage.prompt_tokens + step.usage.completion_tokens + step.usage.scored_tokens;
  const parts = [step.usage.calls && count(step.usage.calls, "call"), step.usage.cached && `${step.usage.cached} from the response cache`, tokens && count(tokens, "token"), seconds(step.usage.seconds)];
  return parts.filter(Boolean).join(" · ");
}
