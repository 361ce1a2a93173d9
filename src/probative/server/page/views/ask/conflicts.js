// Passages that say different things, both sides; and the values of a computed answer.
import { useNumber } from "../../parts/numbered.js";
import { html, useId } from "../../preact.js";
import { Cite, label } from "./evidence.js";

export function Conflicts({ result, evidence }) {
  const heading = useId();
  const number = useNumber();
  if (!result.conflicts.length) return null;
  return html`<section class="stack" aria-labelledby=${heading}>
    <h2 id=${heading}>What contradicts<span class="hidden">${number}</span></h2>
    ${result.conflicts.map((conflict, number) => html`<div key=${number} class="contradiction stack tight">
      <div class="sides">
        <${Side} id=${`conflict-${number}-a`} index=${conflict.index} says=${conflict.says} text=${conflict.text} evidence=${evidence} />
        <span class="versus" aria-hidden="true">≠</span>
        <${Side} id=${`conflict-${number}-b`} index=${conflict.other} says=${conflict.instead} text=${conflict.other_text} evidence=${evidence} />
      </div>
      ${conflict.kind === "replaced" && html`<p>${label(conflict.in_force)} is in force: ${conflict.reason}.</p>`}
      <p class="muted small">${conflict.blocking ? "It concerns what is asked, so no answer is given." : "It did not change the verdict. Look at both before you rely on the answer."}</p>
    </div>`)}
  </section>`;
}

function Side({ id, index, says, text, evidence }) {
  return html`<div class="side">
    <p><${Cite} id=${id} index=${index} evidence=${evidence} /> says <strong>${says}</strong></p>
    <q>${text}</q>
  </div>`;
}

export function Computation({ result, evidence }) {
  const { computation } = result;
  const heading = useId();
  const number = useNumber();
  if (!computation) return null;
  return html`<section class="stack" aria-labelledby=${heading}>
    <h2 id=${heading}>How it was computed<span class="hidden">${number}</span></h2>
    <p><strong>${computation.rule}</strong></p>
    <div class="scroll-x"><table>
      <thead><tr><th scope="col">Of</th><th scope="col">What</th><th scope="col">Value</th><th scope="col">Where</th></tr></thead>
      <tbody>${computation.values.map((value, number) => html`<tr key=${number}>
        <td>${value.name}</td><td>${value.attribute}</td><td>${value.value ?? html`<span class="muted">not given</span>`}</td>
        <td>${value.index !== null && html`<${Cite} id=${`passage-${value.index}`} index=${value.index} evidence=${evidence} words=${label(value.index)} />`} ${value.sentence}</td>
      </tr>`)}</tbody>
    </table></div>
  </section>`;
}
