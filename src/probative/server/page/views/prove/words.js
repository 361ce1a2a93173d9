// What a proof says in words: how much each sentence helps, alone and after those before it.
import { percent } from "../../parts/format.js";

// Nats for each token of the claim. 0.1 is what `k="auto"` asks of a sentence (min_gain); the others are three times
// and a fifth of it.
const MUCH = 0.3;
const SOME = 0.1;
const LITTLE = 0.02;

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const FIRST = ["", "first", "first two", "first three", "first four", "first five", "first six", "first seven"];
const EASIER = { 3: "much easier", 2: "easier", 1: "a little easier", 0: "no change", [-1]: "harder" };

// ordinal(0) → "first"
export const ordinal = (place) => ORDINALS[place] ?? `number ${place + 1}`;

// The size of a gain: 3 (makes the claim much easier to believe), 2, 1, 0 (no change), -1 (harder), null (not known).
export function strength(gain, tokens) {
  if (gain === null || gain === undefined) return null;
  const each = gain / Math.max(tokens ?? 1, 1);
  if (each >= MUCH) return 3;
  if (each >= SOME) return 2;
  if (each >= LITTLE) return 1;
  return each > -LITTLE ? 0 : -1;
}

// effect(3) → "much easier"
export const effect = (size) => EASIER[size];

const believed = (size, makes, changes) => (size === 0 ? `${changes} almost nothing` : `${makes} the claim ${EASIER[size]} to believe`);

// moves(6.04) → "about 420 times as probable to the model"
export function moves(gain) {
  const factor = Math.exp(Math.abs(gain));
  const rounded = factor >= 10 ? Number(factor.toPrecision(2)) : Math.round(factor * 10) / 10;
  const size = factor >= 1e6 ? "more than a million times" : `about ${rounded.toLocaleString("en")} times`;
  return gain < 0 ? `${size} less probable to the model` : `${size} as probable to the model`;
}

// What a chosen sentence contributes, in words that need no statistics.
export function contribution(proof, place) {
  const sentence = proof.evidence[place];
  const earlier = FIRST[place] ?? `first ${place}`;
  if (sentence.gain !== null) {
    const subject = place === 0 ? "This sentence" : `Together with the ${earlier}, this sentence`;
    return `${subject} ${believed(strength(sentence.gain, proof.claim_tokens), "makes", "changes")}.${comparison(proof, sentence, place)}`;
  }
  if (sentence.probability !== null) {
    const after = place === 0 ? "" : `, given the ${earlier}`;
    return `The evidence model gives it ${percent(sentence.probability)} to be the next sentence needed${after}.`;
  }
  return `The ${ordinal(place)} choice of the method ${proof.method}.`;
}

// How a sentence does alone, where that differs from what it adds to those before it.
function comparison(proof, sentence, place) {
  if (place === 0 || sentence.alone === null || proof.without_evidence === null) return "";
  const alone = strength(sentence.alone - proof.without_evidence, proof.claim_tokens);
  const added = strength(sentence.gain, proof.claim_tokens);
  if (added > alone) return " It needs the sentences before it: alone it helps less.";
  if (added < alone) return " Alone it would help more: part of what it says has been said.";
  return "";
}

// What another sentence would have done at this step.
export function runnerUp(other, sentence, tokens) {
  if (other.gain !== null && sentence.gain !== null) {
    const more = other.gain > sentence.gain ? ", more than the chosen one, but its whole score is lower" : "";
    return `${believed(strength(other.gain, tokens), "would have made", "would have changed")}${more}`;
  }
  if (other.probability !== null) return `had ${percent(other.probability)} to be the next sentence needed`;
  return `had a lower score (${other.score.toFixed(2)})`;
}

const SAID = {
  supported: ["The chosen sentence supports the claim", "Together, the chosen sentences support the claim"],
  contradicted: ["The chosen sentence says otherwise", "The chosen sentences say otherwise"],
  insufficient: ["The chosen sentence does not settle the claim", "The chosen sentences do not settle the claim"],
};

// What the verdict rests on.
export function conclusion(proof) {
  if (proof.verdict === null) return "No verdict was asked for.";
  if (!proof.judged) return "The claim was not judged; the notes say why.";
  const [one, several] = SAID[proof.verdict];
  const place = proof.evidence.findIndex((sentence) => sentence.index === proof.deciding);
  if (proof.evidence.length === 1) return `${one}.`;
  return place < 0 ? `${several}.` : `${several}; the ${ordinal(place)} one weighed most:`;
}
