// Why the verdict is what it is: the signals in words, their numbers one click away.
import { VERDICTS } from "../../parts/verdict_badge.js";
import { html } from "../../preact.js";
import { featuresOf, isOverruled } from "./features.js";

const HALF = 0.5;

// What each signal says. `words` gives [for, against]; `low` says that a low number speaks for the answer.
const SIGNALS = [
  { name: "cited_entailed", words: ["The cited sentences entail the answer", "The cited sentences alone do not entail the answer"], about: "verdict model: the cited sentences support the answer" },
  { name: "entailed", words: ["The whole chain entails the answer", "The whole chain does not clearly entail the answer"], about: "verdict model: the chain supports the answer" },
  { name: "denied", low: true, words: ["The chain does not deny the answer", "Something in the chain denies the answer"], about: "verdict model: the chain contradicts the answer" },
  { name: "cited_denied", low: true, about: "verdict model: the cited sentences contradict the answer" },
  { name: "other_entailed", low: true, words: ["No other candidate is supported by the same sentences", "Another candidate is supported, too"], about: "verdict model: the highest support of another candidate" },
  { name: "completeness", words: ["The evidence model judges the chain complete", "The evidence model judges the chain hardly complete"], about: "evidence policy: the chain is enough" },
  { name: "cited_complete", about: "evidence policy: the cited sentences are enough" },
  { name: "answerable", words: ["The reader finds an answer in the chain", "The reader hardly finds an answer in the chain"], about: "reader: there is an answer" },
  { name: "probability", words: ["One answer stands out", "Other answers are about as probable"], about: "reader: this answer among its alternatives" },
  { name: "margin", about: "reader: distance to the second answer" },
  { name: "agreement", words: ["A second reading of the passages that fit best leads to the same answer", "A second reading of the passages that fit best leads to another answer"], about: "reader: the same answer in a second reading" },
  { name: "cited_agreement", words: ["The cited sentences alone lead to the same answer", "The cited sentences alone lead to another answer"], about: "reader: the same answer from the cited sentences" },
  { name: "cited_answerable", about: "reader: there is an answer in the cited sentences" },
  { name: "window_agreement", about: "reader: the same answer from the cited sentences and their neighbours" },
  { name: "window_answerable", about: "reader: there is an answer in these" },
  { name: "fits_kind", words: ["The answer is of the kind that is asked for", "The answer is of another kind than is asked for"], about: "kind of the answer" },
  { name: "names", words: ["The names of the question occur in the chain", "Names of the question do not occur in the chain"], about: "share of the question's names in the chain" },
  { name: "cited_names", about: "share of the question's names in the cited sentences" },
  { name: "words", words: ["The words of the question occur in the chain", "Few words of the question occur in the chain"], about: "share of the question's other words in the chain" },
  { name: "window_words", about: "share of these words near the cited sentences" },
  { name: "hops", about: "passages in the chain" },
  { name: "computed", about: "1: code computed the answer" },
  { name: "polar", about: "1: a yes or no" },
];

export function Why({ result }) {
  const reasons = reasonsOf(result);
  return html`<section class="stack" aria-labelledby="why-heading">
    <h2 id="why-heading">Why “${VERDICTS[result.verdict]?.word ?? result.verdict}”</h2>
    <p>${verdictInWords(result)}</p>
    ${reasons.length > 0 && html`<ul class="reasons">${reasons.map((reason) => html`
      <li key=${reason.words} class=${reason.good ? "supported" : "insufficient"}><span class="sign" aria-hidden="true">${reason.good ? "✓" : "?"}</span>
        <span><span class="hidden">${reason.good ? "For: " : "Against: "}</span>${reason.words}</span></li>`)}
    </ul>`}
    <${Numbers} result=${result} />
  </section>`;
}

function verdictInWords(result) {
  if (result.verdict === "supported") return "The evidence is enough, and the sentences that decide it are cited.";
  if (result.verdict === "contradicted") return "Passages say different things about what is asked. Both sides are shown above.";
  if (result.missing.length) return `The evidence is not enough. There is no passage for: ${result.missing.map((name) => name.replace(/^[a-z]+: /, "")).join("; ")}.`;
  return result.reason ? `The evidence is not enough: ${result.reason}.` : "The evidence is not enough for an answer.";
}

export function reasonsOf(result) {
  const own = [];
  if (result.missing.length) own.push({ good: false, words: "Something that the question asks for is carried by no passage" });
  else if (isOverruled(featuresOf(result))) own.push({ good: false, words: "Some parts of the question are in no passage in the same words" });
  else if (result.complete) own.push({ good: true, words: "Every part of the question is carried by a passage" });
  if (result.signals?.computed) own.push({ good: true, words: "The answer was computed from values in the text" });
  const blocking = result.conflicts.some((conflict) => conflict.blocking);
  if (result.conflicts.length) own.push({ good: false, words: blocking ? "Two passages contradict each other in what is asked" : "Two passages contradict each other" });
  const signals = SIGNALS.filter((signal) => signal.words && isNumber(result.signals?.[signal.name])).map((signal) => {
    const good = (result.signals[signal.name] >= HALF) !== Boolean(signal.low);
    return { good, words: signal.words[good ? 0 : 1] };
  });
  return [...own, ...signals];
}

function Numbers({ result }) {
  const rows = [
    ["certainty", "how surely the answer is right", result.certainty],
    ...(result.signals ? [] : [["completeness", "evidence policy: the chain is enough", result.completeness], ["answerable", "reader: there is an answer", result.answerable]]),
    ...SIGNALS.map((signal) => [signal.name, signal.about, result.signals?.[signal.name]]),
  ].filter(([, , value]) => isNumber(value));
  if (!rows.length) return null;
  return html`<details><summary>The numbers</summary><div class="scroll-x"><table>
    <thead><tr><th scope="col">Signal</th><th scope="col">What it is</th><th scope="col" class="number">Value</th></tr></thead>
    <tbody>${rows.map(([name, about, value]) => html`<tr key=${name}><td><code>${name}</code></td><td>${about}</td><td class="number">${Number.isInteger(value) ? value : value.toFixed(3)}</td></tr>`)}</tbody>
  </table></div></details>`;
}

const isNumber = (value) => typeof value === "number";
