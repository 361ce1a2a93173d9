// Runs: what was asked of this server, newest first; open, cancel, delete, or choose two to compare.
import { cancelRun, deleteRun, get } from "../api.js";
import { html, useCallback, useEffect, useRef, useState } from "../preact.js";
import { Button, ButtonLink } from "../parts/button.js";
import { ErrorBox } from "../parts/error_box.js";
import { Field } from "../parts/field.js";
import { count, seconds, when } from "../parts/format.js";
import { href } from "../router.js";
import { addressOf, isBusy, State, STATES, tokensOf, Verdict, verbOf, VERBS } from "./runs/words.js";

const PAGE = 50;
const REFRESH_MS = 2_000;

export default function Runs() {
  const [filter, setFilter] = useState({ verb: "", state: "", text: "" });
  const [chosen, setChosen] = useState([]);
  const runs = useRuns(filter.verb);
  const text = filter.text.trim().toLowerCase();
  const shown = runs.list?.filter((run) => (!filter.state || run.state === filter.state) && (!text || run.title.toLowerCase().includes(text)));
  const choose = (id) => setChosen((old) => (old.includes(id) ? old.filter((one) => one !== id) : [...old.slice(-1), id]));
  return html`<div class="stack">
    <h1>Runs</h1>
    <p class="lead">Everything that was asked of this server. Choose two runs to compare them.</p>
    <${Filters} filter=${filter} onChange=${setFilter} />
    <${ErrorBox} error=${runs.error} onRetry=${runs.reload} />
    <${Compare} chosen=${chosen} list=${runs.list ?? []} onClear=${() => setChosen([])} />
    <p class="muted" role="status">${shown ? `${count(shown.length, "run")} shown` : runs.error ? "" : "Loading…"}</p>
    ${shown?.length > 0 && html`<${RunTable} runs=${shown} chosen=${chosen} onChoose=${choose} actions=${runs} />`}
    ${shown?.length === 0 && html`<p class="empty">No runs${filter.verb || filter.state || text ? " fit the filter" : " yet"}. <a href=${href("ask")}>Ask a question</a></p>`}
    ${runs.next && html`<div><${Button} onClick=${runs.more}>Show older runs<//></div>`}
  </div>`;
}

// The runs of a verb ("" for all): {list, next, error, reload, more, cancel, remove}. The list is read again
// while a run works.
function useRuns(verb) {
  const [known, setKnown] = useState({ list: null, next: null });
  const [error, setError] = useState(null);
  const fetchPage = (before, limit = PAGE) => get(`/api/runs?${new URLSearchParams({ limit, ...(verb ? { verb } : {}), ...(before ? { before } : {}) })}`);
  const reload = useCallback(async () => {
    try {
      const page = await fetchPage(null);
      // Older runs that were loaded already stay.
      setKnown((old) => merged(page, old));
      setError(null);
    } catch (problem) {
      setError(problem);
    }
  }, [verb]);
  useEffect(() => {
    setKnown({ list: null, next: null });
    reload();
  }, [reload]);
  const working = known.list?.some(isBusy) && !error;
  useEffect(() => {
    if (!working) return undefined;
    const timer = setInterval(reload, REFRESH_MS);
    return () => clearInterval(timer);
  }, [working, reload]);
  const act = (action) => (id) => action(id).then(reload, setError);
  const more = () => fetchPage(known.next).then((page) => setKnown((old) => ({ list: [...old.list, ...page.runs], next: page.next })), setError);
  const remove = (id) => deleteRun(id).then(() => setKnown((old) => ({ ...old, list: old.list.filter((run) => run.id !== id) })), setError);
  return { ...known, error, reload, more, cancel: act(cancelRun), remove };
}

// The newest page, followed by the older runs that are known beyond it.
function merged(page, old) {
  if (!old.list || old.list.length <= page.runs.length || !page.next) return { list: page.runs, next: page.next };
  const last = page.runs.at(-1).id;
  const at = old.list.findIndex((run) => run.id === last);
  return at < 0 ? { list: page.runs, next: page.next } : { list: [...page.runs, ...old.list.slice(at + 1)], next: old.next };
}

function Filters({ filter, onChange }) {
  const typed = (name) => (event) => onChange({ ...filter, [name]: event.currentTarget.value });
  const options = (words) => Object.entries(words).map(([value, word]) => html`<option key=${value} value=${value}>${word.word ?? word}</option>`);
  return html`<form class="filters" role="search" aria-label="Filter runs" onSubmit=${(event) => event.preventDefault()}>
    <${Field} label="Type">${(id) => html`<select id=${id} value=${filter.verb} onChange=${typed("verb")}><option value="">Everything</option>${options(VERBS)}</select>`}<//>
    <${Field} label="State">${(id) => html`<select id=${id} value=${filter.state} onChange=${typed("state")}><option value="">Any</option>${options(STATES)}</select>`}<//>
    <${Field} label="Words in the title">${(id) => html`<input id=${id} type="search" value=${filter.text} onInput=${typed("text")} />`}<//>
  </form>`;
}

function Compare({ chosen, list, onClear }) {
  if (!chosen.length) return null;
  const titles = chosen.map((id) => list.find((run) => run.id === id)?.title ?? id);
  return html`<div class="chosen-runs" role="status">
    <p>${chosen.length === 1 ? html`Chosen: <strong>${titles[0]}</strong>. Choose another one to compare.` : html`Chosen: <strong>${titles[0]}</strong> and <strong>${titles[1]}</strong>.`}</p>
    <div class="actions">
      ${chosen.length === 2 && html`<${ButtonLink} kind="primary" href=${href("compare", chosen)}>Compare<//>`}
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
    <tbody>${runs.map((run) => html`<${Row} key=${run.id} run=${run} chosen=${chosen.includes(run.id)} onChoose=${onChoose} actions=${actions} />`)}</tbody>
  </table>`;
}

function Row({ run, chosen, onChoose, actions }) {
  return html`<tr class=${chosen ? "chosen" : ""}>
    <td class="choose"><input type="checkbox" checked=${chosen} onChange=${() => onChoose(run.id)} aria-label=${`Compare: ${run.title}`} /></td>
    <th scope="row" class="title"><span class="verb">${verbOf(run)}</span> <a href=${addressOf(run)}>${run.title || "(no title)"}</a></th>
    <td data-label="State"><${State} run=${run} /></td>
    <td data-label="Verdict"><${Verdict} run=${run} /></td>
    <td data-label="Cost" class="numbers">${run.usage ? html`<span class="line">${count(tokensOf(run.usage), "token")},</span> <span class="line">${seconds(run.usage.seconds)}</span>` : html`<span class="muted">–</span>`}</td>
    <td data-label="When"><time datetime=${run.created}>${when(run.created)}</time></td>
    <td class="actions">
      <a class="button quiet" href=${href("runs", [run.id])} aria-label=${`Trace of ${run.title}`}>Trace</a>
      ${isBusy(run)
        ? html`<${Cancel} run=${run} onCancel=${actions.cancel} />`
        : html`<${Delete} run=${run} onDelete=${actions.remove} />`}
    </td>
  </tr>`;
}

// A run ends at its next step, so it may go on for a moment.
function Cancel({ run, onCancel }) {
  const [asked, setAsked] = useState(false);
  const press = () => (setAsked(true), onCancel(run.id));
  return html`<${Button} kind="quiet" busy=${asked} onClick=${press} aria-label=${`Cancel ${run.title}`}>${asked ? "Cancelling…" : "Cancel"}<//>`;
}

// Deleting needs a second press; the focus goes with it.
function Delete({ run, onDelete }) {
  const [asked, setAsked] = useState(false);
  const second = useRef(null);
  useEffect(() => void (asked && second.current.focus()), [asked]);
  if (!asked) return html`<${Button} kind="quiet" onClick=${() => setAsked(true)} aria-label=${`Delete ${run.title}`}>Delete<//>`;
  return html`<span class="confirm" role="group" aria-label=${`Delete ${run.title}?`}>
    <button type="button" class="button danger" ref=${second} onClick=${() => onDelete(run.id)}>Delete for good</button>
    <${Button} kind="quiet" onClick=${() => setAsked(false)}>Keep<//>
  </span>`;
}
