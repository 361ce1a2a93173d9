// Where the pieces of an answer stand: the texts of a run's sources, and the marked places in them.
import { getDocument, getSources } from "../../api.js";
import { useNumber } from "../../parts/numbered.js";
import { SourceView } from "../../parts/source_view.js";
import { findQuote, parseCitation, slice, stillSays } from "../../parts/text.js";
import { levelOf } from "../../parts/verdict_badge.js";
import { html, useCallback, useEffect, useId, useMemo, useState } from "../../preact.js";

// [5] is the label of the passage with index 4, as in notes and on the terminal.
export const label = (index) => `[${index + 1}]`;

// The sentences that lead to the cited ones; a run of an older version has none.
export const leadingOf = (result) => result.leading ?? [];

// The places of a result: [{id, kind, key, index, citation, text, label}]. `key` names the text a place is in:
// a document by its source, a pasted passage by its index.
export function placesOf(result) {
  const places = [];
  const add = (place) => places.push({ ...place, key: keyOf(place) });
  result.chain.forEach((passage) => add({ id: `passage-${passage.index}`, kind: "passage", index: passage.index, citation: passage.citation, text: passage.text, title: passage.title, start: passage.start, end: passage.end }));
  const addSentence = (sentence, more) => {
    const passage = result.chain.find((other) => other.index === sentence.index);
    add({ index: sentence.index, citation: sentence.citation ?? passage?.citation, whole: !sentence.citation, text: sentence.text, title: passage?.title, start: (passage?.start ?? 0) + sentence.start, end: (passage?.start ?? 0) + sentence.end, ...more });
  };
  result.cited.forEach((cited, number) => addSentence(cited, { id: `cited-${number}`, kind: cited.deciding ? "deciding" : "cited", label: "cited sentence" }));
  leadingOf(result).forEach((lead, number) => addSentence(lead, { id: `leading-${number}`, kind: "leading", label: "leads to the cited sentence" }));
  result.conflicts.forEach((conflict, number) => {
    add({ id: `conflict-${number}-a`, kind: "conflict", index: conflict.index, citation: conflict.citation, text: conflict.text, label: `says ${conflict.says}` });
    add({ id: `conflict-${number}-b`, kind: "conflict", index: conflict.other, citation: conflict.other_citation, text: conflict.other_text, label: `says ${conflict.instead}` });
  });
  return places;
}

const keyOf = (place) => (place.citation ? parseCitation(place.citation).source : `#${place.index}`);

// A hook: {places, shown, error, show(id)}. `shown` is {title, place, text, marks, focus}, the text with the place
// that was asked for last; at first that is the sentence that holds the answer.
export function useEvidence(run, result) {
  const places = useMemo(() => placesOf(result), [result]);
  const [wanted, setWanted] = useState(null);
  const [shown, setShown] = useState(null);
  const first = firstPlace(result, places);
  const target = wanted ?? (first && { id: first.id, quiet: true });
  useEffect(() => {
    const place = places.find((other) => other.id === target?.id);
    if (!place) return undefined;
    const abort = new AbortController();
    textOf(run, place, abort.signal).then(
      (found) => abort.signal.aborted || setShown(isThere(found, place) ? view(found, place, places, target.quiet) : fallback(place, new Error(CHANGED))),
      (error) => abort.signal.aborted || setShown(fallback(place, error)),
    );
    return () => abort.abort();
  }, [wanted, places]);
  const show = useCallback((id) => setWanted({ id }), []);
  return { places, shown, show };
}

const CHANGED = "The file has changed since this answer, and no longer has these words.";
const isThere = (found, place) => rangeIn(found.text, place).start !== null;

function firstPlace(result, places) {
  const holds = result.cited.findIndex((cited) => cited.holds_answer);
  return places.find((place) => place.id === `cited-${Math.max(holds, 0)}`) ?? places[0] ?? null;
}

// The text a place is in, as {title, place, text}.
async function textOf(run, place, signal) {
  if (run.request.corpus) {
    const document = await getDocument(run.request.corpus, place.key, { signal });
    return { title: document.title, place: document.source, text: document.text, structure: document.structure, file: { corpus: run.request.corpus, source: document.source, pages: document.pages } };
  }
  const sources = await getSources(run, { signal });
  const found = place.citation ? sources.find((source) => source.source === place.key) : sources[place.index];
  if (!found) throw new Error("The text is no longer kept on the server.");
  return { title: found.title, place: place.citation ? found.source : `Passage ${place.index + 1}`, text: found.text, structure: found.structure ?? null, file: found.file ?? null };
}

function view(found, place, places, quiet) {
  const marks = places.filter((other) => other.key === place.key).map((other) => ({ ...other, ...rangeIn(found.text, other) })).filter((mark) => mark.start !== null);
  // A pasted passage is all evidence: marking the whole of it would say nothing.
  const useful = marks.filter((mark) => mark.kind !== "passage" || mark.end - mark.start < found.text.length);
  return { ...found, marks: useful, focus: { id: place.id, quiet } };
}

// The characters of a place: by its citation, else by its own offsets if they fit, else by its words.
function rangeIn(text, place) {
  if (place.citation && !place.whole) {
    const { start, end } = parseCitation(place.citation);
    if (start !== null && stillSays(text, { start, end }, place.text)) return { start, end };
  }
  if (place.start !== null && place.start !== undefined && slice(text, place.start, place.end) === place.text) return { start: place.start, end: place.end };
  return findQuote(text, place.text) ?? { start: null, end: null };
}

// What the run itself kept, where the text cannot be had.
function fallback(place, error) {
  return { title: place.title, place: `Passage ${place.index + 1}`, text: place.text, marks: [], focus: null, error };
}

export function EvidenceText({ evidence, result }) {
  const { shown } = evidence;
  const heading = useId();
  const number = useNumber();
  if (!shown) return null;
  return html`<section class="evidence-text ${levelOf(result).css}" aria-labelledby=${heading}>
    <h2 id=${heading} class="hidden">Source${number}</h2>
    <${SourceView} ...${shown} />
    ${shown.error && html`<p class="hint">${shown.error.message} This is the passage as the run read it.</p>`}
  </section>`;
}

// A button with a passage's label that shows the place in its source.
export function Cite({ id, index, evidence, words = null }) {
  if (!evidence.places.some((place) => place.id === id)) return html`<span class="cite">${words ?? label(index)}</span>`;
  return html`<button type="button" class="cite" onClick=${() => evidence.show(id)} aria-label=${`Show passage ${index + 1} in its source`}>${words ?? label(index)}</button>`;
}
