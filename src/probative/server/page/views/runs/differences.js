// What two runs have in common and where they differ, as rows of a table.
import { percent, seconds, when, whole } from "../../parts/format.js";
import { tokensOf, verbTitle } from "./words.js";

// The rows for two sides {run, result}, what came out first: [{part, name, cells: [cell, cell], differs}]. A cell
// is {text} or {items: [{text, only}]}, where `only` says that the other side does not have the item. `part` is
// "result", "request" or "cost".
export function rowsOf(first, second) {
  const sides = [first, second];
  const same = first.run.verb === second.run.verb;
  const usage = ({ run, result }) => result?.usage ?? run.usage;
  const parts = {
    result: [
      { ...textRow("Verdict", sides, ({ run, result }) => result?.verdict ?? run.verdict), verdict: true },
      ...(same ? (ROWS[first.run.verb] ?? fieldRows)(sides) : [textRow("Answer", sides, ({ result }) => result?.answer ?? null)]),
      textRow("Error", sides, ({ run }) => run.error?.message ?? null),
      listRow("Notes", sides, ({ result }) => result?.notes),
    ],
    request: [
      textRow("What", sides, ({ run }) => verbTitle(run.verb)),
      textRow(same ? titleOf(first.run.request) : "Title", sides, ({ run }) => run.title),
      textRow("Source", sides, ({ run }) => sourceOf(run.request)),
      listRow("Passages", sides, ({ run }) => passagesOf(run.request, first, second)),
      textRow("Method", sides, ({ run, result }) => result?.method ?? run.request.method ?? null),
      ...[textRow("Options", sides, ({ run }) => optionsOf(run.request))].filter((row) => row.differs),
      textRow("Model", sides, ({ run, result }) => result?.model ?? result?.verdict_model ?? run.model),
      textRow("State", sides, ({ run }) => run.state),
    ],
    cost: [
      textRow("Calls", sides, (side) => (usage(side) ? whole(usage(side).calls) : null)),
      textRow("Tokens", sides, (side) => (usage(side) ? whole(tokensOf(usage(side))) : null)),
      textRow("Time", sides, (side) => (usage(side) ? seconds(usage(side).seconds) : null)),
      textRow("When", sides, ({ run }) => when(run.created)),
    ],
  };
  return Object.entries(parts).flatMap(([part, rows]) => rows.map((row) => ({ part, ...row })))
    .filter((row) => row.cells.some((cell) => cell.text || cell.items?.length));
}

// What the title of a run is, by the fields of its request.
function titleOf(request) {
  if ("question" in request) return "Question";
  if ("claim" in request) return "Claim";
  return "text" in request || "upload" in request ? "Text" : "Title";
}

const ROWS = {
  ask: (sides) => [
    textRow("Answer", sides, ({ result }) => result?.answer),
    textRow("Level", sides, ({ result }) => result?.level?.replace("_", " ")),
    textRow("Certainty", sides, ({ result }) => share(result?.certainty)),
    listRow("Chain of evidence", sides, ({ result }) => result?.chain?.map((piece) => piece.text)),
    listRow("Missing", sides, ({ result }) => result?.missing),
    listRow("Conflicts", sides, ({ result }) => result?.conflicts?.map(({ text, other_text: other }) => `${text} ≠ ${other}`)),
  ],
  check: (sides) => [
    textRow("Complete", sides, ({ result }) => (result ? (result.complete ? "yes" : "no") : null)),
    textRow("Certainty", sides, ({ result }) => share(result?.certainty)),
    listRow("Missing", sides, ({ result }) => result?.missing),
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
};

// The rows of a verb that this page does not know: one for each field of its results that has no row elsewhere.
function fieldRows(sides) {
  const names = new Set(sides.flatMap(({ result }) => Object.keys(result ?? {})));
  for (const name of ["verdict", "notes", "usage", "method", "model", "verdict_model", "trace"]) names.delete(name);
  return [...names].map((name) => {
    const isList = sides.some(({ result }) => Array.isArray(result?.[name]));
    return isList
      ? listRow(name, sides, ({ result }) => result?.[name]?.map((part) => part?.text ?? asText(part)))
      : textRow(name, sides, ({ result }) => asText(result?.[name]));
  });
}

const asText = (value) => (value === null || value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value));
const sentence = ({ head, relation, tail }) => `${head} ${relation} ${tail}`;
const share = (value) => (value === null || value === undefined ? null : percent(value));

// The pasted passages, if they are not the same on both sides: long ones would hide what differs.
function passagesOf(request, ...sides) {
  const [first, second] = sides.map(({ run }) => JSON.stringify(run.request.passages ?? null));
  if (first === second) return [];
  return (request.passages ?? []).map((passage) => passage.text ?? passage);
}

// What was chosen besides the question and its sources: short values of the request, and the options of the method.
const TOLD_ELSEWHERE = new Set(["question", "claim", "text", "name", "knowledge", "evidence", "sentences", "corpus", "graph", "upload", "method"]);
function optionsOf(request) {
  const chosen = Object.entries(request).filter(([name, value]) => !TOLD_ELSEWHERE.has(name) && value !== null && typeof value !== "object");
  const all = [...chosen, ...Object.entries(request.options ?? {})];
  return all.map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ") || null;
}

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
