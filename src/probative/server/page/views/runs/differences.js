// What two runs have in common and where they differ, as rows of a table.
import { cost, percent, seconds, when, whole } from "../../parts/format.js";
import { tokensOf, verbOf } from "./words.js";

// The rows for two sides {run, result}: [{name, cells: [cell, cell], differs}]. A cell is
// {text} or {items: [{text, only}]}, where `only` says that the other side does not have the item.
export function rowsOf(first, second) {
  const sides = [first, second];
  const same = first.run.verb === second.run.verb;
  const rows = [
    textRow("What", sides, ({ run }) => verbOf(run)),
    textRow("Asked", sides, ({ run }) => run.title),
    textRow("Source", sides, ({ run }) => sourceOf(run.request)),
    textRow("Method", sides, ({ run, result }) => result?.method ?? run.request.method ?? null),
    textRow("Model", sides, ({ run, result }) => result?.model ?? result?.verdict_model ?? run.model),
    textRow("State", sides, ({ run }) => run.state),
    textRow("Error", sides, ({ run }) => run.error?.message ?? null),
    { ...textRow("Verdict", sides, ({ run, result }) => result?.verdict ?? run.verdict), verdict: true },
    ...(same ? (ROWS[first.run.verb] ?? (() => []))(sides) : []),
    ...(same ? [] : [textRow("Answer", sides, ({ result }) => result?.answer ?? null)]),
    listRow("Notes", sides, ({ result }) => result?.notes),
    { ...textRow("Cost", sides, ({ run, result }) => cost(result?.usage ?? run.usage) || null), measured: true },
    { ...textRow("Tokens", sides, ({ run, result }) => (result?.usage ?? run.usage ? whole(tokensOf(result?.usage ?? run.usage)) : null)), measured: true },
    { ...textRow("Time", sides, ({ run, result }) => (result?.usage ?? run.usage ? seconds((result?.usage ?? run.usage).seconds) : null)), measured: true },
    { ...textRow("When", sides, ({ run }) => when(run.created)), measured: true },
  ];
  return rows.filter((row) => row.cells.some((cell) => cell.text || cell.items?.length));
}

const ROWS = {
  ask: (sides) => [
    textRow("Answer", sides, ({ result }) => result?.answer),
    textRow("Certainty", sides, ({ result }) => share(result?.certainty)),
    listRow("Chain of evidence", sides, ({ result }) => result?.chain?.map((piece) => piece.text)),
    listRow("Missing", sides, ({ result }) => result?.missing?.map(inWords)),
    listRow("Conflicts", sides, ({ result }) => result?.conflicts?.map(inWords)),
  ],
  check: (sides) => [
    textRow("Complete", sides, ({ result }) => (result ? (result.complete ? "yes" : "no") : null)),
    textRow("Certainty", sides, ({ result }) => share(result?.certainty)),
    listRow("Missing", sides, ({ result }) => result?.missing?.map(inWords)),
  ],
  prove: (sides) => [
    textRow("Supported", sides, ({ result }) => share(result?.probabilities?.supported)),
    listRow("Evidence, in order", sides, ({ result }) => result?.evidence?.map((sentence) => sentence.text)),
  ],
  judge: (sides) => [
    textRow("Supported", sides, ({ result }) => share(result?.probabilities?.supported)),
    textRow("Contradicted", sides, ({ result }) => share(result?.probabilities?.contradicted)),
    listRow("Deciding sentences", sides, ({ result }) => result?.deciding?.map((index) => result.evidence[index]?.text ?? `${index}`)),
  ],
  verify: (sides) => [
    ...["supported", "contradicted", "insufficient"].map((verdict) =>
      textRow(`Claims ${verdict}`, sides, ({ result }) => (result ? `${result.claims.filter((claim) => claim.verdict === verdict).length}` : null))),
    listRow("Claims", sides, ({ result }) => result?.claims?.map((claim) => `${claim.verdict}: ${claim.text}`)),
  ],
  reason: (sides) => [
    textRow("Answer", sides, ({ result }) => result?.answer),
    textRow("Strength", sides, ({ result }) => result?.strength?.toFixed(2)),
    textRow("Answer from extrapolated knowledge", sides, ({ result }) => result?.answers?.a),
    textRow("… with counterfactual knowledge", sides, ({ result }) => result?.answers?.ac),
    textRow("… with what the graph states", sides, ({ result }) => result?.answers?.ace),
    listRow("Deciding facts", sides, ({ result }) => result?.facts?.map(sentence)),
    listRow("Read in the graph", sides, ({ result }) => result?.knowledge?.expert?.map(sentence)),
    listRow("Extrapolated", sides, ({ result }) => result?.knowledge?.affirmative?.map(sentence)),
    listRow("Counterfactual", sides, ({ result }) => result?.knowledge?.counterfactual?.map(sentence)),
  ],
  annotate: (sides) => [listRow("Evidence", sides, ({ result }) => result?.evidence?.map((one) => one.text))],
};

const sentence = ({ head, relation, tail }) => `${head} ${relation} ${tail}`;
const share = (value) => (value === null || value === undefined ? null : percent(value));
const inWords = (value) => (typeof value === "string" ? value : value?.text ?? value?.feature ?? JSON.stringify(value));

// Where the knowledge of a request came from, in words.
function sourceOf(request) {
  if (request.corpus) return `corpus ${request.corpus}`;
  if (request.graph) return `graph ${request.graph}`;
  if (request.triples) return `${request.triples.length} pasted triples`;
  if (request.uploads) return `${request.uploads.length} uploaded files`;
  if (Array.isArray(request.passages)) return `${request.passages.length} pasted passages`;
  return request.knowledge || request.evidence || request.sentences || request.text ? "pasted text" : null;
}

function textRow(name, sides, of) {
  const texts = sides.map((side) => of(side) ?? null);
  return { name, cells: texts.map((text) => ({ text })), differs: texts[0] !== texts[1] };
}

function listRow(name, sides, of) {
  const lists = sides.map((side) => of(side) ?? []);
  const cells = lists.map((list, at) => {
    const other = new Set(lists[1 - at]);
    return { items: list.map((text) => ({ text, only: !other.has(text) })) };
  });
  return { name, cells, differs: lists[0].join("\u0000") !== lists[1].join("\u0000") };
}
