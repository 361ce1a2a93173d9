// The connections of an answer over a graph, as the drawing, the table and the filters show them.

// The five kinds, told apart by a word, a sign, a line style and a colour. The order is that of the legend.
export const KINDS = [
  { name: "expert", sign: "●", word: "read in the graph", line: "solid", explained: "The graph states it." },
  { name: "affirmative", sign: "≈", word: "extrapolated", line: "dashed", explained: "Not in the graph; judged to hold, by analogy with what the graph states of similar entities." },
  { name: "similar", sign: "↔", word: "similar", line: "dash-dotted", explained: "An entity of the question and one that stands for it: the encoder finds them similar." },
  { name: "counterfactual", sign: "✗", word: "counterfactual", line: "dotted", explained: "Not in the graph; judged not to hold." },
  { name: "uncertain", sign: "?", word: "undecided", line: "thin", explained: "Not in the graph; neither judged to hold nor judged not to hold. Not used for the answer." },
];
export const kindOf = (name) => KINDS.find((kind) => kind.name === name);

// plain("Aortic_Arch ") === plain("aortic arch"): the form in which names are compared.
export const plain = (name) => name.replaceAll("_", " ").trim().split(/\s+/u).join(" ").toLowerCase();

const keyOf = (triple) => [triple.head, triple.relation, triple.tail].map(plain).join("\u0000");

// All connections of a result, those that decided the answer first:
// [{id, kind, head, relation, tail, deciding}].
export function connectionsOf(result) {
  const facts = new Set((result.facts ?? []).map(keyOf));
  const expert = result.knowledge?.expert ?? [];
  const known = new Set(expert.map(keyOf));
  const sets = {
    // An answer that is read from the graph may have its facts only.
    expert: [...(result.facts ?? []).filter((fact) => !known.has(keyOf(fact))), ...expert],
    affirmative: result.knowledge?.affirmative ?? [],
    counterfactual: result.knowledge?.counterfactual ?? [],
    uncertain: result.uncertain ?? [],
  };
  const all = KINDS.filter(({ name }) => sets[name]).flatMap(({ name }) =>
    sets[name].map((triple, index) => ({
      id: `${name}-${index}`,
      kind: name,
      head: triple.head,
      relation: triple.relation,
      tail: triple.tail,
      deciding: name === "expert" && facts.has(keyOf(triple)),
    })));
  all.push(...standInsOf(result));
  return [...all.filter((one) => one.deciding), ...all.filter((one) => !one.deciding)];
}

// The links to similar entities of an answer by analogy: where its facts do not name an entity of the question, but one
// that is similar to it.
function standInsOf({ verdict, facts = [], groups = [] }) {
  if (verdict !== "extrapolated") return [];
  const used = new Set(facts.flatMap((fact) => [plain(fact.head), plain(fact.tail)]));
  return groups.filter((group) => !group.intermediate && group.members.length).flatMap(({ members: [own, ...others] }, index) => {
    const other = used.has(plain(own.name)) ? null : others.find((member) => used.has(plain(member.name)));
    if (!other) return [];
    const relation = typeof other.cosine === "number" ? `similar ${other.cosine.toFixed(2)}` : "similar";
    return [{ id: `similar-${index}`, kind: "similar", head: own.name, relation, tail: other.name, deciding: true }];
  });
}

// How many connections there are of each kind: {expert: 2, affirmative: 0, …}.
export function countKinds(connections) {
  return Object.fromEntries(KINDS.map(({ name }) => [name, connections.filter((one) => one.kind === name).length]));
}

// What an answer over a graph rests on, in words; "" if the method does not say.
export function describeVerdict({ verdict, facts = [], answer, extrapolated_by: by }) {
  switch (verdict) {
    case "read": return "The graph states it.";
    case "extrapolated": return {
      encoder: "The graph does not state it of these entities; the encoder found similar ones of which it does.",
      verdict: `The graph does not state it; the verdict model took the answer from ${[...new Set(facts.map(({ relation }) => `“${relation}”`))].join(" and ")}.`,
      veracity: "The graph does not state it; a scorer that learned from its edges gave the answer.",
      elimination: "The graph does not deny it, but states it for every other choice.",
    }[by] ?? "The graph does not state it; the model answered with knowledge near to the question.";
    case "unknown": return answer && answer !== "maybe"
      ? "Nothing in the graph bears on the question: the answer is the model's own guess."
      : "Nothing in the graph bears on the question.";
    default: return "";
  }
}

// The three staged answers: [{key, name, added, count, read, answer, changed}].
// `changed` is true where a stage changed the answer of the stage before.
export function stagesOf(result) {
  const { answers = {}, knowledge = {}, read = {} } = result;
  const stages = [
    { key: "a", name: "Extrapolated knowledge", set: "affirmative" },
    { key: "ac", name: "Plus counterfactual knowledge", set: "counterfactual" },
    { key: "ace", name: "Plus what the graph states", set: "expert" },
  ];
  let before = null;
  return stages.map(({ key, name, set }) => {
    const answer = answers[key] ?? null;
    const changed = answer !== null && before !== null && answer !== before;
    const from = before;
    if (answer !== null) before = answer;
    return { key, name, set, count: (knowledge[set] ?? []).length, read: read[set] ?? null, answer, changed, from };
  });
}

// parseTriples("moss\tgrows in\tshade") → {triples: [["moss", "grows in", "shade"]], problems: []}.
// A line has three parts between tabs, vertical bars or, where there is neither, commas.
export function parseTriples(text) {
  const triples = [];
  const problems = [];
  text.split("\n").forEach((line, index) => {
    if (!line.trim() || line.trimStart().startsWith("#")) return;
    const separator = line.includes("\t") ? "\t" : line.includes("|") ? "|" : ",";
    const parts = line.split(separator).map((part) => part.trim());
    if (parts.length === 3 && parts.every(Boolean)) triples.push(parts);
    else problems.push(`line ${index + 1} has ${parts.length === 3 ? "an empty part" : `${parts.length} part${parts.length === 1 ? "" : "s"}`}`);
  });
  return { triples, problems };
}
