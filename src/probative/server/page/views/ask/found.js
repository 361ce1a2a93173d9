// What a question has found so far, while models work: passages, then the chosen ones, then a candidate.
import { useNumber } from "../../parts/numbered.js";
import { html, useId } from "../../preact.js";

export function Found({ live }) {
  const number = useNumber();
  const heading = useId();
  const { passages = [], chain = [], candidate = [] } = live.found;
  const shown = chain.length ? chain : passages;
  if (!live.busy || shown.length + candidate.length === 0) return null;
  return html`<section class="stack found" aria-labelledby=${heading}>
    <h2 id=${heading}>Found so far<span class="hidden">${number}</span></h2>
    <p class="muted">Nothing of this is checked yet.</p>
    ${candidate.map(({ text }) => html`<p class="candidate" key=${text}>${text}</p>`)}
    <h3>${chain.length ? "Chosen passages" : "Passages"}</h3>
    <ul>${shown.map(({ text, title, source }) => html`
      <li key=${`${source}\n${text}`}>${title && html`<strong>${title}</strong>`}<span>${text}</span>${source && html`<span class="muted">${source}</span>`}</li>`)}
    </ul>
  </section>`;
}
