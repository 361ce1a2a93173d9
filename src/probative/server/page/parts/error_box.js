// An error of the server or of a run, with its hint: <${ErrorBox} error=${error} onRetry=${again} />
import { html } from "../preact.js";
import { Button } from "./button.js";

export function ErrorBox({ error, onRetry = null }) {
  if (!error) return null;
  const queue = error.queue;
  return html`<div class="notice wrong" role="alert">
    <p><strong>${error.message ?? String(error)}</strong></p>
    ${error.hint && html`<p>${error.hint}</p>`}
    ${queue && html`<p>${queue.running} running, ${queue.waiting} waiting, at most ${queue.limit} may wait.</p>`}
    ${onRetry && html`<${Button} onClick=${onRetry}>Try again<//>`}
  </div>`;
}
