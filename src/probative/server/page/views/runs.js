// Runs: what was asked of this server, newest first; open, cancel, delete, or choose two to compare.
import { cancelRun, deleteRun, get } from "../api.js";
import { html, useCallback, useEffect, useRef, useState } from "../preact.js";
import { Button, ButtonLink } from "../parts/button.js";
import { Confirm } from "../parts/confirm.js";
import { ErrorBox } from "../parts/error_box.js";
import { Field } from "../parts/field.js";
import { count, seconds, when, whole } from "../parts/format.js";
import { LEVELS, VERDICTS } from "../parts/verdict_badge.js";
import { href, navigate, parseRoute } from "../router.js";
import { GRAPH_VERDICTS } from "./reason/answer.js";
import { Threads } from "./runs/threads.js";
import { addressOf, areAlike, CALIBRATE, isBusy, State, STATES, stoppedBy, tokensOf, Verdict, verbTitle } from "./runs/words.js";

const PAGE = 50;
const REFRESH_MS = 2_000;
const TYPING_MS = 300;
const NAMES = ["verb", "state", "level", "text"];

// The filter is in the address, so that it can be shared.
export default function Runs({ query, info }) {
  const [chosen, setChosen] = useState([]);
  const filter = inOrder(query);
  const runs = useRuns(filter);
  const choose = (run) => setChosen((old) => (old.some(({ id }) => id === run.id) ? old.filter(({ id }) => id !== run.id) : [...old.slice(-1), run]));
  const filtered = NAMES.some((name) => filter[name]);
  return html`<div class="stack">
    <h1>History</h1>
    <p class="lead">Everything that was asked of this server. Choose two runs of one question or text to compare them.</p>
    <${Threads} onChange=${runs.reload} />
    <${Filters} filter=${filter} verbs=${info.verbs} onChange=${changeFilter} />
    <${ErrorBox} error=${runs.error} onRetry=${runs.reload} />
    <${Compare} chosen=${chosen} onClear=${() => setChosen([])} />
    <p class="muted" role="status">${runs.list ? inWords(runs, filtered) : runs.error ? "" : "Loading…"}</p>
    ${runs.list?.length > 0 && html`<${RunTable} runs=${runs.list} chosen=${chosen} onChoose=${choose} actions=${runs} />`}
    ${runs.list?.length === 0 && (filtered
      ? html`<p class="empty">No run fits the filter. <a href=${href("runs")}>Show all runs</a></p>`
      : html`<p class="empty">No runs yet. <a href=${href("ask")}>Ask a question</a></p>`)}
    ${runs.next && html`<div><${Button} busy=${runs.reading} onClick=${runs.more}>Show older runs<//></div>`}
    <p class="muted small">The newest ${count(info.limits.kept_runs, "run")} are kept, up to ${whole(info.limits.kept_bytes / 1_000_000)} MB; older ones are deleted. A run that you delete is gone for good; a deleted thread can be restored for a day.</p>
  </div>`;
}

// The address is read at the time of the change: two changes may come before the page is drawn again.
const changeFilter = (part) => navigate(href("runs", [], inOrder({ ...parseRoute(location.hash).query, ...part })), { replace: true });
// Addresses of earlier versions name a verdict.
const inOrder = ({ verdict, ...query }) => Object.fromEntries(NAMES.map((name) => [name, query[name] ?? ((name === "level" && verdict) || "")]));

function inWords({ list, total }, filtered) {
  const all = filtered ? `${count(total, "run")} ${total === 1 ? "fits" : "fit"} the filter` : count(total, "run");
  return total > list.length ? `${all}; the newest ${whole(list.length)} are shown.` : `${all}.`;
}

// The runs that fit a filter: {list, next, total, error, reading, reload, more, cancel, remove}. The list is
// read again while a run works. An answer to an earlier filter is dropped.
function useRuns(filter) {
  const [known, setKnown] = useState({ list: null, next: null, total: 0 });
  const [error, setError] = useState(null);
  const [reading, setReading] = useState(false);
  const asked = new URLSearchParams(Object.entries(filter).filter(([, value]) => value)).toString();
  const latest = useRef(asked);
  latest.current = asked;
  const read = useCallback(async (before, take) => {
    const path = `/api/runs?limit=${PAGE}${asked && `&${asked}`}${before ? `&before=${encodeURIComponent(before)}` : ""}`;
    setReading(true);
    try {
      const page = await get(path);
      if (latest.current !== asked) return;
      setKnown((old) => take(page, old));
      setError(null);
    } catch (problem) {
      if (latest.current === asked) setError(problem);
    } finally {
      setReading(false);
    }
  }, [asked]);
  // Older runs that were loaded already stay.
  const reload = useCallback(() => read(null, merged), [read]);
  useEffect(() => void read(null, (page) => fresh(page)), [read]);
  const working = known.list?.some(isBusy) && !error;
  useEffect(() => {
    if (!working) return undefined;
    const timer = setInterval(reload, REFRESH_MS);
    return () => clearInterval(timer);
  }, [working, reload]);
  const more = () => read(known.next, (page, old) => ({ list: [...old.list, ...page.runs], next: page.next, total: page.total }));
  const cancel = (id) => cancelRun(id).then(reload, setError);
  const remove = (id) => deleteRun(id).then(() => setKnown((old) => ({ ...old, list: old.list.filter((run) => run.id !== id), total: old.total - 1 })), setError);
  return { ...known, error, reading, reload, more, cancel, remove };
}

const fresh = (page) => ({ list: page.runs, next: page.next, total: page.total });

// The newest page, followed by the older runs that are known beyond it.
function merged(page, old) {
  if (!old.list || old.list.length <= page.runs.length || !page.next) return fresh(page);
  const last = page.runs.at(-1).id;
  const at = old.list.findIndex((run) => run.id === last);
  return at < 0 ? fresh(page) : { list: [...page.runs, ...old.list.slice(at + 1)], next: old.next, total: page.total };
}

// The words that a row shows: levels of answers; verdicts of claims, which have no levels; verdicts over a graph.
const { supported: SUPPORTED, ...OTHER_LEVELS } = LEVELS;
const { supported: _, ...OTHER_VERDICTS } = VERDICTS;
const GROUPS = { Answers: OTHER_LEVELS, Claims: OTHER_VERDICTS, Graphs: GRAPH_VERDICTS };

const options = (words) => Object.entries(words).map(([value, word]) => html`<option key=${value} value=${value}>${word.word ?? word}</option>`);

function Filters({ filter, verbs, onChange }) {
  const picked = (name) => (event) => onChange({ [name]: event.currentTarget.value });
  const choice = (label, name, all, inside) => html`<${Field} label=${label}>${(id) => html`<select id=${id} value=${filter[name]} onChange=${picked(name)}>
    <option value="">${all}</option>${inside}</select>`}<//>`;
  return html`<form class="filters" role="search" aria-label="Filter runs" onSubmit=${(event) => event.preventDefault()}>
    ${choice("Type", "verb", "Everything", options(Object.fromEntries([...verbs, CALIBRATE].map((verb) => [verb, verbTitle(verb)]))))}
    ${choice("State", "state", "Any", options(STATES))}
    ${choice("Verdict", "level", "Any", html`${options({ supported: SUPPORTED })}${Object.entries(GROUPS).map(([name, words]) => html`<optgroup key=${name} label=${name}>${options(words)}</optgroup>`)}`)}
    <${Words} text=${filter.text} onChange=${onChange} />
  </form>`;
}

// The server is asked after a short pause in the typing.
function Words({ text, onChange }) {
  const [typed, setTyped] = useState(text);
  const told = useRef(text);
  useEffect(() => {
    if (text === told.current) return;
    told.current = text;
    setTyped(text); // the address was changed otherwise
  }, [text]);
  useEffect(() => {
    if (typed === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = typed;
      onChange({ text: typed });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return html`<${Field} label="Words in the title">${(id) => html`<input id=${id} type="search" maxlength="200" value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} />`}<//>`;
}

function Compare({ chosen, onClear }) {
  if (!chosen.length) return null;
  const titles = chosen.map((run) => run.title || run.id);
  return html`<div class="chosen-runs">
    <p role="status">${chosen.length === 1 ? html`Chosen: <strong>${titles[0]}</strong>. Choose another one to compare.` : html`Chosen: <strong>${titles[0]}</strong> and <strong>${titles[1]}</strong>.`}</p>
    <div class="actions">
      ${chosen.length === 2 && html`<${ButtonLink} kind="primary" href=${href("compare", chosen.map(({ id }) => id))}>Compare<//>`}
      <${Button} kind="quiet" onClick=${onClear}>Clear<//>
    </div>
  </div>`;
}

function RunTable({ runs, chosen, onChoose, actions }) {
  return html`<table class="runs cards">
    <caption class="hidden">Runs, newest first</caption>
    <thead><tr>
      <th scope="col"><span class="hidden">Compare</span></th><th scope="col">Run</th><th scope="col">State</th><th scope="col">Verdict</th>
      <th scope="col">Cost</th><th scope="col">When</th><th scope="col"><span class="hidden">Actions</span></th>
    </tr></thead>
    <tbody>${runs.map((run) => html`<${Row} key=${run.id} run=${run} chosen=${chosen.some(({ id }) => id === run.id)} alike=${chosen.every((other) => areAlike(run, other))} onChoose=${onChoose} actions=${actions} />`)}</tbody>
  </table>`;
}

function Row({ run, chosen, alike, onChoose, actions }) {
  return html`<tr class=${chosen ? "chosen" : ""}>
    <td class="choose"><input type="checkbox" checked=${chosen} disabled=${!alike || run.verb === CALIBRATE} title=${alike ? null : "Only runs of one kind about one question or text can be compared."} onChange=${() => onChoose(run)} aria-label=${`Compare: ${run.title}`} /></td>
    <th scope="row" class="title"><span class="verb">${verbTitle(run.verb)}</span> <a href=${addressOf(run)}>${run.title || "(no title)"}</a>${run.answer && html`<span class="found">${run.answer}</span>`}</th>
    <td data-label="State"><${State} run=${run} />${stoppedBy(run) && html`<span class="why">${stoppedBy(run)}</span>`}</td>
    <td data-label="Verdict"><${Verdict} run=${run} /></td>
    <td data-label="Cost" class="numbers">${run.usage ? html`<span class="line">${count(tokensOf(run.usage), "token")},</span> <span class="line">${seconds(run.usage.seconds)}</span>` : html`<span class="muted">–</span>`}</td>
    <td data-label="When"><time datetime=${run.created}>${when(run.created)}</time></td>
    <td class="actions">
      ${run.verb !== CALIBRATE && html`<a class="button quiet" href=${href("runs", [run.id])} aria-label=${`Trace of ${run.title}`}>Trace</a>`}
      ${isBusy(run)
        ? html`<${Cancel} run=${run} onCancel=${actions.cancel} />`
        : html`<${Confirm} label=${`Delete ${run.title}`} sure="Delete for good" onConfirm=${() => actions.remove(run.id)}>Delete<//>`}
    </td>
  </tr>`;
}

// A run ends at its next step, so it may go on for a moment.
function Cancel({ run, onCancel }) {
  const [asked, setAsked] = useState(false);
  const press = () => (setAsked(true), onCancel(run.id));
  return html`<${Button} kind="quiet" busy=${asked} onClick=${press} aria-label=${`Cancel ${run.title}`}>${asked ? "Cancelling…" : "Cancel"}<//>`;
}
