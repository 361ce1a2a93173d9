// The state of a run: progress and "Cancel" while it works, then its cost, link, downloads and trace.
// <${RunBar} live=${useRun(id)} words=${{judge: "Reading the passages"}} exports=${["html", "json"]} />
import { download, earlierRun, getRun, runPath, startRun } from "../api.js";
import { html, useEffect, useState } from "../preact.js";
import { href, navigate, shareAddress } from "../router.js";
import { addressOf, areAlike, stoppedBy } from "../views/runs/words.js";
import { Button, ButtonLink } from "./button.js";
import { ErrorBox } from "./error_box.js";
import { clockTime, cost, count } from "./format.js";
import { useNumber } from "./numbered.js";

const EXPORTS = {
  html: { title: "HTML", file: "export.html" },
  docx: { title: "Word", file: "export.docx" },
  json: { title: "JSON", file: "export.json" },
  sarif: { title: "SARIF", file: "export.sarif" },
  junit: { title: "JUnit", file: "export.junit.xml" },
};

// `words` names the steps of the trace in words; a step without words is shown by its name. `again(run)` runs the same
// request once more and gives the address to go to, if there is one.
export function RunBar({ live, words = {}, exports = ["html", "json"], address = null, again = runAgain }) {
  const number = useNumber();
  if (!live.run && !live.busy && !live.error) return null;
  return html`<section class="runbar" aria-label=${`Run${number}`}>
    ${live.busy && html`<${Working} live=${live} words=${words} />`}
    ${live.state === "cancelled" && html`<p class="notice">${stoppedBy(live.run ?? live) ?? "This run was cancelled."}</p>`}
    ${live.busy && live.run?.restarts > 0 && html`<p class="muted">The server was stopped during this run, and has started it again.</p>`}
    ${live.state !== "cancelled" && html`<${ErrorBox} error=${inWords(live)} />`}
    ${["cancelled", "failed"].includes(live.state) && live.run?.request && html`<div><${Again} run=${live.run} again=${again} /></div>`}
    ${live.state === "done" && html`<${Done} live=${live} exports=${exports} address=${address} again=${again} />`}
  </section>`;
}

// Where to find a run that is of another verb than the view in which it was opened.
export const OtherView = ({ run }) => html`<p class="notice">This run is of another kind: <a href=${addressOf(run)}>open it there</a>.</p>`;

const inWords = ({ run, error }) => (!run && error?.status === 404 ? { message: "This run is not here.", hint: "Only the newest runs are kept." } : error);

// The same request once more, with all its options, as a new run.
const runAgain = async (run) => addressOf(await startRun(run.verb, run.request));

function Again({ run, again }) {
  const [error, setError] = useState(null);
  const [starting, setStarting] = useState(false);
  const start = async () => {
    setStarting(true);
    try {
      const address = await again(run);
      if (address) navigate(address);
    } catch (problem) {
      setError(problem);
    }
    setStarting(false);
  };
  return html`<${Button} busy=${starting} onClick=${start}>Run again<//>${error && html`<${ErrorBox} error=${error} />`}`;
}

function Working({ live, words }) {
  const { progress } = live;
  const clock = useClock(live.state === "running", progress?.seconds ?? 0);
  const known = progress?.total ? { value: progress.done ?? 0, max: progress.total } : {};
  return html`<div class="working">
    <p class="doing">${doingNow(live, words)}</p>
    <progress aria-label="Progress" ...${known}></progress>
    <p class="muted numbers" role="timer">${live.state === "running" && numbers(progress ?? {}, clock)}</p>
    <${Button} onClick=${live.cancel}>Cancel<//>
  </div>`;
}

// What a run does now, in words.
export const doingNow = (live, words) => (live.state === "queued" ? waiting(live.position) : `${words[live.step] ?? live.step ?? "Starting"}…`);

const waiting = (position) => (position > 0 ? `Waiting: place ${position} in the queue` : "Waiting for its turn");
// What is done of a run of many parts, or what a run of one has cost so far.
function numbers(progress, passed) {
  if (progress.total && progress.calls === undefined) return `${progress.done} of ${progress.total}, ${clockTime(passed)}`;
  return `${count(progress.calls ?? 0, "model call")}, ${count(progress.tokens ?? 0, "token")}, ${clockTime(passed)}`;
}

// Seconds that go on by themselves between the times the server tells.
function useClock(runs, told) {
  const [passed, setPassed] = useState(told);
  useEffect(() => {
    setPassed(told);
    if (!runs) return undefined;
    const since = performance.now();
    const timer = setInterval(() => setPassed(told + (performance.now() - since) / 1000), 1_000);
    return () => clearInterval(timer);
  }, [runs, told]);
  return passed;
}

function Done({ live, exports, address, again }) {
  const { run, result } = live;
  const earlier = useEarlier(run);
  return html`<div class="done">
    <p class="muted cost">${costParts(result?.usage ?? run.usage)}</p>
    <div class="actions">
      <${CopyLink} address=${address ?? addressOf(run)} />
      ${exports.map((name) => html`<${Export} key=${name} run=${run} kind=${EXPORTS[name]} />`)}
      <${ButtonLink} href=${href("runs", [run.id])}>Trace<//>
      ${run.request && html`<${Again} run=${run} again=${again} />`}
      ${earlier && html`<${ButtonLink} href=${href("compare", [earlier, run.id])}>Compare with the run before<//>`}
    </div>
  </div>`;
}

// The id of the run that was open when this one was started, if the two can be compared.
function useEarlier(run) {
  const [earlier, setEarlier] = useState(null);
  useEffect(() => {
    const id = earlierRun(run.id);
    if (id) getRun(id).then((other) => setEarlier(areAlike(run, other) ? id : null), () => setEarlier(null));
  }, [run.id]);
  return earlier;
}

// The cost may break between its parts, not between a number and its word.
const costParts = (usage) => cost(usage).split(/(?<=,) /).map((part, index) => html`<span key=${index}>${part}</span> `);

function Export({ run, kind }) {
  const [error, setError] = useState(null);
  const save = () => download(runPath(run.id, `/${kind.file}`), `${run.verb}-${run.id}.${kind.file.replace("export.", "")}`).then(() => setError(null), setError);
  return html`<${Button} onClick=${save} aria-label=${`Download as ${kind.title}`}>${kind.title}<//>${error && html`<${ErrorBox} error=${error} />`}`;
}

// A button that copies an address of this page; where the clipboard is closed to the page, it shows the address.
export function CopyLink({ address }) {
  const [shown, setShown] = useState("");
  const full = shareAddress(address);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(full);
      setShown("Copied");
    } catch {
      setShown(full);
    }
  };
  return html`<${Button} onClick=${copy}>Copy link<//><span class="copied" role="status">${shown}</span>`;
}
