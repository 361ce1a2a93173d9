// Corpora and documents in words.
import { count, whole } from "../../parts/format.js";
import { html } from "../../preact.js";

export const POLL_MS = 700;

// extentOf({documents: 3, passages: 40}) → "3 documents, 40 passages"
export const extentOf = (corpus) => `${count(corpus.documents, "document")}, ${count(corpus.passages, "passage")}`;

const SOURCES = {
  "--date": "set by you",
  "front matter": "in the front matter",
  header: "in the header of the e-mail",
  column: "in a column",
  text: "stated in the text",
  metadata: "in the metadata",
  "file name": "in the file name",
  "file properties": "in the file’s properties",
};

// Where a date was found: dateSource("file name") → "in the file name"
export const dateSource = (source) => SOURCES[source] ?? source;

// doing({done: 2, total: 5, source: "a.md"}) → "Reading 3 of 5: a.md"
export function doing({ done, total, source }) {
  if (!total) return "Waiting to be read";
  return done < total ? `Reading ${whole(done + 1)} of ${whole(total)}${source && `: ${source}`}` : "Writing the index";
}

export function Indexing({ corpus }) {
  if (corpus.indexing) return html`<span>${doing(corpus.indexing)}…</span>`;
  const unread = corpus.unread_total > 0 && `${count(corpus.unread_total, "file")} could not be read`;
  return html`<span class=${corpus.failed || unread ? "problem" : ""}>${corpus.failed ?? (unread || "Ready")}</span>`;
}
