// Runs in words: states, verbs, verdicts, titles and addresses.
import { html } from "../../preact.js";
import { VerdictBadge, VERDICTS } from "../../parts/verdict_badge.js";
import { href, VIEWS } from "../../router.js";
import { GraphBadge, GRAPH_VERDICTS } from "../reason/answer.js";

export const STATES = {
  queued: { sign: "…", word: "Waiting" },
  running: { sign: "▸", word: "Running" },
  done: { sign: "✓", word: "Done" },
  failed: { sign: "✗", word: "Failed" },
  cancelled: { sign: "–", word: "Cancelled" },
};

// A run that is no verb: it has neither a trace nor a verdict.
export const CALIBRATE = "calibrate";

export const isBusy = (run) => run.state === "queued" || run.state === "running";
// The name of a verb, also of one without a view: "verify" → "Check a text", "judge" → "Judge".
export const verbTitle = (verb) => VIEWS[verb]?.title ?? verb[0].toUpperCase() + verb.slice(1);

// Texts that begin alike are versions of one text.
const BEGINNING = 40;
const beginAlike = (title, other) => title.length >= BEGINNING && title.slice(0, BEGINNING) === other.slice(0, BEGINNING);

// Whether two runs can be compared: of one kind, and about one question, claim or text, by its name or its beginning; the
// rest of a text may have changed meanwhile.
export const areAlike = (run, other) => run.verb === other.verb && run.verb !== CALIBRATE
  && (run.title === other.title || (run.verb === "verify" && beginAlike(run.title, other.title)));

export const hasView = (run) => Object.hasOwn(VIEWS, run.verb);

// The address of a run: the view of its verb, or its trace for a verb without a view.
export const addressOf = (run) => (hasView(run) ? href(run.verb, [run.id]) : href("runs", [run.id]));

export function State({ run }) {
  const known = STATES[run.state] ?? { sign: "", word: run.state };
  return html`<span class="state is-${run.state}"><span class="sign" aria-hidden="true">${known.sign}</span>${known.word}${run.state === "queued" && run.position > 0 ? ` (place ${run.position})` : ""}</span>`;
}

// Why a run has no result, in words; null for one that has, and for one that somebody cancelled.
export function stoppedBy(run) {
  if (run.state === "failed" && run.error?.message) return run.error.message[0].toUpperCase() + run.error.message.slice(1);
  if (run.state === "cancelled" && run.error?.type === "InterruptedRunError") return "The server was stopped during this run.";
  return null;
}

// A verdict of any verb.
export function Verdict({ run }) {
  if (run.counts) return html`<${Counts} counts=${run.counts} />`;
  if (!run.verdict) return html`<span class="muted">–<span class="hidden"> no verdict</span></span>`;
  if (Object.hasOwn(VERDICTS, run.verdict)) return html`<${VerdictBadge} verdict=${run.verdict} level=${run.level} />`;
  return Object.hasOwn(GRAPH_VERDICTS, run.verdict) ? html`<${GraphBadge} verdict=${run.verdict} />` : html`<span class="badge none">${run.verdict}</span>`;
}

// The claims of a verification by verdict: signs and numbers, with words for screen readers.
function Counts({ counts }) {
  if (!Object.values(counts).some(Boolean)) return html`<span class="muted">no claims</span>`;
  return html`<span class="counts">${Object.entries(VERDICTS).filter(([name]) => counts[name]).map(([name, { sign, word, css }]) => html`
    <span key=${name} class="badge ${css}" title=${word}><span class="sign" aria-hidden="true">${sign}</span>${counts[name]}<span class="hidden"> ${word}</span></span>`)}</span>`;
}

export const tokensOf = (usage) => (usage ? usage.prompt_tokens + usage.completion_tokens + usage.scored_tokens : 0);
