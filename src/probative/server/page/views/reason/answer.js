// The answer of a question over a graph: what it rests on, the facts that decided it, and the three stages.
import { html } from "../../preact.js";
import { count } from "../../parts/format.js";
import { describeVerdict, kindOf, stagesOf } from "./connections.js";

export const GRAPH_VERDICTS = {
  read: { sign: "✓", word: "Read in the graph", css: "supported" },
  extrapolated: { sign: "≈", word: "Extrapolated", css: "extrapolated" },
  unknown: { sign: "?", word: "The graph does not say", css: "insufficient" },
};

export function GraphBadge({ verdict, large = false }) {
  const known = Object.hasOwn(GRAPH_VERDICTS, verdict ?? "") ? GRAPH_VERDICTS[verdict] : { sign: "–", word: "No verdict", css: "none" };
  return html`<span class="badge ${known.css} ${large ? "large" : ""}"><span class="sign" aria-hidden="true">${known.sign}</span>${known.word}</span>`;
}

// The answer as a screen reader is told of it when it arrives.
export const inOneLine = (result) => `${result.answer === null ? "No answer." : `Answer: ${result.answer}.`} ${GRAPH_VERDICTS[result.verdict]?.word ?? "No verdict"}.`;

export function GraphAnswer({ result }) {
  const words = describeVerdict(result);
  return html`<section class="panel graph-answer" aria-labelledby="reason-answer">
    <h2 class="hidden" id="reason-answer">Answer</h2>
    <p class="asked muted">${result.question}</p>
    <p class="answer-text">${result.answer ?? "No answer"}</p>
    <p class="verdict-line">${result.verdict && html`<${GraphBadge} verdict=${result.verdict} large />`} ${words}</p>
    ${result.strength !== null && result.strength !== undefined && html`<${Strength} value=${result.strength} />`}
    ${result.rationale && html`<p class="rationale">${result.rationale}</p>`}
    ${result.facts?.length > 0 && html`<${Facts} facts=${result.facts} />`}
  </section>`;
}

function Strength({ value }) {
  return html`<p class="strength"><label>Strength <meter min="0" max="1" value=${value}>${value.toFixed(2)}</meter></label> <span class="numbers" aria-hidden="true">${value.toFixed(2)}</span></p>`;
}

function Facts({ facts }) {
  return html`<div class="graph-facts"><h3>What decided it</h3>
    <ol>${facts.map((fact, index) => html`<li key=${index}><${Triple} triple=${fact} /></li>`)}</ol></div>`;
}

// A triple as text: entity, relation, entity.
export function Triple({ triple }) {
  return html`<span class="triple"><span class="entity">${triple.head}</span> <span class="relation">${triple.relation}</span> <span class="entity">${triple.tail}</span></span>`;
}

export function Stages({ result }) {
  const stages = stagesOf(result);
  const answered = stages.filter((stage) => stage.answer !== null);
  if (!answered.length) return null;
  const silent = stages.filter((stage) => stage.answer === null);
  if (answered.length === 1 && silent.every((stage) => !stage.count)) return html`<${OneStage} stage=${answered[0]} />`;
  return html`<section class="stack" aria-labelledby="reason-stages">
    <h2 id="reason-stages">The answer in three stages</h2>
    <p class="muted">The same question is answered with more and more knowledge. A change shows what that knowledge did.</p>
    <ol class="stages">${stages.map((stage) => html`<${Stage} key=${stage.key} stage=${stage} />`)}</ol>
  </section>`;
}

// Where one stage alone had knowledge, there is nothing to compare.
function OneStage({ stage }) {
  const [kind, number] = [kindOf(stage.set), count(stage.count, "connection")];
  return html`<p class="muted">The answer was given in one stage, ${stage.key === "ace" ? `with what the graph states (${number} ${kind.word})` : `with ${number} ${kind.word}`}: the other stages had nothing to add.</p>`;
}

function Stage({ stage }) {
  const kind = kindOf(stage.set);
  const read = stage.read !== null && stage.read < stage.count ? `, of which the model read ${stage.read}` : "";
  return html`<li class="stage ${stage.changed ? "changed" : ""}">
    <p class="stage-name"><span class="sign ${kind.name}" aria-hidden="true">${kind.sign}</span>${stage.name}</p>
    <p class="stage-answer ${stage.answer === null ? "none-given" : ""}">${stage.answer ?? "No answer at this stage"}</p>
    <p class="muted">${stage.count} ${stage.count === 1 ? "triple" : "triples"} ${kind.word}${read}</p>
    ${stage.changed && html`<p class="change"><span aria-hidden="true">↻ </span>Changed from “${stage.from}”</p>`}
  </li>`;
}
