// A text of a model, which may be Markdown: <${MarkdownText} text=${answer} />. One line has no blocks: "1. FC Köln" is a name.
import { html, useMemo } from "../preact.js";
import { Nodes, withParts } from "./blocks.js";
import { inlineNodes } from "./emphasis.js";
import { markdownNodes } from "./markdown.js";

export function MarkdownText({ text, top = 3 }) {
  const isLine = !text.trim().includes("\n");
  const nodes = useMemo(() => {
    const found = isLine ? inlineNodes(text, [{ start: 0, end: text.length }]) : markdownNodes(text, { start: 0, end: text.length }, top);
    return withParts(found, text, ({ start, end }) => [{ text: text.slice(start, end) }]);
  }, [text]);
  const drawn = html`<${Nodes} nodes=${nodes} Draw=${Words} />`;
  return isLine ? drawn : html`<div class="markdown">${drawn}</div>`;
}

const Words = ({ part }) => part.text;
