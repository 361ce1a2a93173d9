// A sentence of a source that was read for a claim, and its source opened at that place.
import { getDocument, getSources } from "../../api.js";
import { Button } from "../../parts/button.js";
import { ErrorBox } from "../../parts/error_box.js";
import { SourceView } from "../../parts/source_view.js";
import { findQuote, parseCitation, placeInWords, slice, stillSays } from "../../parts/text.js";
import { html, useEffect, useId, useMemo, useState } from "../../preact.js";
import { readBy } from "../ask/answer.js";

const STANCES = { supports: "Says so", contradicts: "Says otherwise" };
const KINDS = { supports: "deciding", contradicts: "conflict" };
const MARK = "sentence";

// <${Quote} sentence=${sentence} run=${run} />; `told` leaves out the stance where a heading says it.
export function Quote({ sentence, run, told = false }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const stance = sentence.stance ? STANCES[sentence.stance] : null;
  const place = placeOf(sentence);
  return html`<figure class="quote ${sentence.stance ?? ""}" aria-labelledby=${`${id}-place`}>
    <blockquote>${sentence.deciding ? html`<mark class=${KINDS[sentence.stance] ?? "cited"}>${sentence.text}</mark>` : sentence.text}</blockquote>
    <figcaption>
      <span id=${`${id}-place`}>${stance && !told && html`<strong>${stance}</strong> · `}${place}</span>
      ${run && html`<${Button} kind="quiet" aria-expanded=${open ? "true" : "false"} aria-controls=${id} aria-describedby=${`${id}-place`} onClick=${() => setOpen(!open)}>
        ${open ? "Close the source" : "Open the source here"}<//>`}
    </figcaption>
    <div id=${id}>${open && html`<${OpenSource} sentence=${sentence} run=${run} />`}</div>
  </figure>`;
}

// "Annual report 2024 › Accounts · reports/annual-report-2024.pdf · page 2 · dated 2025-03-31"
export function placeOf(sentence) {
  const place = sentence.citation ? parseCitation(sentence.citation).place : placeInWords(sentence);
  const date = sentence.date ? `dated ${sentence.date}` : null;
  const parts = [sentence.title, sentence.source, place, date, readBy(sentence)].filter(Boolean);
  return parts.length ? parts.join(" · ") : "a passage";
}

function OpenSource({ sentence, run }) {
  const [source, setSource] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => {
    loadSource(sentence, run).then(setSource, setError);
  }, [sentence, run.id]);
  const marks = useMemo(() => (source?.at ? [{ ...source.at, id: MARK, kind: KINDS[sentence.stance] ?? "cited", label: "the sentence" }] : []), [source]);
  const focus = useMemo(() => ({ id: MARK }), [source]);
  if (error) return html`<${ErrorBox} error=${error} />`;
  if (!source) return html`<p class="muted" role="status">Opening the source…</p>`;
  return html`<${SourceView} title=${source.title ?? sentence.title} place=${source.source ?? null} text=${source.text} structure=${source.structure ?? null} marks=${marks} focus=${focus} file=${source.file ?? null} level=${4} back="Back to the evidence" />`;
}

// The text that a sentence comes from, and its place there: {title, source, text, at: {start, end} | null}.
async function loadSource(sentence, run) {
  const { corpus } = run.request;
  if (corpus) {
    const found = await getDocument(corpus, sentence.source);
    const at = placed(sentence);
    return { ...found, file: { corpus, source: found.source, pages: found.pages }, at: at && stillSays(found.text, at, sentence.text) ? at : findQuote(found.text, sentence.text) };
  }
  const sources = await getSources(run);
  return inSources(sources, sentence) ?? { title: sentence.title, source: sentence.source, text: sentence.text, at: null };
}

const placed = ({ start, end }) => (start === null || end === null ? null : { start, end });

// Passages may share a name or have none, so the one that has the sentence's words is taken, at its place if it fits.
export function inSources(sources, sentence) {
  const same = (source) => sentence.source !== null && [source.source, source.id].includes(sentence.source);
  for (const source of [...sources.filter(same), ...sources.filter((other) => !same(other))]) {
    const at = placed(sentence);
    const fits = at && slice(source.text, at.start, at.end) === sentence.text;
    const found = fits ? at : findQuote(source.text, sentence.text);
    if (found) return { ...source, at: found };
  }
  const named = sources.find(same);
  return named ? { ...named, at: placed(sentence) } : null;
}
