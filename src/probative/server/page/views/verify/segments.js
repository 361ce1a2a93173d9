// A text cut into its claims and what stands between them, and which claims a filter shows.
// `claims` is an array by index with gaps, because claims arrive in any order; a claim's number is its index + 1.
import { offsets } from "../../parts/text.js";

// The claims that have arrived as {number, claim}, in the order of the text.
function inOrder(claims) {
  const arrived = [];
  claims.forEach((claim, index) => claim && arrived.push({ number: index + 1, claim }));
  return arrived.sort((a, b) => a.claim.start - b.claim.start || a.number - b.number);
}

// The pieces of a text: {text, start}, with `numbers` (of its claims) for a claim, with `citation` for a citation
// outside its claim, and with `reason` for a part that was not checked. A claim that overlaps the one before it gets what is left; one that lies wholly inside
// another is a further number of that piece.
export function segmentsOf(text, claims, unchecked = []) {
  const index = offsets(text);
  const parts = [
    ...inOrder(claims).map(({ number, claim }) => ({ start: claim.start, end: claim.end, number })),
    ...claims.flatMap((claim) => claim?.citations ?? []).map((citation) => ({ start: citation.start, end: citation.end, citation })),
    ...unchecked.map(({ start, end, reason }) => ({ start, end, reason })),
  ].sort((a, b) => a.start - b.start);
  const segments = [];
  const cut = (start, end, more) => end > start && segments.push({ text: text.slice(start, end), start, ...more });
  let cursor = 0;
  for (const part of parts) {
    const start = Math.max(index(part.start), cursor);
    const end = index(part.end);
    if (end <= start) {
      const around = segments.findLast((segment) => segment.numbers);
      if (part.number && around) around.numbers.push(part.number);
      continue;
    }
    cut(cursor, start, {});
    cut(start, end, part.number ? { numbers: [part.number] } : { reason: part.reason, citation: part.citation });
    cursor = end;
  }
  cut(cursor, text.length, {});
  return segments;
}

const LONG_LINE = 50;
const SPECIAL_LINE = /^\s*([#|>*+~-]|\d+[.)]\s|\[[^\]]*\]:|$)/;

// The text with the line breaks inside its paragraphs as spaces, so that a text of short lines fits any width. Its
// length does not change.
export function unwrapped(text) {
  const lines = text.split("\n");
  const joins = (line, next) => line.length >= LONG_LINE && !SPECIAL_LINE.test(next) && !/^\s*[#|]|^ {4}/.test(line) && !/^ {2}/.test(next) && !line.endsWith("  ");
  return lines.map((line, at) => (at + 1 === lines.length ? line : line + (joins(line, lines[at + 1]) ? " " : "\n"))).join("");
}

const FILTERS = {
  all: () => true,
  supported: (claim) => claim.verdict === "supported",
  contradicted: (claim) => claim.verdict === "contradicted",
  insufficient: (claim) => claim.verdict === "insufficient",
  conflict: (claim) => claim.conflict,
  citation: (claim) => claim.citations.some((citation) => citation.verdict !== "supported"),
};

// The filter of an address, "all" if it names none.
export const filterOf = (name) => (Object.hasOwn(FILTERS, name ?? "") ? name : "all");

export const passes = (claim, filter) => FILTERS[filter](claim);

// The numbers of the claims that pass a filter, in the order of the text.
export const numbersOf = (claims, filter) => inOrder(claims).filter(({ claim }) => passes(claim, filter)).map(({ number }) => number);

// How many claims pass each filter: {all: 5, supported: 3, …}.
export function countsOf(claims) {
  const arrived = claims.filter(Boolean);
  return Object.fromEntries(Object.entries(FILTERS).map(([name, shows]) => [name, arrived.filter(shows).length]));
}

// neighbour([1, 4, 5], 4, 1) → 5. Stays inside; from a number that is not shown it goes to the nearest one.
export function neighbour(numbers, number, step) {
  const at = numbers.indexOf(number);
  if (at >= 0) return numbers[Math.min(Math.max(at + step, 0), numbers.length - 1)];
  if (step < 0) return numbers.findLast((other) => other < number) ?? numbers.at(-1);
  return numbers.find((other) => other > (number ?? 0)) ?? numbers[0];
}

// The claim to show when the reader has chosen none: the first that is contradicted, else the first insufficient one.
export function firstToRead(claims) {
  for (const filter of ["contradicted", "insufficient", "all"]) {
    const [first] = numbersOf(claims, filter);
    if (first) return first;
  }
  return null;
}
