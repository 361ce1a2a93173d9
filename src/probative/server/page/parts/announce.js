// What a screen reader is told of what happens: one live region for the whole page, which is there before anything
// is said in it. (A region that appears together with its words is often not read.)
import { awaited } from "../api.js";
import { html, useEffect, useState } from "../preact.js";

const SAY = "probative:say";
// Steps may follow each other faster than anyone can listen.
const PROGRESS_MS = 5_000;
let lastSaid = -Infinity;
let waiting = null;

// Say something at once; progress that waits to be said is dropped.
export function announce(text) {
  clearTimeout(waiting);
  lastSaid = performance.now();
  dispatchEvent(new CustomEvent(SAY, { detail: text }));
}

// Say what is being done, at most once in PROGRESS_MS; the newest wins.
export function announceProgress(text) {
  clearTimeout(waiting);
  waiting = setTimeout(() => announce(text), Math.max(0, lastSaid + PROGRESS_MS - performance.now()));
}

// The live region; the shell has one.
export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    const say = (event) => setText(event.detail);
    addEventListener(SAY, say);
    return () => removeEventListener(SAY, say);
  }, []);
  return html`<p class="hidden announcer" role="status">${text}</p>`;
}

// Say what a run of `verb` does while it works, and `conclude(result)` when it is done. The end of an earlier run that
// is opened again is not said: its result is simply there. Errors are alerts, which say themselves.
export function useAnnounced(live, verb, doing, conclude) {
  const id = live.run?.verb === verb ? live.run.id : null;
  useEffect(() => {
    if (!live.busy || !id) return;
    awaited.add(id);
    announceProgress(doing);
  }, [live.busy, id, doing]);
  useEffect(() => {
    if (live.busy || !id || (live.state === "done" && !live.result) || !awaited.delete(id)) return;
    if (live.state === "done") announce(conclude(live.result));
    else if (live.state === "cancelled") announce("Cancelled.");
  }, [live.busy, live.state, live.result, id]);
}
