// Reason: a question over a graph, with its groups and connections drawn and the answer in three stages.
import { startRun } from "../api.js";
import { html, useEffect, useMemo, useState } from "../preact.js";
import { ErrorBox } from "../parts/error_box.js";
import { Notes } from "../parts/notes.js";
import { RunBar } from "../parts/run_bar.js";
import { href, navigate } from "../router.js";
import { useRun } from "../use_run.js";
import { GraphAnswer, Stages } from "./reason/answer.js";
import { connectionsOf, countKinds, KINDS } from "./reason/connections.js";
import { Drawing } from "./reason/drawing.js";
import { emptyForm, formOf, ReasonForm } from "./reason/form.js";
import { ConnectionTable, GroupList, KindFilter } from "./reason/table.js";

export default function Reason({ params, info }) {
  const [id] = params;
  const live = useRun(id);
  const [value, setValue] = useState(() => emptyForm(info));
  const [error, setError] = useState(null);
  const [starting, setStarting] = useState(false);
  useEffect(() => {
    if (live.run) setValue(formOf(live.run.request, info));
  }, [live.run?.id]);
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
  return html`<div class="stack wide">
    <div class="view-head"><h1>Reason</h1>
    <p class="lead">A question that a graph may not answer directly: what it states, what can be extrapolated from similar entities, and what that changes.</p></div>
    <${ReasonForm} value=${value} onChange=${setValue} onSubmit=${start} busy=${starting} info=${info} />
    <${ErrorBox} error=${error} />
    <${RunBar} live=${live} />
    ${live.result && html`<${Result} key=${id} result=${live.result} />`}
  </div>`;
}

function Result({ result }) {
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
      <${Drawing} groups=${result.groups} connections=${connections} visible=${visible} selected=${selected} onSelect=${setSelected} />
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
