// A hook that follows one run: useRun(id) gives what is known of it now, and `cancel`.
import { ApiError, cancelRun, events, getResult, getRun } from "./api.js";
import { useCallback, useEffect, useState } from "./preact.js";

const RETRY_MS = 1_000;
const MAX_RETRIES = 5;
const FINISHED = new Set(["done", "failed", "cancelled"]);
const EMPTY = { run: null, state: null, position: 0, step: null, progress: null, found: {}, claims: [], result: null, error: null };

// Follow the run `id` (null: none). Gives
// {run, state, position, step, progress, found, claims, result, error, busy, cancel}
// - state: null until the run is known, then "queued", "running", "done", "failed" or "cancelled"
// - found: what ask has found and not yet checked: {passages, chain, candidate}, each [{text, title, source}]
// - claims: the claims of verify that were decided so far, [{index, total, claim}]
// - error: an ApiError or the run's {type, message, hint}
export function useRun(id) {
  const [known, setKnown] = useState(EMPTY);
  useEffect(() => {
    setKnown(EMPTY);
    if (!id) return undefined;
    const abort = new AbortController();
    const update = (change) => abort.signal.aborted || setKnown((old) => ({ ...old, ...change(old) }));
    follow(id, update, abort.signal).catch((error) => error.name === "AbortError" || update(() => ({ error })));
    return () => abort.abort();
  }, [id]);
  const cancel = useCallback(() => cancelRun(id).catch((error) => setKnown((old) => ({ ...old, error }))), [id]);
  const busy = Boolean(id) && !known.error && !FINISHED.has(known.state);
  return { ...known, busy, cancel };
}

async function follow(id, update, signal) {
  let lastId = null;
  for (let failures = 0; ; ) {
    try {
      const run = await getRun(id, { signal });
      update(() => ({ run, state: run.state, position: run.position, error: run.error }));
      if (FINISHED.has(run.state)) return void (await loadResult(run, update, signal));
      for await (const event of events(id, { signal, lastId })) {
        failures = 0;
        lastId = event.id ?? lastId;
        update((old) => changeBy(event, old));
        if (event.event === "result" || event.event === "error") return;
      }
    } catch (error) {
      if (!(error instanceof ApiError ? error.status === 0 || error.status === 503 : error instanceof TypeError)) throw error;
      failures += 1;
      if (failures > MAX_RETRIES) throw error;
    }
    await pause(RETRY_MS, signal);
  }
}

async function loadResult(run, update, signal) {
  if (run.state !== "done") return;
  const result = await getResult(run.id, { signal });
  update(() => ({ result }));
}

// What an event changes; {} for an event this page does not know.
export function changeBy({ event, data }, old) {
  switch (event) {
    case "state": return { state: data.state, position: data.position ?? 0 };
    case "step": return { step: data.name, progress: countsOnly(old) };
    case "progress": return { progress: { ...old.progress, ...data } };
    case "found": return { found: { ...old.found, [data.kind]: data.texts } };
    case "claim": return { claims: [...old.claims.filter((claim) => claim.index !== data.index), data] };
    case "result": return { run: merged(old.run, data.run), state: data.run.state, result: data.result };
    case "error": return { run: merged(old.run, data.run), state: data.run?.state ?? "failed", error: data.error };
    default: return {};
  }
}

// What is done of a step ends with it; what is done of the claims goes on.
const countsOnly = ({ progress, claims }) => (progress && !claims.length ? { ...progress, done: null, total: null } : progress);

// The run of an event comes without its request; that was known before.
const merged = (old, run) => ({ ...old, ...run, request: run?.request ?? old?.request });

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}
