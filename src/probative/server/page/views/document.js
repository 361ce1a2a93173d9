// A document of a corpus with one place marked: "#/document/CORPUS?source=minutes/may.pdf&page=3&char=120,188".
// Citations in the answers of /v1 lead here.
import { getDocument } from "../api.js";
import { ErrorBox } from "../parts/error_box.js";
import { SourceView } from "../parts/source_view.js";
import { placeInWords } from "../parts/text.js";
import { html, useEffect, useMemo, useState } from "../preact.js";

export default function DocumentView({ params, query }) {
  const [corpus = ""] = params;
  const source = query.source ?? "";
  const [found, setFound] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => {
    const stop = new AbortController();
    setFound(null);
    setError(null);
    getDocument(corpus, source, { signal: stop.signal }).then(setFound, (problem) => {
      if (!stop.signal.aborted) setError(problem);
    });
    return () => stop.abort();
  }, [corpus, source]);
  const marks = useMemo(() => marked(query.char), [query.char]);
  const file = found && { corpus, source: found.source, pages: found.pages, page: Math.max(1, Number(query.page) || 1) };
  return html`<div class="stack">
    <div class="view-head"><h1>Document</h1><p class="lead">From the corpus “${corpus}”, as it was indexed.</p></div>
    ${error && html`<${ErrorBox} error=${error} />`}
    ${!error && !found && html`<p class="muted" role="status">Loading…</p>`}
    ${found && html`<${SourceView} title=${found.title} place=${[found.source, placeInWords(query)].filter(Boolean).join(", ")} text=${found.text} structure=${found.structure}
      marks=${marks} focus=${marks.length ? "place" : null} file=${file} level=${2} />`}
  </div>`;
}

function marked(place) {
  const [start, end] = (place ?? "").split(",").map(Number);
  if (!Number.isInteger(start) || !Number.isInteger(end)) return [];
  return [{ id: "place", start, end, kind: "cited", label: "cited" }];
}
