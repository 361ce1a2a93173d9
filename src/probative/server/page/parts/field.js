// A labelled control: <${Field} label="Question" hint="…" error=${text}>${(id, described) => html`<input id=${id} aria-describedby=${described} />`}<//>
import { html, useId } from "../preact.js";

export function Field({ label, hint = null, error = null, children }) {
  const id = useId();
  const described = hint || error ? `${id}-hint` : null;
  const control = Array.isArray(children) ? children[0] : children;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${control(id, described)}
    ${described && html`<p class=${error ? "hint wrong" : "hint"} id=${described}>${error ?? hint}</p>`}
  </div>`;
}

// Enter sends the form of a text area, Shift+Enter starts a new line.
export function sendOnEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.currentTarget.form.requestSubmit();
}
