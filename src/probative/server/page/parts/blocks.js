// The text of a source as nodes: headings, lists, tables and paragraphs, each leaf a range of the text's own characters.
// - blocksOf(text, structure, span): the nodes of a part of a document, as its reader told them apart. A node is
//   {tag, props, kids}, a leaf {start, end}; `span` and leaves are indexes of the string, `structure` counts characters
// - divided(nodes, text, marks, here, base), withParts(nodes, text, partsOf): the leaves in pieces; <${Nodes} nodes />
// - spanAround(text, at, size), grown(text, span, size): which part of a long text is shown
// Tags are those written here: nothing of a document becomes one.
import { html } from "../preact.js";
import { characters, offsets } from "./text.js";

export const leaf = (start, end) => ({ start, end });
export const node = (tag, kids, props = {}) => ({ tag, props, kids });

// --- Nodes of a document

export function blocksOf(text, structure, span, top = 4) {
  if (structure?.layout !== "blocks") return [node("div", [leaf(span.start, span.end)], { class: "as-lines" })];
  const index = offsets(text);
  const isIn = ({ start }) => index(start) >= span.start && index(start) < span.end;
  const headings = new Map(structure.headings.filter(isIn).map((heading) => [index(heading.start), { ...heading, end: index(heading.end) }]));
  const labels = labelsOf(structure, index);
  const rows = rowsIn(structure.tables, index, span);
  const nodes = [];
  const path = [];
  let notes = false;
  let at = span.start;
  while (at < span.end) {
    const heading = headings.get(at);
    if (labels.has(at)) {
      const label = labels.get(at);
      notes = false;
      if (!heading || heading.text !== label.name) nodes.push(node("p", [{ words: label.words }], { class: "part-label" }));
    }
    let end;
    if (heading) {
      while (path.length && path.at(-1) >= heading.level) path.pop();
      path.push(heading.level);
      end = Math.min(heading.end, span.end);
      nodes.push(node(`h${Math.min(6, top + path.length - 1)}`, [leaf(at, end)]));
    } else if (rows.has(at)) {
      const first = rows.get(at);
      const body = [];
      for (let row = first; row && row.table === first.table && at < span.end; row = rows.get(at)) {
        body.push(row);
        end = row.end;
        at = nextBlock(text, end);
        if (labels.has(at)) break;
      }
      nodes.push(tableOf(first.table.names, body));
    } else {
      const found = text.indexOf("\n\n", at);
      end = found < 0 ? span.end : Math.min(found, span.end);
      notes ||= structure.slides.length > 0 && text.startsWith("Notes: ", at);
      nodes.push(...lines(text, at, end).map((each) => (notes ? node("div", [each], { class: "slide-notes" }) : each)));
    }
    at = nextBlock(text, end);
  }
  return nodes;
}

const nextBlock = (text, end) => (text.startsWith("\n\n", end) ? end + 2 : end);

// What stands before a block that begins a slide, a sheet or a page: its number or name.
function labelsOf({ slides, sheets, pages }, index) {
  const labels = new Map();
  pages.forEach((start, at) => labels.set(index(start), { words: `Page ${at + 1}` }));
  slides.forEach((start, at) => labels.set(index(start), { words: `Slide ${at + 1}`, name: `Slide ${at + 1}` }));
  sheets.forEach(({ start, name }) => labels.set(index(start), { words: `Sheet ${name}`, name }));
  return labels;
}

// The rows that begin in a part of the text, by their first index: {table, end, cells: [{start, end} | null]}.
function rowsIn(tables, index, span) {
  const rows = new Map();
  for (const table of tables) {
    const named = table.names.length > 0;
    const sizes = table.names.map((name) => (name ? characters(name) + 2 : 0));
    let at = table.start;
    if (index(at) >= span.end) break;
    for (const lengths of table.rows) {
      const cells = [];
      let end = at;
      lengths.forEach((length, column) => {
        if (named && !length) return cells.push(null);
        const start = end + (cells.some(Boolean) || (!named && column) ? (named ? 2 : 3) : 0) + (sizes[column] ?? 0);
        end = start + length;
        return cells.push({ start, end });
      });
      const first = index(at);
      if (first >= span.end) break;
      if (first >= span.start) rows.set(first, { table, end: index(end), cells: cells.map((cell) => cell && leaf(index(cell.start), index(cell.end))) });
      at = end + 2;
    }
  }
  return rows;
}

function tableOf(names, rows) {
  const width = Math.max(names.length, ...rows.map((row) => row.cells.length));
  const columns = Array.from({ length: width }, (_, column) => column);
  const head = names.some(Boolean) && node("thead", [node("tr", columns.map((column) => (names[column] ? node("th", [{ words: names[column] }], { scope: "col" }) : node("td", []))))]);
  const body = rows.map(({ cells }) => node("tr", columns.map((column) => node("td", cells[column] ? [cells[column]] : []))));
  return node("table", [...(head ? [head] : []), node("tbody", body)]);
}

const ITEM = /^(?:- |(\d{1,9})\. )/;

// The lines of a block: items of a list, or a paragraph.
function lines(text, from, to) {
  const nodes = [];
  let list = null;
  let paragraph = null;
  for (let at = from; at < to; ) {
    const found = text.indexOf("\n", at);
    const end = found < 0 || found > to ? to : found;
    const item = ITEM.exec(text.slice(at, Math.min(end, at + 12)));
    if (item) {
      const tag = item[1] ? "ol" : "ul";
      if (list?.tag !== tag) nodes.push((list = node(tag, [])));
      list.kids.push(node("li", [leaf(at + item[0].length, end)], item[1] ? { value: Number(item[1]) } : {}));
    } else if (list) {
      list.kids.at(-1).kids[0].end = end;
    } else if (paragraph) {
      paragraph.end = end;
    } else {
      nodes.push(node("p", [(paragraph = leaf(at, end))]));
    }
    at = end + 1;
  }
  return nodes;
}

// --- The part of a long text that is shown

// spanAround("…", 50_000, 30_000): a third of it before the place, where a block begins.
export function spanAround(text, at, size) {
  if (text.length <= 2 * size) return { start: 0, end: text.length };
  const start = blockBefore(text, Math.max(0, at - size / 3), size);
  return { start, end: blockAfter(text, Math.max(start, at) + size, size) };
}

export const grown = (text, span, size, before) => (before ? { ...span, start: blockBefore(text, span.start - size, size) } : { ...span, end: blockAfter(text, span.end + size, size) });

function blockBefore(text, at, size) {
  if (at <= 0) return 0;
  const found = text.lastIndexOf("\n\n", at);
  return found >= at - size ? (found < 0 ? 0 : found + 2) : whole(text, Math.floor(at));
}

function blockAfter(text, at, size) {
  if (at >= text.length) return text.length;
  const found = text.indexOf("\n\n", at);
  return found >= 0 && found <= at + size ? found : found < 0 && text.length <= at + size ? text.length : whole(text, Math.floor(at));
}

// An index that is not inside of a character.
const whole = (text, at) => (/[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at);

// --- Drawing

// Marks with indexes of the string instead of characters.
export function placed(text, marks) {
  const index = offsets(text);
  return marks.map((mark) => ({ ...mark, start: index(mark.start), end: index(mark.end) })).filter((mark) => mark.end > mark.start);
}

// Nodes whose leaves have got what is drawn: `partsOf(leaf)` gives {text, …} for each piece of it.
export function withParts(nodes, text, partsOf) {
  return nodes.map((each) => {
    if (each.tag) return { ...each, kids: withParts(each.kids, text, partsOf) };
    if (each.words !== undefined) return each;
    const parts = partsOf(each);
    return { parts: each.shown === undefined ? parts : [{ ...parts.at(-1), text: each.shown }] };
  });
}

// Divide the leaves below some nodes where marks begin and end; a mark has its label once. `ids` are those of the
// pieces that the reader asked for.
export function divided(nodes, text, marks, here, base) {
  const told = new Set();
  const ids = [];
  const partsOf = ({ start, end }) => {
    const own = marks.filter((mark) => mark.start < end && mark.end > start);
    const borders = [...new Set([start, end, ...own.flatMap((mark) => [mark.start, mark.end]).filter((at) => at > start && at < end)])].sort((a, b) => a - b);
    return borders.slice(0, -1).map((from, at) => {
      const covering = own.filter((mark) => mark.start <= from && mark.end >= borders[at + 1]);
      const first = covering.find((mark) => mark.label && !told.has(mark.id));
      covering.forEach((mark) => told.add(mark.id));
      const id = covering.some((mark) => String(mark.id) === here) ? `${base}-${from}` : null;
      if (id) ids.push(id);
      return { text: text.slice(from, borders[at + 1]), marks: covering, label: first?.label ?? null, id };
    });
  };
  return { nodes: withParts(nodes, text, partsOf), ids };
}

// `Draw` draws a part of a leaf.
export function Nodes({ nodes, Draw = Piece }) {
  return nodes.map((each, number) => {
    if (each.tag) return html`<${each.tag} key=${number} ...${each.props}>${each.kids.length > 0 && html`<${Nodes} nodes=${each.kids} Draw=${Draw} />`}<//>`;
    return each.words ?? each.parts.map((part, at) => html`<${Draw} key=${`${number}-${at}`} part=${part} />`);
  });
}

function Piece({ part }) {
  if (!part.marks.length) return part.text;
  const kinds = part.marks.map((mark) => mark.kind ?? "cited").join(" ");
  const ids = part.marks.map((mark) => String(mark.id));
  return html`<mark id=${part.id} class="${kinds} ${part.id ? "here" : ""}" data-marks=${ids.join(" ")}>${
    part.label && html`<span class="hidden">[${part.label}] </span>`}${part.text}</mark>`;
}
