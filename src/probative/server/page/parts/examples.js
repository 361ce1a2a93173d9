// Ready-made requests of a verb, each started with one click:
// <${Examples} verb="verify" info=${info} words=${(request) => request.text} more=${{ options: {} }} />
// - words: what a request is shown by; more: further fields of each request, or a function that gives them when one starts
import { startRun } from "../api.js";
import { html, useState } from "../preact.js";
import { href, navigate } from "../router.js";
import { ErrorBox } from "./error_box.js";

export function Examples({ verb, info, words, more = {} }) {
  const [error, setError] = useState(null);
  const examples = info.examples.filter((example) => example.verb === verb);
  if (!examples.length) return null;
  const start = (request) => startRun(verb, { ...request, ...(typeof more === "function" ? more() : more) }).then((run) => navigate(href(verb, [run.id])), setError);
  return html`<section class="stack" aria-labelledby="examples">
    <h2 id="examples">Or try an example</h2>
    <ul class="examples">${examples.map((example, index) => html`<li key=${index}>
      <button type="button" class="example" onClick=${() => start(example.request)}>
        <span class="example-label">${example.label}</span><span class="example-question">${words(example.request)}</span>
      </button></li>`)}
    </ul>
    <${ErrorBox} error=${error} />
  </section>`;
}
