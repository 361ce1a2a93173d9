// Questions to begin with, below an empty question: <${Suggestions} corpus="minutes" onPick=${(question) => …} />
import { get } from "../api.js";
import { html, useEffect, useState } from "../preact.js";

// One of the questions that the contents of a corpus answer (parts/contents.js).
const CONTENTS = "What is in here?";
const AGAIN_MS = 15_000;

export function Suggestions({ corpus, onPick }) {
  const questions = useSuggestions(corpus);
  return html`<div class="suggestions" role="group" aria-label="To begin with">
    ${[CONTENTS, ...questions].map((question) => html`<button type="button" key=${question} class="button suggestion" onClick=${() => onPick(question)}>${question}</button>`)}
  </div>`;
}

// The questions that the server has for a corpus; while it makes them, it is asked again.
function useSuggestions(corpus) {
  const [questions, setQuestions] = useState([]);
  useEffect(() => {
    let timer = null;
    const stop = new AbortController();
    const read = async () => {
      const found = await get(`/api/corpora/${encodeURIComponent(corpus)}/suggestions`, { signal: stop.signal });
      setQuestions(found.questions);
      if (found.making) timer = setTimeout(() => read().catch(() => null), AGAIN_MS);
    };
    setQuestions([]);
    read().catch(() => null); // They are an offer: without them the page is whole.
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [corpus]);
  return questions;
}
