// What a corpus has, counted and listed without a model: <${Contents} corpus="minutes" />
import { get } from "../api.js";
import { html, useEffect, useId, useState } from "../preact.js";
import { href } from "../router.js";
import { ErrorBox } from "./error_box.js";
import { whole } from "./format.js";

const folded = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");

// Whether a question is one that the contents of a corpus answer: "what is in here" → true.
export const asksForContents = (text, info) => info.contents_questions.some((question) => folded(question) === folded(text));

export function Contents({ corpus }) {
  const [contents, setContents] = useState(null);
  const [error, setError] = useState(null);
  const heading = useId();
  useEffect(() => {
    const stop = new AbortController();
    setContents(null);
    get(`/api/corpora/${encodeURIComponent(corpus)}/contents`, { signal: stop.signal }).then(setContents, (problem) => stop.signal.aborted || setError(problem));
    return () => stop.abort();
  }, [corpus]);
  if (error) return html`<${ErrorBox} error=${error} />`;
  if (!contents) return html`<p class="muted" role="status">Counting…</p>`;
  const more = contents.documents - contents.listed.length;
  return html`<section class="panel contents" aria-labelledby=${heading}>
    <h2 id=${heading}>What is in “${corpus}”</h2>
    <p role="status">${contents.figures}</p>
    <p>You can ask questions of fact about these documents. An answer comes with the sentences that prove it; where they do not settle it, you are told what is missing.</p>
    <ul>${contents.listed.map(({ source, date }) => html`<li key=${source}><a href=${href("document", [corpus], { source })}>${source}</a>${date && html` <span class="muted">${date}</span>`}</li>`)}</ul>
    ${more > 0 && html`<p class="muted">and ${whole(more)} more</p>`}
  </section>`;
}
