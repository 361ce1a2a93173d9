// "Right" and "Wrong" on an answer or a claim; `probative calibrate` reads what was said.
// const marks = useMarks(run.id); <${MarkButtons} marks=${marks} what="this answer" />, or with claim=${index}
import { get, runPath, send } from "../api.js";
import { html, useCallback, useEffect, useState } from "../preact.js";
import { ErrorBox } from "./error_box.js";

// The marks of a run: {of(claim) → true, false or null, put(claim, right), error}; `claim` is null for an answer.
export function useMarks(id) {
  const [marks, setMarks] = useState([]);
  const [error, setError] = useState(null);
  useEffect(() => {
    const stop = new AbortController();
    setMarks([]);
    if (id) get(runPath(id, "/marks"), { signal: stop.signal }).then((found) => setMarks(found.marks), (problem) => stop.signal.aborted || setError(problem));
    return () => stop.abort();
  }, [id]);
  const put = useCallback((claim, right) => {
    const options = { method: "PUT", body: JSON.stringify({ claim, right }), headers: { "Content-Type": "application/json" } };
    return send(runPath(id, "/marks"), options).then((reply) => reply.json()).then((found) => (setMarks(found.marks), setError(null)), setError);
  }, [id]);
  return { of: (claim) => marks.find((mark) => mark.claim === claim)?.right ?? null, put, error };
}

const WORDS = [[true, "✓", "Right", "supported"], [false, "✗", "Wrong", "contradicted"]];

export function MarkButtons({ marks, what, claim = null }) {
  const said = marks.of(claim);
  return html`<div class="row marks" role="group" aria-label=${`Is ${what} right?`}>
    ${WORDS.map(([right, sign, word, css]) => html`<button type="button" key=${word} class="button mark-button ${css}" aria-pressed=${said === right ? "true" : "false"}
      onClick=${() => marks.put(claim, said === right ? null : right)}><span aria-hidden="true">${sign}</span>${word}</button>`)}
    <span class="muted small" role="status">${said === null ? "" : `Kept: ${what} is ${said ? "right" : "wrong"}.`}</span>
    <${ErrorBox} error=${marks.error} />
  </div>`;
}
