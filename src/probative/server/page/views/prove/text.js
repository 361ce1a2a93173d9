// The text of a proof, with the sentences that have been chosen so far lit up.
import { pieces } from "../../parts/text.js";
import { html } from "../../preact.js";

// The pieces of the text of a request, each {text, place}: `place` is the place of a chosen sentence in the proof.
export function proofPieces(request, evidence) {
  if (request.text) {
    const marks = evidence.map((sentence, place) => ({ place, start: sentence.start ?? 0, end: sentence.end ?? 0 }));
    return pieces(request.text, marks).map((piece) => ({ text: piece.text, place: piece.marks[0]?.place ?? null }));
  }
  const places = new Map(evidence.map((sentence, place) => [sentence.index, place]));
  return (request.sentences ?? []).flatMap((text, index) => [{ text, place: places.get(index) ?? null }, { text: "\n", place: null }]);
}

// `step` sentences are lit, the last of them most; `deciding` is the place of the sentence that the verdict rests on.
export function ProofText({ parts, step, steps, deciding, verdict }) {
  return html`<div class="proof-text" role="region" tabindex="0" aria-label="The text">${parts.map(({ text, place }, index) => {
    if (place === null) return html`<span key=${index}>${text}</span>`;
    const lit = place < step;
    const decides = lit && place === deciding && step === steps;
    return html`<mark key=${index} class="sentence ${lit ? "lit" : ""} ${lit && place === step - 1 ? "latest" : ""} ${decides ? `decides ${verdict}` : ""}"
      data-place=${place + 1}>${text}${lit && html`<sup aria-hidden="true">${place + 1}</sup><span class="hidden"> (chosen ${place + 1}${decides ? ", decides" : ""})</span>`}</mark>`;
  })}</div>`;
}
