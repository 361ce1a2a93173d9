// The features of a question as the chain shows them.

const WORDS = { intent: "asked for", node: "name or thing", relation: "how they are linked" };

// The features of a result: [{name, kind, words, text, inferred, missing, unmatched, carriers}]; carriers are the
// indexes of passages; an unmatched one is not missing, although no passage has its words. Features that only
// `missing` names (the date of a compared thing) come last.
export function featuresOf(result) {
  const { features } = result;
  if (!features) return [];
  const listed = [
    { kind: "intent", text: features.intent },
    ...features.nodes.map((node) => ({ kind: "node", text: node.text, inferred: node.inferred })),
    ...features.relations.map((relation) => ({ kind: "relation", text: sentenceOf(relation) })),
  ].map((feature) => ({ ...feature, name: `${feature.kind}: ${feature.text}` }));
  const known = new Set(listed.map((feature) => feature.name));
  const others = result.missing.filter((name) => !known.has(name)).map((name) => {
    const [kind, ...text] = name.split(": ");
    return { kind, text: text.join(": "), name };
  });
  return [...listed, ...others].map((feature) => ({
    ...feature,
    words: feature.inferred ? "found on the way" : WORDS[feature.kind] ?? feature.kind,
    missing: result.missing.includes(feature.name),
    carriers: result.chain.filter((passage) => passage.carries.includes(feature.name)).map((passage) => passage.index),
  })).map((feature) => ({ ...feature, unmatched: isJudgedComplete(result) && !feature.carriers.length }));
}

// Whether the evidence model, and not the words of the passages alone, says that the chain is complete.
const isJudgedComplete = (result) => !result.missing.length && typeof result.completeness === "number";

// Whether the evidence model overrules that words of the question occur in no passage.
export const isOverruled = (features) => features.some((feature) => feature.unmatched);

function sentenceOf(relation) {
  return relation.description || [relation.head, relation.predicate, relation.tail].filter((part) => part.trim()).join(" ");
}
