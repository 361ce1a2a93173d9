// Tabs with the arrow keys: <${Tabs} label="Source" tabs=${[{id, title}]} current=${id} onChange=${set}>${panel}<//>
import { html, useId, useRef } from "../preact.js";

const MOVES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function Tabs({ label, tabs, current, onChange, children }) {
  const base = useId();
  const list = useRef(null);
  const move = (event) => {
    const step = MOVES[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === current);
    const next = (at + step + tabs.length) % tabs.length;
    onChange(tabs[next].id);
    list.current.children[next].focus();
  };
  return html`<div class="tabs">
    <div class="tablist" role="tablist" aria-label=${label} ref=${list} onKeyDown=${move}>
      ${tabs.map((tab) => html`<button key=${tab.id} type="button" role="tab" id="${base}-${tab.id}" aria-controls="${base}-panel"
        aria-selected=${tab.id === current ? "true" : "false"} tabindex=${tab.id === current ? 0 : -1}
        onClick=${() => onChange(tab.id)}>${tab.title}</button>`)}
    </div>
    <div class="tabpanel" role="tabpanel" id="${base}-panel" aria-labelledby="${base}-${current}">${children}</div>
  </div>`;
}
