// What is drawn: where the questions come from, how many, and what shall be guaranteed.
import { corpusPath, send } from "../../api.js";
import { Button } from "../../parts/button.js";
import { ErrorBox } from "../../parts/error_box.js";
import { Field } from "../../parts/field.js";
import { count, percent } from "../../parts/format.js";
import { html, useState } from "../../preact.js";

const ALPHAS = [0.01, 0.02, 0.05, 0.1, 0.2];
const DELTAS = [0.1, 0.05, 0.01];
const N = 120;

// fewest(0.05, 0.05) → 59: answers without an error that a guarantee needs
export const fewest = (alpha, delta) => Math.ceil(Math.log(delta) / Math.log1p(-alpha) - 1e-9);

// A line is a question, or a JSON object with one.
function questionsIn(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  return lines.map((line) => {
    if (!line.startsWith("{")) return line;
    try {
      return JSON.parse(line).question ?? line;
    } catch {
      return line;
    }
  });
}

export function Draw({ state, busy, onDraw }) {
  const [source, setSource] = useState(state.asked ? "asked" : "given");
  const [text, setText] = useState("");
  const [n, setN] = useState(N);
  const [shares, setShares] = useState({ alpha: 0.05, delta: 0.05 });
  const [problem, setProblem] = useState(null);
  const questions = questionsIn(text);
  const pool = source === "asked" ? state.asked : source === "given" ? questions.length : null;
  const submit = (event) => {
    event.preventDefault();
    if (source === "given" && !questions.length) return setProblem({ message: "Write at least one question, each on a line of its own." });
    setProblem(null);
    return onDraw({ source, questions: source === "given" ? questions : null, n: Number(n), ...shares });
  };
  const choice = (value, title, hint, off = false) => html`<label class="choice"><input type="radio" name="source" value=${value} checked=${source === value} disabled=${off} onChange=${() => setSource(value)} />
    <span>${title}<span class="hint">${hint}</span></span></label>`;
  return html`<form class="panel" onSubmit=${submit} aria-labelledby="new-draw">
    <h2 id="new-draw" class="small-heading">Draw questions</h2>
    <fieldset class="choices"><legend>Which questions?</legend>
      ${choice("asked", "Those asked of this corpus so far", state.asked ? `${count(state.asked, "question")}, each once, without follow-ups` : "None yet: ask some, or give your own", !state.asked)}
      ${choice("given", "Your own", "As your users ask them, one on each line")}
      ${choice("made", "Let the model make some from the documents", state.writes ? "All of them can be answered from one passage: your users’ may be harder" : "The model of this server is too small to write questions", !state.writes)}
    </fieldset>
    ${source === "given" && html`<${Field} label="Questions" hint=${count(questions.length, "question")}>${(id, described) => html`
      <textarea id=${id} aria-describedby=${described} rows="6" value=${text} onInput=${(event) => setText(event.currentTarget.value)}></textarea>`}
    <//>`}
    <div class="shares">
      <${Field} label="Questions to draw" hint=${pool !== null && pool < n ? `All ${pool} are drawn` : "At random; each is answered once"}>${(id, described) => html`
        <input id=${id} aria-describedby=${described} type="number" min="1" max="2000" required value=${n} onInput=${(event) => setN(event.currentTarget.value)} />`}
      <//>
      <${ShareFields} shares=${shares} onChange=${setShares} />
    </div>
    <p class="muted small">${neededInWords(shares)} Choose before you look at labels: the best of many draws is no random draw.</p>
    <${ErrorBox} error=${problem} />
    <div class="row"><${Button} kind="primary" type="submit" busy=${busy}>Draw and answer<//></div>
  </form>`;
}

const neededInWords = ({ alpha, delta }) => `At least ${fewest(alpha, delta)} supported answers are needed, if none of them is wrong.`;

function ShareFields({ shares, onChange }) {
  const select = (label, name, values, words) => html`<${Field} label=${label}>${(id) => html`
    <select id=${id} value=${shares[name]} onChange=${(event) => onChange({ ...shares, [name]: Number(event.currentTarget.value) })}>
      ${values.map((value) => html`<option key=${value} value=${value}>${words(value)}</option>`)}
    </select>`}<//>`;
  return html`
    ${select("Wrong at most", "alpha", withOwn(ALPHAS, shares.alpha), percent)}
    ${select("Confidence", "delta", withOwn(DELTAS, shares.delta), (delta) => percent(1 - delta))}`;
}

// A share that was chosen over REST is offered, too.
const withOwn = (values, own) => (values.includes(own) ? values : [...values, own].sort((a, b) => a - b));

// Another choice, as long as there is no label.
export function Shares({ name, draw, onChange, onError }) {
  const shares = { alpha: draw.alpha, delta: draw.delta };
  const save = (chosen) => send(corpusPath(name, "calibration"), { method: "PATCH", body: JSON.stringify(chosen), headers: { "Content-Type": "application/json" } })
    .then((reply) => reply.json()).then((state) => onChange(state), onError);
  return html`<div class="shares"><${ShareFields} shares=${shares} onChange=${save} /></div><p class="muted small">${neededInWords(shares)} From the first label on, this cannot be changed.</p>`;
}
