// The checked text with its claims marked, and the same claims as a list.
import { VERDICTS, VerdictBadge } from "../../parts/verdict_badge.js";
import { html, useMemo } from "../../preact.js";
import { passes, segmentsOf, unwrapped } from "./segments.js";

// Claims that the filter leaves out are faded; what was not checked says why.
// `address(number)` is the address of a claim, `choose(number, event)` is called when one is clicked.
export function CheckedText({ text, unchecked, ...shown }) {
  const words = useMemo(() => unwrapped(text), [text]);
  return html`<div class="checked-text">
    ${segmentsOf(words, shown.claims, unchecked).map((segment) => {
      if (segment.numbers) return html`<${Mark} key=${segment.start} segment=${segment} ...${shown} />`;
      if (segment.citation) return html`<${Cited} key=${segment.start} text=${segment.text} citation=${segment.citation} />`;
      if (segment.reason) return html`<span key=${segment.start} class="unchecked" title=${`Not checked: ${segment.reason}`}>${segment.text}</span>`;
      return html`<span key=${segment.start}>${segment.text}</span>`;
    })}
  </div>`;
}

function Mark({ segment, claims, selected, filter, address, choose }) {
  const number = segment.numbers.includes(selected) ? selected : segment.numbers[0];
  const { verdict, judged } = claims[number - 1];
  const { sign, word, css } = VERDICTS[verdict];
  const shown = segment.numbers.some((other) => passes(claims[other - 1], filter));
  return html`<a class="claim ${css} ${shown ? "" : "faded"}" href=${address(number)} data-claim=${number}
    aria-current=${number === selected ? "true" : null} onClick=${(event) => choose(number, event)}>${segment.text}<span
    class="hidden"> (claim ${number}: ${judged ? word : "not judged"})</span><sup aria-hidden="true">${sign}${number}</sup></a>`;
}

const SAYS = { supported: "its source says so", contradicted: "its source says otherwise", insufficient: "its source does not say so" };

// A citation of the text, with what its source says about the claim.
function Cited({ text, citation }) {
  const { sign, css } = VERDICTS[citation.verdict] ?? { sign: "?", css: "insufficient" };
  const said = SAYS[citation.verdict] ?? citation.note;
  return html`<span class="cited ${css}" title=${said}>${text}<span aria-hidden="true">${sign}</span><span class="hidden"> (${said})</span></span>`;
}

// The claims that pass the filter, below each other.
export function ClaimList({ claims, numbers, selected, address, choose }) {
  if (!numbers.length) return html`<p class="muted">No claim to show.</p>`;
  return html`<ol class="claim-list">${numbers.map((number) => html`<li key=${number}>
    <a href=${address(number)} data-claim=${number} aria-current=${number === selected ? "true" : null} onClick=${(event) => choose(number, event)}>
      <span class="number">${number}</span><span class="claim-words">${claims[number - 1].text}</span><${VerdictBadge} verdict=${claims[number - 1].verdict} />
    </a></li>`)}</ol>`;
}
