// The chain of evidence drawn as three columns with lines: what the question asks for, evidence, answer.
import { percent } from "../../parts/format.js";
import { characters, pieces, slice } from "../../parts/text.js";
import { levelOf } from "../../parts/verdict_badge.js";
import { html, useLayoutEffect, useMemo, useRef, useState } from "../../preact.js";
import { answerText, givenIn, readBy } from "./answer.js";
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
  if ([...result.citations, ...result.cited.map((each) => each.index)].includes(passage.index)) return "cited";
  return leadingOf(result).some((lead) => lead.index === passage.index) ? "leads" : "read";
}

// Lines are drawn from the places that the boxes really have; they follow a change of width.
function Drawing({ result, features, evidence }) {
  const frame = useRef(null);
  const [lines, setLines] = useState([]);
  const [active, setActive] = useState(null);
  const against = useMemo(() => sidesAgainst(result), [result]);
  const bridges = useMemo(() => bridgesOf(result), [result]);
  const links = useMemo(() => linksOf(result, features, against, bridges), [result, features, against, bridges]);
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
        <span class="node-kind"><${Cite} id=${`passage-${passage.index}`} index=${passage.index} evidence=${evidence} /> ${[passage.title ?? passage.source, readBy(passage)].filter(Boolean).join(" · ")}</span>
        <${Excerpt} passage=${passage} result=${result} />
        ${bridges.filter((bridge) => bridge.from === passage.index).map((bridge) => html`<span class="node-bridge" key=${bridge.to}>Leads to ${label(bridge.to)}${bridge.name && html` by <strong>${bridge.name}</strong>`}</span>`)}
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
  <${Legend} kinds=${new Set(lines.length ? lines.map((line) => line.kind) : result.chain.map((passage) => roleOf(result, passage)).filter((role) => role !== "read"))} result=${result} />`;
}

// In characters: what is shown before a sentence that stands further back in its passage.
const BEFORE = 40;
// A passage of less is shown whole, in the five lines of its box.
const SHORT = 160;

// A passage around the first sentence of it that the answer rests on, or that leads there; these are marked.
function Excerpt({ passage, result }) {
  const sentences = [
    ...result.cited.map((each) => ({ ...each, kind: each.deciding ? "deciding" : "cited" })),
    ...leadingOf(result).map((each) => ({ ...each, kind: "leading" })),
  ].filter((each) => each.index === passage.index && slice(passage.text, each.start, each.end) === each.text);
  const first = [...sentences].sort((a, b) => a.start - b.start).find((each) => each.holds_answer) ?? sentences[0];
  const start = Math.max(0, (first?.start ?? 0) - BEFORE);
  const begin = start && characters(passage.text) > SHORT ? start + slice(passage.text, start, first.start).search(/(?<=\s)\S|$/) : 0;
  const shown = slice(passage.text, begin, characters(passage.text));
  const marks = sentences.map((each) => ({ ...each, start: each.start - begin, end: each.end - begin })).filter((each) => each.end > 0);
  return html`<span class="node-text">${begin > 0 && "… "}${pieces(shown, marks).map((piece, at) =>
    piece.marks.length ? html`<mark key=${at} class=${piece.marks[0].kind}>${piece.text}</mark>` : piece.text)}</span>`;
}

// What the lines mean; only those that are drawn.
const linesFor = (what) => [
  ["carries", "the passage carries this part of the question"],
  ["cited", `${what} rests on this passage`],
  ["bridge", "leads from one passage to the other, by the name in the box"],
  ["leads", `leads to the passage that ${what} rests on`],
  ["read", "read, but not cited"],
  ["against", "says something else"],
];

function Legend({ kinds, result }) {
  const shown = linesFor(givenIn(result) === null ? "the guess" : "the answer").filter(([kind]) => kinds.has(kind));
  return shown.length > 0 && html`<ul class="legend ${levelOf(result).css}" aria-label="What the lines mean">${shown.map(([kind, words]) => html`
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
function linksOf(result, features, against, bridges) {
  const carried = features.flatMap((feature) => feature.carriers.map((index) => ({ from: `f:${feature.name}`, to: `p:${index}`, kind: "carries" })));
  const rests = result.chain.map((passage) => ({ from: `p:${passage.index}`, to: "answer", kind: roleOf(result, passage) }));
  const denied = against.map((side) => ({ from: side.id, to: "answer", kind: "against" }));
  const joined = bridges.map(({ from, to }) => ({ from: `p:${from}`, to: `p:${to}`, kind: "bridge" }));
  return [...carried, ...rests, ...joined, ...denied].map((link) => ({ ...link, id: `${link.from} ${link.to}` }));
}

// Names begin with capital letters; the longest that two passages share leads from one to the other.
const NAME = /\p{Lu}[\p{L}\p{M}\p{Nd}'’.-]*(?: \p{Lu}[\p{L}\p{M}\p{Nd}'’.-]*)*/gu;

// With a capital letter only because a sentence begins with them.
const FIRST_WORD = /^(?:The|A|An|This|That|These|It|Its|He|She|They|His|Her|In|On|At|By|Of|From|After|Before|When)(?: |$)/;
const hasName = (text, name) => text.split(name).slice(1).some((rest, at, all) => !/^[\p{L}\p{Nd}]/u.test(rest) && !/[\p{L}\p{Nd}]$/u.test(at ? all[at - 1] : text.slice(0, text.indexOf(name))));

// From each passage that leads to the answer to those that are cited: {from, to, name}. The question has other names.
function bridgesOf(result) {
  const cited = result.chain.filter((passage) => result.citations.includes(passage.index));
  return leadingOf(result).flatMap((lead) => cited.filter((passage) => passage.index !== lead.index && result.chain.some(({ index }) => index === lead.index)).map((passage) => {
    const there = `${passage.title ?? ""} ${passage.text}`;
    const names = [...lead.text.matchAll(NAME)].map(([name]) => name.replace(FIRST_WORD, "").replace(/[.’'-]+$/, "")).filter((name) => name.length > 2 && hasName(there, name) && !hasName(result.question, name));
    return { from: lead.index, to: passage.index, name: names.sort((a, b) => b.length - a.length)[0] ?? null };
  }));
}

function linesOf(frame, links) {
  const origin = frame.getBoundingClientRect();
  const boxes = new Map([...frame.querySelectorAll("[data-node]")].map((box) => [box.dataset.node, box.getBoundingClientRect()]));
  const columns = new Set([...boxes.values()].map((box) => Math.round(box.left))).size;
  return links.flatMap((link) => {
    const from = boxes.get(link.from);
    const to = boxes.get(link.to);
    if (from && to && link.kind === "bridge" && columns > 1) {
      const [top, bottom] = from.top < to.top ? [from, to] : [to, from];
      const [x, y1, y2] = [Math.max(from.right, to.right) - origin.left, top.bottom - 12 - origin.top, bottom.top + 12 - origin.top];
      return [{ ...link, path: `M${x} ${y1}C${x + 26} ${y1} ${x + 26} ${y2} ${x} ${y2}` }];
    }
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
