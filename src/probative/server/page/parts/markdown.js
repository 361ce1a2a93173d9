// Markdown as nodes of parts/blocks.js: headings, lists, quotes, code, tables and what parts/emphasis.js finds in lines.
// - markdownNodes(text, span, top): the nodes of a part of a text; `top` is the level of its highest headings
// - hasBlocks(text): whether it has more than lines of words
// Every leaf is a range of the text, so marks stay exact. HTML is text, and addresses of links are shown, not followed.
import { leaf, node } from "./blocks.js";
import { inlineNodes } from "./emphasis.js";

const MAX_DEPTH = 8;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})(?:[-*+]|(\d{1,9})[.)])(?: {1,4}(?=\S)| |$)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n[^]*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const BLOCKS = [FENCE, HEADING, RULE, QUOTE, ITEM];

export const hasBlocks = (text) => text.split("\n").some((line) => BLOCKS.some((block) => block.test(line)) || (line.includes("|") && DELIMITERS.test(line)));

export function markdownNodes(text, span, top = 4) {
  const front = span.start === 0 ? FRONT_MATTER.exec(text.slice(0, 20_000)) : null;
  const nodes = front ? [node("pre", [leaf(0, front[0].trimEnd().length)], { class: "front-matter" })] : [];
  return [...nodes, ...blocks(text, linesOf(text, front ? front[0].length : span.start, span.end), { top, path: [] }, 0)];
}

function linesOf(text, from, to) {
  const lines = [];
  for (let at = from; at < to; ) {
    const found = text.indexOf("\n", at);
    const end = found < 0 || found > to ? to : found;
    lines.push({ start: at, end: text[end - 1] === "\r" && end > at ? end - 1 : end });
    at = end + 1;
  }
  return lines;
}

// `lines` are ranges without the marks of the quotes and lists around them.
function blocks(text, lines, headings, depth) {
  const words = (line) => text.slice(line.start, line.end);
  const isBlank = (line) => !words(line).trim();
  const isItem = (line) => ITEM.test(words(line)) && !RULE.test(words(line));
  const nodes = [];
  // The first line from each one on that is not empty.
  const full = new Array(lines.length + 1).fill(lines.length);
  for (let each = lines.length - 1; each >= 0; each -= 1) full[each] = isBlank(lines[each]) ? full[each + 1] : each;
  let at = 0;
  const takeWhile = (test) => {
    const first = at;
    while (at < lines.length && test(lines[at], at)) at += 1;
    return lines.slice(first, at);
  };
  while (at < lines.length) {
    const line = lines[at];
    const own = words(line);
    const fence = FENCE.exec(own);
    const heading = HEADING.exec(own);
    if (isBlank(line)) {
      at += 1;
    } else if (fence) {
      at += 1;
      const closing = new RegExp(`^ {0,3}${fence[1][0]}{${fence[1].length},}[ \\t]*$`);
      nodes.push(codeOf(takeWhile((each) => !closing.test(words(each)))));
      at += 1;
    } else if (heading) {
      const closed = own.slice(heading[0].length).trimEnd().replace(/(?:^|[ \t])#+$/, "").trimEnd();
      nodes.push(headingOf(text, headings, heading[1].length, [{ start: line.start + heading[0].length, end: line.start + heading[0].length + closed.length }]));
      at += 1;
    } else if (RULE.test(own)) {
      nodes.push(node("hr", []));
      at += 1;
    } else if (QUOTE.test(own) && depth < MAX_DEPTH) {
      const quoted = takeWhile((each) => QUOTE.test(words(each))).map((each) => ({ start: each.start + QUOTE.exec(words(each))[0].length, end: each.end }));
      nodes.push(node("blockquote", blocks(text, quoted, { top: 7, path: [] }, depth + 1)));
    } else if (isItem(line) && depth < MAX_DEPTH) {
      const isNumbered = ITEM.exec(own)[2] !== undefined;
      const list = node(isNumbered ? "ol" : "ul", []);
      while (at < lines.length && isItem(lines[at]) && (ITEM.exec(words(lines[at]))[2] !== undefined) === isNumbered) {
        const mark = ITEM.exec(words(lines[at]));
        const width = mark[0].length;
        const first = { start: lines[at].start + width, end: lines[at].end };
        at += 1;
        const rest = takeWhile((each, index) => {
          const indent = words(each).search(/\S|$/);
          if (isBlank(each)) return full[index] < lines.length && words(lines[full[index]]).search(/\S/) >= width;
          return indent >= width || (indent > 0 && isItem(each) && indent > mark[1].length + 1) || (!isBlank(lines[index - 1]) && !BLOCKS.some((block) => block.test(words(each))));
        }).map((each) => ({ start: each.start + Math.min(width, words(each).search(/\S|$/)), end: each.end }));
        const kids = blocks(text, [first, ...rest], { top: 7, path: [] }, depth + 1);
        list.kids.push(node("li", kids.length && kids[0].tag === "p" ? [...kids[0].kids, ...kids.slice(1)] : kids, isNumbered ? { value: Number(mark[2]) } : {}));
        while (at < lines.length && isBlank(lines[at]) && isItem(lines[at + 1] ?? { start: 0, end: 0 })) at += 1;
      }
      nodes.push(list);
    } else if (own.includes("|") && at + 1 < lines.length && isTable(words, line, lines[at + 1])) {
      at += 2;
      nodes.push(tableOf(text, line, takeWhile((each) => !isBlank(each) && words(each).includes("|"))));
    } else if (/^ {4}/.test(own)) {
      const code = takeWhile((each) => /^ {4}/.test(words(each)) || isBlank(each));
      while (isBlank(code.at(-1))) code.pop();
      nodes.push(codeOf(code.map((each) => ({ start: Math.min(each.start + 4, each.end), end: each.end }))));
    } else {
      const first = at;
      at += 1;
      const more = takeWhile((each, index) => !isBlank(each) && !BLOCKS.some((block) => block.test(words(each)) && !(block === ITEM && /^\s*\d/.test(words(each)) && !/^\s*1[.)]/.test(words(each)))) && !UNDERLINE.test(words(each)) && !(words(each).includes("|") && index + 1 < lines.length && isTable(words, each, lines[index + 1])));
      const underline = at < lines.length ? UNDERLINE.exec(words(lines[at])) : null;
      const paragraph = [lines[first], ...more].map((each) => ({ start: each.start + words(each).search(/\S/), end: each.end }));
      if (underline) at += 1;
      nodes.push(underline ? headingOf(text, headings, underline[1][0] === "=" ? 1 : 2, paragraph) : node("p", inlineNodes(text, paragraph)));
    }
  }
  return nodes;
}

// No level is left out on the page, whatever the text does; headings in lists and quotes are bold words.
function headingOf(text, { top, path }, level, lines) {
  if (top > 6) return node("p", [node("strong", inlineNodes(text, lines))]);
  while (path.length && path.at(-1) >= level) path.pop();
  path.push(level);
  return node(`h${Math.min(6, top + path.length - 1)}`, inlineNodes(text, lines));
}

const codeOf = (lines) => node("pre", [node("code", lines.flatMap((line, at) => [...(at ? [{ words: "\n" }] : []), ...(line.end > line.start ? [leaf(line.start, line.end)] : [])]))]);

const isTable = (words, line, next) => DELIMITERS.test(words(next)) && words(next).includes("|") && cellsOf(words(line)).length === cellsOf(words(next)).length;

function tableOf(text, head, rows) {
  const names = cellsOf(text.slice(head.start, head.end), head.start);
  const row = (tag, cells, props) => node("tr", names.map((_, at) => node(tag, cells[at] ? inlineNodes(text, [cells[at]]) : [], props)));
  const body = rows.map((line) => row("td", cellsOf(text.slice(line.start, line.end), line.start), {}));
  return node("table", [node("thead", [row("th", names, { scope: "col" })]), ...(body.length ? [node("tbody", body)] : [])]);
}

// The cells of a line between its bars, as ranges; "\|" is no bar.
function cellsOf(words, offset = 0) {
  const cells = [];
  let from = /^\s*\|?/.exec(words)[0].length;
  for (let at = from; at <= words.length; at += 1) {
    if (words[at] === "\\") at += 1;
    else if (words[at] === "|" || at >= words.length) {
      const cell = words.slice(from, at);
      if (at < words.length || cell.trim()) cells.push({ start: offset + from + cell.search(/\S|$/), end: offset + from + cell.trimEnd().length });
      from = at + 1;
    }
  }
  return cells.map((cell) => ({ ...cell, end: Math.max(cell.start, cell.end) }));
}
