// A thread: questions that follow one another, each with its own evidence and verdict. "#/thread/ID"
import { askInThread, download, get, patch, post, remove, threadPath } from "../api.js";
import { Button } from "../parts/button.js";
import { Confirm } from "../parts/confirm.js";
import { ErrorBox } from "../parts/error_box.js";
import { Field } from "../parts/field.js";
import { count, when } from "../parts/format.js";
import { CopyLink } from "../parts/run_bar.js";
import { html, useCallback, useEffect, useRef, useState } from "../preact.js";
import { href } from "../router.js";
import { FollowUp } from "./ask/follow_up.js";
import { Turn } from "./ask/turn.js";

export default function ThreadView({ params, info }) {
  const [id = ""] = params;
  const { thread, error, reload, act } = useThread(id);
  const [busy, setBusy] = useState(false);
  const ask = async (request, insteadOf = null) => {
    await askInThread(id, request, insteadOf);
    await reload();
  };
  const askInstead = (question, run) => ask({ ...run.request, question, history: [] }, run.id);
  if (!thread) return html`<h1>Thread</h1>${error ? html`<${ErrorBox} error=${error} />` : html`<p class="muted" role="status">Loading…</p>`}`;
  const last = thread.runs.at(-1);
  return html`<div class="stack wide">
    <${Head} thread=${thread} act=${act} />
    <${ErrorBox} error=${error} />
    ${thread.deleted && html`<div class="notice"><p role="status">This thread is deleted. Until ${when(undoneUntil(thread))} that can be undone.</p>
      <${Button} onClick=${() => act(post(threadPath(id, "/restore"), {}))}>Undo<//></div>`}
    <ol class="turns">${thread.runs.map((run, index) => html`<li key=${run.id}>
      <${Turn} run=${run} number=${index + 1} ask=${askInstead} onBusy=${run === last ? setBusy : nothing} /></li>`)}</ol>
    ${last && !thread.deleted && html`<${FollowUp} request=${last.request} info=${info} ask=${(request) => ask(request)} busy=${busy} />`}
  </div>`;
}

const nothing = () => undefined;
const DAY_MS = 86_400_000;
const undoneUntil = (thread) => new Date(Date.parse(thread.deleted) + DAY_MS).toISOString();

// A thread with its runs: {thread, error, reload, act}; `act` waits for a request that changes it.
function useThread(id) {
  const [thread, setThread] = useState(null);
  const [error, setError] = useState(null);
  const reload = useCallback(() => get(threadPath(id)).then((found) => (setThread(found), setError(null)), setError), [id]);
  useEffect(() => {
    setThread(null);
    reload();
  }, [reload]);
  const act = useCallback((request) => request.then(reload, setError), [reload]);
  return { thread, error, reload, act };
}

function Head({ thread, act }) {
  const path = threadPath(thread.id);
  return html`<div class="view-head">
    <${Name} thread=${thread} onRename=${(name) => act(patch(path, { name }))} />
    <p class="muted">${count(thread.turns, "question")}, begun <time datetime=${thread.created}>${when(thread.created)}</time>. <a href=${href("ask")}>Ask something new</a></p>
    <div class="actions">
      <${CopyLink} address=${href("thread", [thread.id])} />
      <${Download} thread=${thread} kind="md" title="Markdown" />
      <${Download} thread=${thread} kind="json" title="JSON" />
      ${!thread.deleted && html`<${Confirm} label=${`Delete the thread “${thread.name}”`} sure="Delete the thread" onConfirm=${() => act(remove(path))}>Delete<//>`}
    </div>
  </div>`;
}

function Download({ thread, kind, title }) {
  const [error, setError] = useState(null);
  const save = () => download(threadPath(thread.id, `/export.${kind}`), `thread-${thread.id}.${kind}`).then(() => setError(null), setError);
  return html`<${Button} onClick=${save} aria-label=${`Download the thread as ${title}`}>${title}<//>${error && html`<${ErrorBox} error=${error} />`}`;
}

function Name({ thread, onRename }) {
  const [name, setName] = useState(null);
  const form = useRef(null);
  const opener = useRef(null);
  const isOpen = name !== null;
  useEffect(() => void (isOpen && form.current.querySelector("input").select()), [isOpen]);
  const close = () => {
    setName(null);
    requestAnimationFrame(() => opener.current?.querySelector("button")?.focus());
  };
  const submit = async (event) => {
    event.preventDefault();
    if (name.trim() && name.trim() !== thread.name) await onRename(name.trim());
    close();
  };
  return html`<div class="row" ref=${opener}><h1>${thread.name}</h1>${!isOpen && !thread.deleted && html`<${Button} kind="quiet" onClick=${() => setName(thread.name)}>Rename<//>`}</div>
    ${isOpen && html`<form class="row rename" ref=${form} onSubmit=${submit} onKeyDown=${(event) => event.key === "Escape" && close()}>
      <${Field} label="Name of the thread">${(id) => html`<input id=${id} maxlength="160" required value=${name} onInput=${(event) => setName(event.currentTarget.value)} />`}<//>
      <${Button} type="submit">Save<//><${Button} kind="quiet" onClick=${close}>Cancel<//>
    </form>`}`;
}
