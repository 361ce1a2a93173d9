// Passages as a person writes them: separated by empty lines, each with an optional first line "# Title".

// parsePassages("# Ferries\nIt sank.\n\nIt rained.") → [{title: "Ferries", text: "It sank."}, {text: "It rained."}]
export function parsePassages(text) {
  return text.split(/\n\s*\n/).map((block) => block.trim()).filter(Boolean).map(parseBlock).filter((passage) => passage.text);
}

function parseBlock(block) {
  const titled = /^#+ +(.+)\n([\s\S]+)$/.exec(block);
  return titled ? { title: titled[1].trim(), text: titled[2].trim() } : { text: block };
}

// The inverse, for the passages of a request: texts or objects with `text` and `title`.
export function formatPassages(passages) {
  return passages.map((passage) => {
    const { text, title } = typeof passage === "string" ? { text: passage } : passage;
    const body = text.trim().replace(/\n\s*\n/g, "\n");
    return title ? `# ${title}\n${body}` : body;
  }).join("\n\n");
}
