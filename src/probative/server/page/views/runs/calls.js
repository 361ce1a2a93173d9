// One call of a model in a trace: what it was asked, what it answered, its cost. Long texts are folded.
import { html, useEffect, useState } from "../../preact.js";
import { count, percent } from "../../parts/format.js";
import { tokensOf } from "./words.js";

const FOLDED = 700;
const GLIMPSE = 90;

// The texts of a call in the order of reading: [{title, text, kind}], kind "prompt" or "output".
export function textsOf(call) {
  return [...promptTexts(call), ...outputTexts(call)];
}

function promptTexts({ verb, request }) {
  const about = (title, text) => ({ title, text, kind: "prompt" });
  if (Array.isArray(request.messages)) {
    const settings = rest(request, ["messages"]);
    return [...request.messages.map((message) => about(`Prompt (${message.role})`, shownText(message.content))), ...(settings ? [about("Settings", settings)] : [])];
  }
  if (verb === "score" && "prompt" in request) return [about("Prompt", request.prompt), about("Text that is scored", shownText(request.continuation))];
  if (verb === "judge" && "claim" in request) return [about("Claim", request.claim), about("Evidence", lines(request.evidence))];
  if (verb === "encode" && Array.isArray(request.texts)) return [about("Texts", lines(request.texts))];
  return [about("Request", shownText(request))];
}

function outputTexts({ verb, result, error }) {
  const said = (title, text) => ({ title, text, kind: "output" });
  if (error) return [said("Error", error)];
  if (result === null || result === undefined) return [];
  if (verb === "generate" && typeof result.text === "string") {
    const others = rest(result, ["text"]);
    return [said("Output", result.text), ...(others ? [said("More of the output", others)] : [])];
  }
  return [said("Output", shownText(result))];
}

const lines = (texts) => (texts ?? []).map((text, index) => `[${index + 1}] ${shownText(text)}`).join("\n");
const shownText = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 1));

// The fields of an object that say something, without some names; "" if there are none.
function rest(object, without) {
  const telling = Object.entries(object).filter(([name, value]) => !without.includes(name) && value !== null && !(Array.isArray(value) && !value.length));
  return telling.length ? JSON.stringify(Object.fromEntries(telling), null, 1) : "";
}

// A call; `folded` shows one line of it until it is opened.
export function CallView({ call, index, search, folded = false }) {
  const [open, setOpen] = useState(!folded);
  useEffect(() => setOpen(!folded), [folded, search]);
  const head = html`<strong>${index + 1}. ${call.verb}</strong> ${!open && html`<span class="glimpse">${glimpse(call, search)}</span>`} <span class="muted">${call.model}</span> <span class="muted numbers">${callCost(call.usage)}</span>`;
  return html`<article class="call ${call.error ? "failed" : ""}" aria-label=${`Call ${index + 1}: ${call.verb}`}>
    <details open=${open} onToggle=${(event) => event.currentTarget.open !== open && setOpen(event.currentTarget.open)}>
      <summary class="call-head">${head}</summary>
      ${open && textsOf(call).map((text, at) => html`<${Text} key=${at} text=${text} search=${search} />`)}
    </details>
  </article>`;
}

// What a call is about, on one line: the place that a search found, or its last prompt and what came out.
function glimpse(call, search) {
  const texts = textsOf(call).map(({ text, ...rest }) => ({ ...rest, text: text.replace(/\s+/g, " ").trim() }));
  const place = search ? texts.map(({ text }) => [text, text.toLowerCase().indexOf(search)]).find(([, at]) => at >= 0) : null;
  if (place) return marked(`${place[1] > GLIMPSE ? "…" : ""}${cut(place[0].slice(Math.max(0, place[1] - GLIMPSE)), 2 * GLIMPSE)}`, search);
  if (call.verb === "judge" && typeof call.result?.supported === "number") return `${cut(call.request.claim ?? "", GLIMPSE)} → ${likeliest(call.result)}`;
  const said = (kind) => texts.filter((text) => text.kind === kind && text.title !== "Settings");
  const asked = typeof call.request.query === "string" ? { text: call.request.query } : said("prompt").at(-1);
  return [asked, said("output")[0]].filter(Boolean).map(({ text }) => cut(text, GLIMPSE)).join(" → ");
}

// The likeliest of the three verdicts: "supported 91%"
function likeliest(scores) {
  const [name, value] = ["supported", "contradicted", "insufficient"].map((verdict) => [verdict, scores[verdict] ?? 0]).sort(([, a], [, b]) => b - a)[0];
  return `${name} ${percent(value)}`;
}

const cut = (text, length) => (text.length > length ? `${text.slice(0, length)}…` : text);

const callCost = (usage) => [usage.cached ? "from the cache" : count(tokensOf(usage), "token"), ...(usage.seconds ? [`${usage.seconds.toFixed(2)} s`] : [])].join(", ");

function Text({ text: { title, text, kind }, search }) {
  const [open, setOpen] = useState(false);
  const long = text.length > FOLDED;
  const found = search ? text.toLowerCase().indexOf(search) : -1;
  // A match beyond the fold opens it.
  const whole = open || !long || found > FOLDED - search.length;
  return html`<div class="text ${kind}">
    <h3>${title}</h3>
    <pre tabindex=${long && whole ? 0 : null}>${found >= 0 ? marked(whole ? text : text.slice(0, FOLDED), search) : whole ? text : text.slice(0, FOLDED)}${whole ? "" : "…"}</pre>
    ${long && html`<button type="button" class="button quiet" aria-expanded=${whole ? "true" : "false"} onClick=${() => setOpen(!open)}>${whole ? "Fold" : `Show all (${count(text.length, "character")})`}</button>`}
  </div>`;
}

// The text with every match in <mark>; at most 200 of them.
function marked(text, search) {
  const parts = [];
  const lower = text.toLowerCase();
  let at = 0;
  for (let found = lower.indexOf(search); found >= 0 && parts.length < 400; found = lower.indexOf(search, at)) {
    parts.push(text.slice(at, found), html`<mark key=${found}>${text.slice(found, found + search.length)}</mark>`);
    at = found + search.length;
  }
  return [...parts, text.slice(at)];
}
