// The notes of a result (what a reader should know about it): <${Notes} notes=${result.notes} />
import { html } from "../preact.js";

export function Notes({ notes, title = "Notes" }) {
  if (!notes?.length) return null;
  return html`<section class="notes">
    <h3>${title}</h3>
    <ul>${notes.map((note, index) => html`<li key=${index}>${note}</li>`)}</ul>
  </section>`;
}
