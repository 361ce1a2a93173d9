// One call of a model in a trace: what it was asked, what it answered, its cost. Long texts are folded.
import { html, useState } from "../../preact.js";
import { count } from "../../parts/format.js";
import { tokensOf } from "./words.js";

const FOLDED = 700;

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

export function CallView({ call, index, search }) {
  const texts = textsOf(call);
  return html`<article class="call ${call.error ? "failed" : ""}" aria-label=${`Call ${index + 1}: ${call.verb}`}>
    <header><strong>${index + 1}. ${call.verb}</strong> <span class="muted">${call.model}</span> <span class="muted numbers">${callCost(call.usage)}</span></header>
    ${texts.map((text, at) => html`<${Text} key=${at} text=${text} search=${search} />`)}
  </article>`;
}

const callCost = (usage) => [usage.cached ? "from the cache" : count(tokensOf(usage), "token"), ...(usage.seconds ? [`${usage.seconds.toFixed(2)} s`] : [])].join(", ");

function Text({ text: { title, text, kind }, search }) {
  const [open, setOpen] = useState(false);
  const long = text.length > FOLDED;
  const found = search ? text.toLowerCase().indexOf(search) : -1;
  // A match beyond the fold opens it.
  const whole = open || !long || found > FOLDED - search.length;
  return html`<div class="text ${kind}">
    <h4>${title}</h4>
    <pre>${found >= 0 ? marked(whole ? text : text.slice(0, FOLDED), search) : whole ? text : text.slice(0, FOLDED)}${whole ? "" : "…"}</pre>
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
