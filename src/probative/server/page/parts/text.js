// Places in texts. The API counts characters (code points), JavaScript counts UTF-16 units: "😀" is 1 and 2.

const ASTRAL = /[\ud800-\udbff]/;

// A function that turns a character offset of the API into an index of `text`.
export function offsets(text) {
  if (!ASTRAL.test(text)) return (offset) => Math.max(0, Math.min(offset, text.length));
  const starts = [];
  let at = 0;
  for (const character of text) {
    starts.push(at);
    at += character.length;
  }
  starts.push(at);
  return (offset) => starts[Math.max(0, Math.min(offset, starts.length - 1))];
}

// slice("😀 ok", 2, 4) → "ok"
export function slice(text, start, end) {
  const index = offsets(text);
  return text.slice(index(start), index(end));
}

// Whether characters of a text still say what was cited: at least half of the words, since rows of tables are cited with
// their heads. stillSays("The ferry is old.", {start: 4, end: 9}, "ferry") → true
export function stillSays(text, { start, end }, cited) {
  const words = (part) => part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const [here, wanted] = [words(slice(text, start, end)), new Set(words(cited))];
  return 2 * new Set(here.filter((word) => wanted.has(word))).size >= Math.min(wanted.size, new Set(here).size) && (here.length > 0 || wanted.size === 0);
}

// The number of characters as the API counts them.
export const characters = (text) => (ASTRAL.test(text) ? Array.from(text).length : text.length);

// parseCitation("minutes/may.pdf#page=3&char=120,188") → {source: "minutes/may.pdf", place: "page 3", start: 120, end: 188}
export function parseCitation(citation) {
  const at = citation.lastIndexOf("#");
  if (at < 0) return { source: citation, place: "", start: null, end: null };
  const place = new URLSearchParams(citation.slice(at + 1));
  const [start, end] = (place.get("char") ?? "").split(",").filter(Boolean).map(Number);
  return { source: citation.slice(0, at), place: placeInWords(Object.fromEntries(place)), start: start ?? null, end: end ?? null };
}

// placeInWords({sheet: "Ropes", cells: "A4:D4"}) → "sheet Ropes, A4:D4"; placeInWords({}) → ""
export function placeInWords({ page, slide, sheet, cells }) {
  if (sheet) return [`sheet ${sheet}`, cells].filter(Boolean).join(", ");
  return page ? `page ${page}` : slide ? `slide ${slide}` : "";
}

// pieces("abcd", [{start: 1, end: 3, kind: "cited"}]) → [{text: "a", marks: []}, {text: "bc", marks: [mark]}, …]
// Marks may overlap; a piece has all marks that cover it.
export function pieces(text, marks) {
  const index = offsets(text);
  const placed = marks.map((mark) => ({ ...mark, start: index(mark.start), end: index(mark.end) })).filter((mark) => mark.end > mark.start);
  const borders = [...new Set([0, text.length, ...placed.flatMap((mark) => [mark.start, mark.end])])].sort((a, b) => a - b);
  return borders.slice(0, -1).map((start, at) => ({
    text: text.slice(start, borders[at + 1]),
    marks: placed.filter((mark) => mark.start <= start && mark.end >= borders[at + 1]),
  }));
}

// The place of a quoted sentence in a text, in characters, or null. Runs of white space count as one space,
// because passages of documents are cleaned and documents are not.
export function findQuote(text, quote) {
  const words = quote.trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = words[0] ? new RegExp(words.join("\\s+")).exec(text) : null;
  if (!found) return null;
  return { start: characters(text.slice(0, found.index)), end: characters(text.slice(0, found.index + found[0].length)) };
}
