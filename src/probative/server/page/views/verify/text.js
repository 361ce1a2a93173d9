// The checked text with its claims marked, and the same claims as a list.
import { Nodes, withParts } from "../../parts/blocks.js";
import { hasBlocks, markdownNodes } from "../../parts/markdown.js";
import { VERDICTS, VerdictBadge } from "../../parts/verdict_badge.js";
import { html, useMemo } from "../../preact.js";
import { passes, segmentsOf, unwrapped } from "./segments.js";

// Claims that the filter leaves out are faded; what was not checked says why.
// `address(number)` is the address of a claim, `choose(number, event)` is called when one is clicked.
export function CheckedText({ text, unchecked, ...shown }) {
  const isMarkdown = useMemo(() => MARKED.test(text) || hasBlocks(text), [text]);
  const words = useMemo(() => (isMarkdown ? text : unwrapped(text)), [text]);
  const segments = segmentsOf(words, shown.claims, unchecked);
  if (!isMarkdown) return html`<div class="checked-text">${segments.map((segment) => html`<${Segment} key=${segment.start} segment=${segment} ...${shown} />`)}</div>`;
  return html`<div class="checked-text markdown"><${Rendered} text=${text} segments=${segments} shown=${shown} /></div>`;
}

const MARKED = /\*\*|__|`|\]\(|(?:^|\s)[*_]\S/;

// Markdown with the claims in its leaves; the sign of a claim stands behind the last piece of it.
function Rendered({ text, segments, shown }) {
  const nodes = useMemo(() => markdownNodes(text, { start: 0, end: text.length }, 3), [text]);
  const last = new Map();
  let first = 0; // leaves come in the order of the text
  const pieces = withParts(nodes, text, ({ start, end }) => {
    while (first < segments.length - 1 && segments[first].start + segments[first].text.length <= start) first += 1;
    const parts = [];
    for (let at = first; at < segments.length && segments[at].start < end; at += 1) {
      const segment = segments[at];
      const [from, to] = [Math.max(start, segment.start), Math.min(end, segment.start + segment.text.length)];
      const part = { ...segment, text: text.slice(from, to), goesOn: false, claimsShown: shown };
      if (last.has(segment)) last.get(segment).goesOn = true;
      last.set(segment, part);
      parts.push(part);
    }
    return parts;
  });
  return html`<${Nodes} nodes=${pieces} Draw=${Part} />`;
}

const Part = ({ part }) => html`<${Segment} segment=${part} ...${part.claimsShown} />`;

function Segment({ segment, ...shown }) {
  if (segment.numbers) return html`<${Mark} segment=${segment} ...${shown} />`;
  if (segment.citation) return html`<${Cited} text=${segment.text} citation=${segment.citation} goesOn=${segment.goesOn} />`;
  if (segment.reason) return html`<span class="unchecked" title=${`Not checked: ${segment.reason}`}>${segment.text}</span>`;
  return html`<span>${segment.text}</span>`;
}

function Mark({ segment, claims, selected, filter, address, choose }) {
  const number = segment.numbers.includes(selected) ? selected : segment.numbers[0];
  const { verdict, judged } = claims[number - 1];
  const { sign, word, css } = VERDICTS[verdict];
  const shown = segment.numbers.some((other) => passes(claims[other - 1], filter));
  return html`<a class="claim ${css} ${shown ? "" : "faded"}" href=${address(number)} data-claim=${number}
    aria-current=${number === selected ? "true" : null} onClick=${(event) => choose(number, event)}>${segment.text}${!segment.goesOn && html`<span
    class="hidden"> (claim ${number}: ${judged ? word : "not judged"})</span><sup aria-hidden="true">${sign}${number}</sup>`}</a>`;
}

const SAYS = { supported: "its source says so", contradicted: "its source says otherwise", insufficient: "its source does not say so" };

// A citation of the text, with what its source says about the claim.
function Cited({ text, citation, goesOn = false }) {
  const { sign, css } = VERDICTS[citation.verdict] ?? { sign: "?", css: "insufficient" };
  const said = SAYS[citation.verdict] ?? citation.note;
  return html`<span class="cited ${css}" title=${said}>${text}${!goesOn && html`<span aria-hidden="true">${sign}</span><span class="hidden"> (${said})</span>`}</span>`;
}

// The claims that pass the filter, below each other.
export function ClaimList({ claims, numbers, selected, address, choose }) {
  if (!numbers.length) return html`<p class="muted">No claim to show.</p>`;
  return html`<ol class="claim-list">${numbers.map((number) => html`<li key=${number}>
    <a href=${address(number)} data-claim=${number} aria-current=${number === selected ? "true" : null} onClick=${(event) => choose(number, event)}>
      <span class="number">${number}</span><span class="claim-words">${claims[number - 1].text}</span><${VerdictBadge} verdict=${claims[number - 1].verdict} />
    </a></li>`)}</ol>`;
}
