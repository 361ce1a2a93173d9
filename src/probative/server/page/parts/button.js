// A button. kind: "primary" (one a view), "plain", "quiet" (looks like a link) or "danger".
import { html } from "../preact.js";

export function Button({ kind = "plain", type = "button", busy = false, children, ...rest }) {
  return html`<button type=${type} class="button ${kind}" aria-busy=${busy ? "true" : null} aria-disabled=${busy ? "true" : null} ...${rest} onClick=${busy ? refuse : rest.onClick}>${children}</button>`;
}

// A busy button is not `disabled`: it would lose the keyboard's focus.
const refuse = (event) => event.preventDefault();

// A link that looks like a button.
export function ButtonLink({ kind = "plain", children, ...rest }) {
  return html`<a class="button ${kind}" ...${rest}>${children}</a>`;
}
