// Reason: a question over a graph, with its groups and connections drawn and the answer in three stages.
import { startRun } from "../api.js";
import { html, useEffect, useMemo, useState } from "../preact.js";
import { useAnnounced } from "../parts/announce.js";
import { ErrorBox } from "../parts/error_box.js";
import { Examples } from "../parts/examples.js";
import { Notes } from "../parts/notes.js";
import { doingNow, OtherView, RunBar } from "../parts/run_bar.js";
import { href, navigate } from "../router.js";
import { useRun } from "../use_run.js";
import { GraphAnswer, Stages, inOneLine } from "./reason/answer.js";
import { connectionsOf, countKinds, KINDS } from "./reason/connections.js";
import { Drawing } from "./reason/drawing.js";
import { emptyForm, formOf, ReasonForm } from "./reason/form.js";
import { ConnectionTable, GroupList, KindFilter } from "./reason/table.js";

// The steps of the trace in words.
const STEPS = {
  reason: "Reading the question",
  entities: "Finding the entities of the question",
  "entity groups": "Finding similar entities",
  "intermediate group": "Finding entities on the way",
  "inner-group": "Relating similar entities",
  "learned veracity": "Judging connections by what the graph teaches",
  "veracity extrapolation": "Judging connections that the graph does not state",
  "open relations": "Judging relations that the question leaves open",
  summary: "Summarising what is known",
  "answer a": "Answering from extrapolated knowledge",
  "answer a+c": "Answering with counterfactual knowledge",
  "answer a+c+e": "Answering with what the graph states",
};

export default function Reason({ params, info }) {
  const [id] = params;
  const live = useRun(id ?? null);
  const foreign = live.run && live.run.verb !== "reason";
  useAnnounced(live, "reason", doingNow(live, STEPS), inOneLine);
  return html`<div class="stack wide">
    <div class="view-head"><h1>Graph</h1>
      ${!id && html`<p class="lead">Ask a question that a graph may not answer directly. You see what the graph states, what can be extrapolated from similar entities, and what each of them changes.</p>`}</div>
    <${Form} key=${id ?? "new"} run=${foreign ? null : live.run} opened=${!id} busy=${live.busy} info=${info} />
    ${!id && html`<${Examples} verb="reason" info=${info} words=${(request) => request.question} />`}
    ${foreign && html`<${OtherView} run=${live.run} />`}
    ${!foreign && live.state !== "done" && html`<${RunBar} live=${live} words=${STEPS} />`}
    ${live.result && !foreign && html`<${Result} key=${id} run=${id} result=${live.result} />`}
    ${!foreign && live.state === "done" && html`<${RunBar} live=${live} words=${STEPS} />`}
  </div>`;
}

// The form; folded if there is a result to see.
function Form({ run, opened, busy, info }) {
  const [value, setValue] = useState(() => emptyForm(info));
  const [error, setError] = useState(null);
  const [starting, setStarting] = useState(false);
  useEffect(() => {
    if (run?.request) setValue(formOf(run.request, info));
  }, [run?.id]);
  const start = async (request) => {
    setStarting(true);
    setError(null);
    try {
      navigate(href("reason", [(await startRun("reason", request)).id]));
    } catch (problem) {
      setError(problem);
    }
    setStarting(false);
  };
  const form = html`<${ReasonForm} value=${value} onChange=${setValue} onSubmit=${start} busy=${starting || busy} info=${info} /><${ErrorBox} error=${error} />`;
  return opened ? form : html`<details class="again"><summary>Change the question or the graph</summary>${form}</details>`;
}

function Result({ run, result }) {
  const connections = useMemo(() => connectionsOf(result), [result]);
  const counts = countKinds(connections);
  const [visible, setVisible] = useState(() => firstVisible(counts));
  const [selected, setSelected] = useState(null);
  const shown = connections.filter((one) => visible.has(one.kind));
  return html`
    <${GraphAnswer} result=${result} />
    <${Stages} result=${result} />
    ${connections.length > 0 && html`<section class="stack" aria-labelledby="reason-connections">
      <h2 id="reason-connections">Groups and connections</h2>
      <${KindFilter} counts=${counts} visible=${visible} onChange=${setVisible} />
      <${Drawing} run=${run} groups=${result.groups} connections=${connections} visible=${visible} selected=${selected} onSelect=${setSelected} />
      <${ConnectionTable} connections=${shown} selected=${selected} onSelect=${setSelected} />
    </section>`}
    ${result.groups?.length > 0 && html`<section class="stack" aria-labelledby="reason-groups">
      <h2 id="reason-groups">Entities and those most similar to them</h2>
      <${GroupList} groups=${result.groups} />
    </section>`}
    <${Notes} notes=${result.notes} />`;
}

// Undecided connections are hidden at first, unless there is nothing else.
function firstVisible(counts) {
  const telling = KINDS.map((kind) => kind.name).filter((name) => name !== "uncertain" && counts[name]);
  return new Set(telling.length ? telling : ["uncertain"]);
}
