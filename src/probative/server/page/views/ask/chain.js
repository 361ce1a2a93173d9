// The chain of evidence drawn as three columns with lines: what the question asks for, evidence, answer.
import { percent } from "../../parts/format.js";
import { levelOf } from "../../parts/verdict_badge.js";
import { html, useLayoutEffect, useMemo, useRef, useState } from "../../preact.js";
import { answerText, givenIn } from "./answer.js";
import { Cite, label, leadingOf } from "./evidence.js";
import { featuresOf, isOverruled } from "./features.js";

export function Chain({ result, evidence }) {
  const features = useMemo(() => featuresOf(result), [result]);
  if (!result.chain.length) return null;
  const heading = features.length ? "The chain of evidence" : "The passages that were read";
  return html`<section class="stack" aria-labelledby="chain-heading">
    <h2 id="chain-heading">${heading}</h2>
    ${features.length > 0 && html`<p class="lead">${summary(features)}</p>`}
    <${Drawing} result=${result} features=${features} evidence=${evidence} />
    ${features.length > 0 && html`<${List} result=${result} features=${features} />`}
  </section>`;
}

function summary(features) {
  const carried = features.filter((feature) => feature.carriers.length).length;
  if (carried === features.length) return "Everything the question asks for is carried by a passage of the chain.";
  return isOverruled(features)
    ? `The evidence model judges the chain complete. ${features.length - carried} of the ${features.length} things that the question asks for are not in it in the same words.`
    : `The chain carries ${carried} of the ${features.length} things that the question asks for.`;
}

// What a passage is for the answer: "cited", "leads" to what is cited, or only "read".
function roleOf(result, passage) {
  if (result.citations.includes(passage.index)) return "cited";
  return leadingOf(result).some((lead) => lead.index === passage.index) ? "leads" : "read";
}

// Lines are drawn from the places that the boxes really have; they follow a change of width.
function Drawing({ result, features, evidence }) {
  const frame = useRef(null);
  const [lines, setLines] = useState([]);
  const [active, setActive] = useState(null);
  const against = useMemo(() => sidesAgainst(result), [result]);
  const links = useMemo(() => linksOf(result, features, against), [result, features, against]);
  useLayoutEffect(() => {
    const draw = () => setLines(linesOf(frame.current, links));
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [links]);
  const watch = (id) => ({ onMouseEnter: () => setActive(id), onMouseLeave: () => setActive(null), onFocusIn: () => setActive(id), onFocusOut: () => setActive(null) });
  const state = (id) => (active === null ? "" : active === id || links.some((link) => touches(link, active) && touches(link, id)) ? "lit" : "dim");
  return html`<div class="chain ${levelOf(result).css} ${features.length ? "" : "plain"}" ref=${frame}>
    <svg class="lines" aria-hidden="true">${lines.map((line) => html`
      <path key=${line.id} d=${line.path} class="line ${line.kind} ${active === null ? "" : touches(line, active) ? "lit" : "dim"}" />`)}
    </svg>
    ${features.length > 0 && html`<div class="chain-column"><h3>The question asks for</h3>
      <ul>${features.map((feature) => html`<li key=${feature.name} data-node=${`f:${feature.name}`} class="node feature ${feature.missing ? "missing" : feature.unmatched ? "unmatched" : ""} ${state(`f:${feature.name}`)}" ...${watch(`f:${feature.name}`)}>
        <span class="node-kind">${feature.words}${feature.missing && html` <strong>missing</strong>`}${feature.unmatched && " · not in these words"}</span><span>${feature.text}</span></li>`)}
      </ul></div>`}
    <div class="chain-column"><h3>Evidence</h3>
      <ul>${result.chain.map((passage) => html`<li key=${passage.index} data-node=${`p:${passage.index}`} class="node passage ${roleOf(result, passage)} ${state(`p:${passage.index}`)}" ...${watch(`p:${passage.index}`)}>
        <span class="node-kind"><${Cite} id=${`passage-${passage.index}`} index=${passage.index} evidence=${evidence} /> ${passage.title ?? passage.source ?? ""}</span>
        <span class="node-text">${passage.text}</span>
        ${passage.carries.length > 0 && html`<span class="node-carries">Carries: ${passage.carries.map((name) => name.replace(/^[a-z]+: /, "")).join("; ")}</span>`}</li>`)}
        ${against.map((side) => html`<li key=${side.id} data-node=${side.id} class="node against ${state(side.id)}" ...${watch(side.id)}>
          <span class="node-kind"><${Cite} id=${side.place} index=${side.index} evidence=${evidence} /> <strong>says something else: ${side.says}</strong></span>
          <span class="node-text">${side.text}</span></li>`)}
      </ul></div>
    <div class="chain-column"><h3>Answer</h3>
      <ul><li data-node="answer" class="node answer-node ${levelOf(result).css} ${state("answer")}" ...${watch("answer")}>
        <span class="node-kind"><span aria-hidden="true">${levelOf(result).sign}</span> ${levelOf(result).word}</span>
        <span class="node-answer">${answerText(result) ?? "No answer"}</span></li>
      </ul></div>
  </div>
  ${lines.length > 0 && html`<${Legend} kinds=${new Set(lines.map((line) => line.kind))} result=${result} />`}`;
}

// What the lines mean; only those that are drawn.
const linesFor = (what) => [
  ["carries", "the passage carries this part of the question"],
  ["cited", `${what} rests on this passage`],
  ["leads", `leads to the passage that ${what} rests on`],
  ["read", "read, but not cited"],
  ["against", "says something else"],
];

function Legend({ kinds, result }) {
  const shown = linesFor(givenIn(result) === null ? "the guess" : "the answer").filter(([kind]) => kinds.has(kind));
  return html`<ul class="legend ${levelOf(result).css}" aria-label="What the lines mean">${shown.map(([kind, words]) => html`
    <li key=${kind}><svg width="36" height="10" viewBox="0 0 36 10" aria-hidden="true" focusable="false"><path class="line ${kind}" d="M0 5H36" /></svg>${words}</li>`)}
  </ul>`;
}

const touches = (link, id) => link.from === id || link.to === id;

// The sides of contradictions that are not in the chain themselves.
function sidesAgainst(result) {
  const inChain = new Set(result.chain.map((passage) => passage.index));
  const sides = result.conflicts.flatMap((conflict, number) => [
    { id: `c:${number}a`, place: `conflict-${number}-a`, index: conflict.index, says: conflict.says, text: conflict.text },
    { id: `c:${number}b`, place: `conflict-${number}-b`, index: conflict.other, says: conflict.instead, text: conflict.other_text },
  ]);
  return sides.filter((side) => !inChain.has(side.index));
}

// Which box carries what: features to passages, passages to the answer; and what stands against it.
function linksOf(result, features, against) {
  const carried = features.flatMap((feature) => feature.carriers.map((index) => ({ from: `f:${feature.name}`, to: `p:${index}`, kind: "carries" })));
  const rests = result.chain.map((passage) => ({ from: `p:${passage.index}`, to: "answer", kind: roleOf(result, passage) }));
  const denied = against.map((side) => ({ from: side.id, to: "answer", kind: "against" }));
  return [...carried, ...rests, ...denied].map((link) => ({ ...link, id: `${link.from} ${link.to}` }));
}

function linesOf(frame, links) {
  const origin = frame.getBoundingClientRect();
  const boxes = new Map([...frame.querySelectorAll("[data-node]")].map((box) => [box.dataset.node, box.getBoundingClientRect()]));
  return links.flatMap((link) => {
    const from = boxes.get(link.from);
    const to = boxes.get(link.to);
    // Below each other (on a phone) there is no room for lines.
    if (!from || !to || to.left < from.right) return [];
    const [x1, y1, x2, y2] = [from.right - origin.left, from.top + from.height / 2 - origin.top, to.left - origin.left, to.top + to.height / 2 - origin.top];
    const bend = (x2 - x1) / 2;
    return [{ ...link, path: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }];
  });
}

function roleInWords(result, passage) {
  const role = roleOf(result, passage);
  if (role === "cited") return givenIn(result) === null ? "The guess rests on it." : "The answer rests on it.";
  const lead = leadingOf(result).find((other) => other.index === passage.index);
  return lead ? `It leads there: “${lead.text}”` : "It was read, but is not cited.";
}

function List({ result, features }) {
  const found = new Map(features.map((feature) => [feature.name, feature]));
  const text = (name) => (found.has(name) ? `${found.get(name).text} (${found.get(name).words})` : name);
  const missing = features.filter((feature) => feature.missing);
  const unmatched = features.filter((feature) => feature.unmatched);
  return html`<details class="chain-list"><summary>The chain as a list</summary>
    <ol>${result.chain.map((passage) => html`<li key=${passage.index}>
      <strong>${label(passage.index)} ${passage.title ?? passage.source ?? ""}</strong> carries: ${passage.carries.map(text).join("; ") || "nothing that the question asks for"}.
      <span>${` ${roleInWords(result, passage)}`}</span>
      ${passage.probability !== null && html` <span class="muted">Taken with ${percent(passage.probability)}.</span>`}</li>`)}
    </ol>
    ${missing.length > 0 && html`<p>Missing: ${missing.map((feature) => feature.text).join("; ")}.</p>`}
    ${unmatched.length > 0 && html`<p>Not in these words: ${unmatched.map((feature) => feature.text).join("; ")}.</p>`}
    <p>Answer: ${givenIn(result) ?? "none"} (${levelOf(result).word.toLowerCase()}).</p>
  </details>`;
}
