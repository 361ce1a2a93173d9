// Which model answers: the small or the large one of the package, or the server's own, each with the time to expect.
// <${ModelChoice} value=${model} onChange=${setModel} info=${info} verb="ask" />
// value: the name of a model of info.models; preferredModel(info) is the first one, modelRequest(value, info) gives the
// request's field, modelOf(request, info) the value of a request. The last choice is kept in this browser.
import { html, useId } from "../preact.js";
import { seconds } from "./format.js";

const KEPT = "probative-model";
const PARTS = { ask: "", verify: " a claim" };

const usable = (info, name) => info.models.some((model) => model.name === name && model.ready);

export function preferredModel(info) {
  let kept = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    // Storage may be forbidden: then each form begins with the server's model.
  }
  return usable(info, kept) ? kept : info.models[0].name;
}

export const modelRequest = (value, info) => (value === info.models[0].name ? {} : { model: value });
export const modelOf = (request, info) => (usable(info, request.model) ? request.model : info.models[0].name);

// What is known of the model of a request: {name, rewrites, times, …}
export const modelKnown = (request, info) => info.models.find((model) => model.name === request.model) ?? info.models[0];

const TITLES = { small: "Small", large: "Large", own: "Own" };
// timeInWords({seconds: 21, runs: 0}, "ask") → "about 21 s (estimate)"
export function timeInWords(time, verb) {
  if (!time) return "time not known yet";
  const long = time.seconds < 10 || time.seconds >= 60 ? seconds(time.seconds) : `${Math.round(time.seconds)} s`;
  return `about ${long}${PARTS[verb]} ${time.runs ? "here" : "(estimate)"}`;
}

export function ModelChoice({ value, onChange, info, verb }) {
  const name = useId();
  if (info.models.length < 2) return null;
  const choose = (model) => {
    try {
      localStorage.setItem(KEPT, model);
    } catch {
      // It then lasts until the form is left.
    }
    onChange(model);
  };
  return html`<fieldset class="models"><legend>Model</legend>
    ${info.models.map((model) => html`<label key=${model.name} class=${model.name === value ? "chosen" : ""}>
      <input type="radio" name=${name} value=${model.name} checked=${model.name === value} disabled=${!model.ready} onChange=${() => choose(model.name)} />
      <span><strong>${TITLES[model.size]}</strong> <span class="muted small">${model.size === "own" ? model.name : ""}</span>
        <span class="hint">${model.ready ? timeInWords(model.times[verb], verb) : html`not on this server; to get it: <code>${model.get}</code>`}</span></span>
    </label>`)}
  </fieldset>`;
}
