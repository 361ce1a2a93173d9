// The threads of the history, last changed first; one that was deleted can be had back for a day.
import { get, post, remove, threadPath } from "../../api.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { ErrorBox } from "../../parts/error_box.js";
import { count, when } from "../../parts/format.js";
import { html, useCallback, useEffect, useState } from "../../preact.js";
import { href } from "../../router.js";

const SHOWN = 5;

export function Threads({ onChange }) {
  const [threads, setThreads] = useState([]);
  const [error, setError] = useState(null);
  const [all, setAll] = useState(false);
  const read = useCallback(() => get("/api/threads").then((found) => (setThreads(found.threads), setError(null)), setError), []);
  useEffect(() => void read(), []);
  // The runs of a deleted thread are not listed.
  const act = (request) => request.then(() => (read(), onChange()), setError);
  if (!threads.length) return html`<${ErrorBox} error=${error} />`;
  return html`<section class="stack tight" aria-labelledby="threads-heading">
    <h2 id="threads-heading">Threads</h2>
    <${ErrorBox} error=${error} />
    <ul class="threads">${threads.slice(0, all ? threads.length : SHOWN).map((thread) => html`<li key=${thread.id}>
      <span class="thread-name">${thread.deleted ? html`<s>${thread.name}</s>` : html`<a href=${href("thread", [thread.id])}>${thread.name}</a>`}</span>
      <span class="muted small">${thread.deleted ? "deleted" : count(thread.turns, "question")}, <time datetime=${thread.changed}>${when(thread.changed)}</time></span>
      ${thread.deleted
        ? html`<${Button} kind="quiet" onClick=${() => act(post(threadPath(thread.id, "/restore"), {}))} aria-label=${`Undo: ${thread.name}`}>Undo<//>`
        : html`<${Confirm} label=${`Delete the thread “${thread.name}”`} sure="Delete the thread" onConfirm=${() => act(remove(threadPath(thread.id)))}>Delete<//>`}
    </li>`)}</ul>
    ${threads.length > SHOWN && !all && html`<div><${Button} kind="quiet" onClick=${() => setAll(true)}>Show all ${count(threads.length, "thread")}<//></div>`}
    ${threads.some((thread) => thread.deleted) && html`<p class="muted small">A deleted thread can be had back for a day.</p>`}
  </section>`;
}
