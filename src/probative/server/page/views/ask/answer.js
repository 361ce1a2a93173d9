// The answer with its verdict, the sentences it rests on, and what leads to them.
import { percent } from "../../parts/format.js";
import { MarkdownText } from "../../parts/markdown_text.js";
import { MarkButtons } from "../../parts/marks.js";
import { pageOf } from "../../parts/page_view.js";
import { parseCitation, placeInWords } from "../../parts/text.js";
import { isProbable, levelOf, VerdictBadge } from "../../parts/verdict_badge.js";
import { html, useId } from "../../preact.js";
import { Cite, leadingOf } from "./evidence.js";

// The answer, or a probable one.
export const givenIn = (result) => result.answer ?? (isProbable(result) ? result.candidate : null);

// What a result says: its answer, a probable one marked as such, or nothing.
export const answerText = (result) => (result.answer === null && isProbable(result) ? html`<span class="probably">probably</span> <${MarkdownText} text=${result.candidate} />` : result.answer && html`<${MarkdownText} text=${result.answer} />`);

// `children` stand below the question.
export function AnswerCard({ result, evidence, marks, children = null }) {
  const heading = useId();
  const given = givenIn(result) !== null;
  return html`<section class="panel answer ${levelOf(result).css}" aria-labelledby=${heading}>
    <h2 id=${heading} class="question">${result.question}</h2>
    ${(result.read_as || children) && html`<div class="row">
      ${result.read_as && html`<p class="muted read-as">Read as: <q>${result.read_as}</q></p>`}${children}
    </div>`}
    <${givenIn(result)?.trim().includes("\n") ? "div" : "p"} class="answer-text">${given ? answerText(result) : html`<span class="no-answer">No answer</span>`} ${given && cites(result, evidence)}${given && via(result, evidence)}<//>
    <p class="row"><${VerdictBadge} ...${result} large />${given && result.certainty !== null && html`<span class="muted">${percent(result.certainty)} certain</span>`}</p>
    ${result.guarantee && result.verdict === "supported" && html`<p class="muted small">Guarantee: ${guaranteeInWords(result.guarantee)}.</p>`}
    ${result.reason && !result.missing.length && html`<p class="reason">${sentence(result.reason)}</p>`}
    ${!given && result.candidate && html`<p class="muted">The nearest guess was “${result.candidate}”${result.certainty !== null ? ` (${percent(result.certainty)} certain)` : ""}. It is not given as an answer.</p>`}
    ${result.cited.length > 0 && html`<${Quotes} result=${result} evidence=${evidence} />`}
    ${leadingOf(result).length > 0 && html`<${Leading} result=${result} evidence=${evidence} />`}
    ${result.missing.length > 0 && html`<${Missing} missing=${result.missing} />`}
    <${MarkButtons} marks=${marks} what="this answer" />
  </section>`;
}

// guaranteeInWords({alpha: 0.05, delta: 0.05, n: 120, kind: "given"})
const guaranteeInWords = ({ alpha, delta, n, kind }) => `at most ${share(alpha)} of supported answers to questions like the ${n} ${kind === "made" ? "made from the documents" : "drawn"} are wrong, with ${share(1 - delta)} confidence`;
const share = (value) => `${Number((100 * value).toPrecision(4))}%`;

// The answer as a screen reader is told of it when it arrives.
export function inOneLine(result) {
  const missing = result.missing.length ? ` Missing: ${result.missing.map(inWords).join("; ")}.` : "";
  const given = givenIn(result);
  return `${given === null ? "No answer" : `Answer: ${given}`}. ${levelOf(result).word}.${missing}`;
}

function cites(result, evidence) {
  return result.citations.map((index) => {
    const number = result.cited.findIndex((cited) => cited.index === index);
    return html`<${Cite} key=${index} index=${index} id=${number < 0 ? `passage-${index}` : `cited-${number}`} evidence=${evidence} />`;
  });
}

// The other passages that the answer needs: without them, the cited ones do not answer this question.
function via(result, evidence) {
  const leading = leadingOf(result);
  return leading.length > 0 && html` <span class="via">by way of ${leading.map((lead, number) => html`<${Cite} key=${number} id=${`leading-${number}`} index=${lead.index} evidence=${evidence} />`)}</span>`;
}

function Quotes({ result, evidence }) {
  return html`<div class="stack tight">
    <h3>${result.cited.length === 1 ? "The sentence" : "The sentences"} ${givenIn(result) === null ? "behind the guess" : "it rests on"}</h3>
    <ul class="quotes">${result.cited.map((cited, number) => html`<li key=${number}>
      <${Cite} id=${`cited-${number}`} index=${cited.index} evidence=${evidence} />
      <span><q>${cited.text}</q>${cited.holds_answer && html` <span class="tag">${givenIn(result) === null ? "holds the guess" : "holds the answer"}</span>`}${cited.deciding && html` <span class="tag">decides</span>`}
        <span class="muted small quote-place">${placeOf(result, cited, evidence)}</span></span>
    </li>`)}</ul>
  </div>`;
}

function Leading({ result, evidence }) {
  return html`<div class="stack tight">
    <h3>What leads there</h3>
    <ul class="quotes">${leadingOf(result).map((lead, number) => html`<li key=${number}>
      <${Cite} id=${`leading-${number}`} index=${lead.index} evidence=${evidence} />
      <span><q>${lead.text}</q> <span class="muted small quote-place">${[placeOf(result, lead, evidence), namesOf(result, lead)].filter(Boolean).join(" · ")}</span></span>
    </li>`)}</ul>
  </div>`;
}

// The names and things of the question that a leading passage carries.
function namesOf(result, lead) {
  const passages = result.chain.filter((passage) => passage.index === lead.index);
  const names = passages.flatMap((passage) => passage.carries).filter((name) => name.startsWith("node: "));
  return names.length ? `carries ${[...new Set(names)].map((name) => `“${name.replace("node: ", "")}”`).join(", ")}` : "";
}

function placeOf(result, cited, evidence) {
  const passage = result.chain.find((other) => other.index === cited.index);
  const citation = cited.citation ?? passage?.citation;
  // The sentence of an upload may be on a page after that on which its passage begins.
  const file = cited.citation ? null : evidence.shown?.file;
  const page = file?.pages.length && file.source === passage?.source ? pageOf(file, passage.start + cited.start) : null;
  const where = [passage?.title ?? passage?.source, page ? placeInWords({ page }) : citation ? parseCitation(citation).place : placeInWords(passage ?? {})];
  return [where.filter(Boolean).join(", "), readBy(passage)].filter(Boolean).join(" · ");
}

// readBy({read_by: "OCR"}) → "read by OCR"; text that stood in no picture gives null
export const readBy = (passage) => (passage?.read_by ? `read by ${passage.read_by}` : null);

function Missing({ missing }) {
  return html`<div class="stack tight missing">
    <h3>What is missing</h3>
    <ul>${missing.map((name) => html`<li key=${name}>${inWords(name)}</li>`)}</ul>
  </div>`;
}

const KINDS = { intent: "what is asked for", node: "a passage that mentions", relation: "a passage that says" };

// inWords("node: Grey Heron") → "a passage that mentions “Grey Heron”"
export function inWords(name) {
  const [, kind, text] = /^([a-z]+): (.*)$/s.exec(name) ?? [null, "", name];
  if (kind === "intent") return `what is asked for: ${text}`;
  return KINDS[kind] ? `${KINDS[kind]} “${text}”` : kind ? `the ${kind} of “${text}”` : text;
}

// A reason of the library as a sentence.
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
