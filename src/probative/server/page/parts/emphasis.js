// What Markdown marks inside of lines: emphasis, code, links, line breaks, escaped signs.
// inlineNodes(text, lines) gives nodes and leaves of parts/blocks.js; `lines` are ranges of the text.
import { leaf, node } from "./blocks.js";

// Longer paragraphs are shown as they are: each kind of mark is looked for in time that grows with the square.
const MAX_LENGTH = 20_000;
const MAX_DEPTH = 6;
const MAX_OPEN = 50;
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}\p{S}]/u;
const TARGET = /\([ \t\n]*(<[^<>\n]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500}){0,3})(?:[ \t\n]+(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?[ \t\n]*\)/y;
const ADDRESS = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2000}|[^\s<>@]{1,64}@[^\s<>@]{1,255})>/iy;
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/iy;
const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

export function inlineNodes(text, lines) {
  const joined = lines.map((line) => text.slice(line.start, line.end)).join("\n");
  const starts = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.end - line.start + 1;
  }
  // Leaves of the joined lines, as ranges of the text: one for each line.
  const place = (from, to) => {
    const ranges = [];
    for (let number = lastAtMost(starts, from); number < lines.length && starts[number] < to; number += 1) {
      const line = lines[number];
      const length = line.end - line.start;
      const start = Math.max(from - starts[number], 0);
      const end = Math.min(to - starts[number], length);
      if (end > start) ranges.push(leaf(line.start + start, line.start + end));
      if (to - starts[number] > length) ranges.push({ words: "\n" });
    }
    return ranges;
  };
  if (joined.length > MAX_LENGTH) return place(0, joined.length);
  const placed = (each) => (each.tag ? node(each.tag, each.kids.flatMap(placed), each.props) : each.shown !== undefined ? place(each.start, each.end).map((range) => ({ ...range, shown: each.shown })) : place(each.start, each.end));
  return parse(joined, 0, joined.length, 0).flatMap(placed);
}

// The index of the last of some ascending numbers that is at most a number; 0 if none is.
function lastAtMost(numbers, number) {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (numbers[middle] <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Nodes and leaves of a part of a string.
function parse(words, from, to, depth) {
  const frames = [{ delimiter: null, kids: [] }];
  const open = new Map();
  const closers = bracketsOf(words, from, to);
  const missing = new Set();
  let plain = from;
  let at = from;
  const add = (...kids) => frames.at(-1).kids.push(...kids);
  const flush = (end) => end > plain && add({ start: plain, end });
  const skipTo = (next) => {
    at = next;
    plain = next;
  };
  while (at < to) {
    const sign = words[at];
    if (sign === "\\" && at + 1 < to && (words[at + 1] === "\n" || /[!-/:-@[-`{-~]/.test(words[at + 1]))) {
      flush(at);
      if (words[at + 1] === "\n") add(node("br", []));
      plain = words[at + 1] === "\n" ? at + 2 : at + 1;
      at += 2;
    } else if (sign === "`") {
      const run = runOf(words, at, to);
      const end = missing.has(run) ? -1 : closingTicks(words, at + run, to, run);
      if (end < 0) {
        missing.add(run);
        at += run;
        continue;
      }
      flush(at);
      const inner = words.slice(at + run, end);
      const pad = inner.length > 2 && /^[ \n]/.test(inner) && /[ \n]$/.test(inner) && inner.trim() ? 1 : 0;
      add(node("code", [{ start: at + run + pad, end: end - pad }]));
      skipTo(end + run);
    } else if (sign === "<") {
      ADDRESS.lastIndex = at;
      const found = ADDRESS.exec(words);
      if (!found || ADDRESS.lastIndex > to) at += 1;
      else {
        flush(at);
        add(node("span", [{ start: at + 1, end: at + 1 + found[1].length }], { class: "address" }));
        skipTo(at + found[0].length);
      }
    } else if (sign === "&") {
      ENTITY.lastIndex = at;
      const found = ENTITY.exec(words);
      const code = found && (found[2] ? Number(found[2]) : found[3] ? parseInt(found[3], 16) : null);
      if (!found || (code !== null && (code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)))) at += 1;
      else {
        flush(at);
        add({ start: at, end: at + found[0].length, shown: found[1] ? NAMED[found[1].toLowerCase()] : String.fromCodePoint(code) });
        skipTo(at + found[0].length);
      }
    } else if (sign === "[" || (sign === "!" && words[at + 1] === "[")) {
      const label = sign === "!" ? at + 2 : at + 1;
      const close = closers.get(label - 1);
      TARGET.lastIndex = (close ?? -1) + 1;
      const target = close !== undefined && depth < MAX_DEPTH ? TARGET.exec(words) : null;
      if (!target || TARGET.lastIndex > to) {
        at = label;
        continue;
      }
      flush(at);
      const start = words.indexOf(target[1], close + 1);
      const address = target[1].startsWith("<") ? { start: start + 1, end: start + target[1].length - 1 } : { start, end: start + target[1].length };
      const same = words.slice(label, close) === words.slice(address.start, address.end);
      const shown = address.end > address.start && !same ? [node("span", [address], { class: "address" })] : [];
      add(node("span", [...parse(words, label, close, depth + 1), ...shown], { class: sign === "!" ? "image" : "link" }));
      skipTo(close + 1 + target[0].length);
    } else if (sign === "*" || sign === "_" || (sign === "~" && words[at + 1] === "~")) {
      flush(at);
      const run = runOf(words, at, to);
      emphasis(words, at, run, from, to, frames, open);
      skipTo(at + run);
    } else if (sign === "\n") {
      const spaces = /( {2,})$/.exec(words.slice(Math.max(plain, at - 100), at));
      if (spaces) {
        flush(at - spaces[0].length);
        add(node("br", []));
        skipTo(at + 1);
      } else at += 1;
    } else at += 1;
  }
  flush(to);
  while (frames.length > 1) unmatched(frames, open);
  return frames[0].kids;
}

const runOf = (words, at, to) => {
  let end = at;
  while (end < to && words[end] === words[at]) end += 1;
  return end - at;
};

function closingTicks(words, from, to, length) {
  for (let at = words.indexOf("`", from); at >= 0 && at < to; at = words.indexOf("`", at)) {
    const run = runOf(words, at, to);
    if (run === length) return at;
    at += run;
  }
  return -1;
}

// Where the bracket that begins at an index is closed.
function bracketsOf(words, from, to) {
  const closers = new Map();
  const opened = [];
  for (let at = from; at < to; at += 1) {
    if (words[at] === "\\") at += 1;
    else if (words[at] === "[") opened.push(at);
    else if (words[at] === "]" && opened.length) closers.set(opened.pop(), at);
  }
  return closers;
}

// A run of signs closes what was opened by the same sign, and opens something with what is left of it.
function emphasis(words, at, run, from, to, frames, open) {
  const sign = words[at];
  const before = at > from ? words[at - 1] : " ";
  const after = at + run < to ? words[at + run] : " ";
  const opens = !/\s/.test(after) && (!PUNCTUATION.test(after) || /\s/.test(before) || PUNCTUATION.test(before));
  const closes = !/\s/.test(before) && (!PUNCTUATION.test(before) || /\s/.test(after) || PUNCTUATION.test(after));
  const inWord = sign === "_" && opens && closes && !PUNCTUATION.test(before) && !PUNCTUATION.test(after);
  let left = run;
  while (closes && !inWord && left > 0 && open.get(sign) > 0) {
    while (frames.at(-1).delimiter.sign !== sign) unmatched(frames, open);
    const { delimiter, kids } = frames.at(-1);
    const used = Math.min(2, left, delimiter.left);
    if (sign === "~" && used < 2) break;
    delimiter.left -= used;
    left -= used;
    const made = node(sign === "~" ? "del" : used === 2 ? "strong" : "em", kids);
    if (delimiter.left) frames.at(-1).kids = [made];
    else {
      frames.pop();
      open.set(sign, open.get(sign) - 1);
      frames.at(-1).kids.push(made);
    }
  }
  if (!left) return;
  if (opens && !inWord && frames.length < MAX_OPEN) {
    frames.push({ delimiter: { sign, start: at + run - left, left }, kids: [] });
    open.set(sign, (open.get(sign) ?? 0) + 1);
  } else frames.at(-1).kids.push({ start: at + run - left, end: at + run });
}

// Signs that nothing closes are text.
function unmatched(frames, open) {
  const { delimiter, kids } = frames.pop();
  open.set(delimiter.sign, open.get(delimiter.sign) - 1);
  frames.at(-1).kids.push({ start: delimiter.start, end: delimiter.start + delimiter.left }, ...kids);
}
