// A button that needs a second press, and not a double click; the focus goes with it, and back if nothing is to be done.
// <${Confirm} label="Delete the harbour" sure="Delete for good" onConfirm=${remove}>Delete<//>
import { html, useLayoutEffect, useRef, useState } from "../preact.js";
import { Button } from "./button.js";

export function Confirm({ label, sure, onConfirm, children }) {
  const [asked, setAsked] = useState(null);
  const buttons = useRef(null);
  useLayoutEffect(() => void (asked !== null && buttons.current.querySelector("button").focus()), [asked]);
  return html`<span ref=${buttons}>${asked
    ? html`<span class="confirm" role="group" aria-label=${`${label}?`}>
      <button type="button" class="button danger" onClick=${(event) => event.detail < 2 && onConfirm(event)}>${sure}</button>
      <${Button} kind="quiet" onClick=${() => setAsked(false)}>Keep<//></span>`
    : html`<${Button} kind="quiet" onClick=${() => setAsked(true)} aria-label=${label}>${children}<//>`}</span>`;
}
