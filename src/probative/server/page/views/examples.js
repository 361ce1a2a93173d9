// Ready-made requests of a verb, each started with one click: <${Examples} verb="verify" info onChoose=${(request) => …} />
import { Button } from "../parts/button.js";
import { html } from "../preact.js";

export function Examples({ verb, info, onChoose }) {
  const examples = info.examples.filter((example) => example.verb === verb);
  if (!examples.length) return null;
  return html`<section class="stack tight">
    <h2>Try an example</h2>
    <div class="row">${examples.map((example) => html`<${Button} key=${example.label} onClick=${() => onChoose(example.request)}>${example.label}<//>`)}</div>
  </section>`;
}
