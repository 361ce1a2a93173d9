// One drawn answer after another, to be called right or wrong by buttons or keys; each label is kept at once.
import { corpusPath, send } from "../../api.js";
import { announce } from "../../parts/announce.js";
import { Button } from "../../parts/button.js";
import { ErrorBox } from "../../parts/error_box.js";
import { count, percent } from "../../parts/format.js";
import { parseCitation } from "../../parts/text.js";
import { VerdictBadge } from "../../parts/verdict_badge.js";
import { html, useRef, useState } from "../../preact.js";
import { href } from "../../router.js";

const KEYS = { r: "right", w: "wrong", n: "next", p: "previous" };

export function Labelling({ name, answers, assessment, closed, onLabel }) {
  const counting = answers.filter((answer) => answer.counts);
  const [mark, setMark] = useState(null);
  const [problem, setProblem] = useState(null);
  const [sending, setSending] = useState(false);
  const heading = useRef(null);
  const found = counting.findIndex((answer) => answer.mark === mark);
  const at = found >= 0 ? found : Math.max(0, counting.findIndex((answer) => answer.right === null));
  const shown = counting[at];
  const left = assessment.supported - assessment.labelled;
  const show = (index) => {
    setMark(counting[(index + counting.length) % counting.length].mark);
    requestAnimationFrame(() => heading.current?.focus());
  };
  const label = async (right) => {
    if (closed || sending) return;
    setSending(true);
    try {
      const said = shown.right === right ? null : right;
      const reply = await send(corpusPath(name, "calibration/labels"), { method: "PUT", body: JSON.stringify({ mark: shown.mark, right: said }), headers: { "Content-Type": "application/json" } });
      const state = await reply.json();
      onLabel(state, shown.mark, said);
      setProblem(null);
      announce(keptInWords(said, state.draw.assessment));
      if (said !== null) show(nextOpen(counting, at));
    } catch (error) {
      setProblem(error);
    }
    setSending(false);
  };
  const press = (event) => {
    const does = KEYS[event.key.toLowerCase()];
    if (!does || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (does === "right" || does === "wrong") label(does === "right");
    else show(at + (does === "next" ? 1 : -1));
  };
  return html`<section class="panel labelling" aria-labelledby="labelling-heading" onKeyDown=${press}>
    <div class="labelling-head"><h3 id="labelling-heading">Answer ${at + 1} of ${counting.length}</h3>
      <p class="muted">${left > 0 ? `${count(left, "label")} missing` : "All are labelled"}</p>
      <progress aria-label="Labels" max=${counting.length} value=${assessment.labelled}></progress></div>
    <p class="question" tabindex="-1" ref=${heading}>${shown.question}</p>
    <p class="answer-text">${shown.answer}</p>
    <p class="row"><${VerdictBadge} verdict="supported" /><span class="muted">${percent(shown.certainty)} certain</span></p>
    <${Evidence} name=${name} cited=${shown.cited} />
    <div class="row marks" role="group" aria-label="Is this answer right?">
      ${[[true, "✓", "Right", "R", "supported"], [false, "✗", "Wrong", "W", "contradicted"]].map(([right, sign, word, key, css]) => html`
        <button type="button" key=${word} class="button mark-button ${css}" aria-pressed=${shown.right === right ? "true" : "false"} aria-keyshortcuts=${key} disabled=${closed} onClick=${() => label(right)}>
          <span aria-hidden="true">${sign}</span>${word}<kbd aria-hidden="true">${key}</kbd></button>`)}
      <span class="turning"><${Button} kind="quiet" aria-keyshortcuts="P" onClick=${() => show(at - 1)}>Previous<kbd aria-hidden="true">P</kbd><//>
        <${Button} kind="quiet" aria-keyshortcuts="N" onClick=${() => show(at + 1)}>Next<kbd aria-hidden="true">N</kbd><//></span>
    </div>
    <${ErrorBox} error=${problem} />
    <p class="muted small">Right is what answers the question as it was meant, whatever its certainty. The keys work while the focus is in this box. Each label is kept at once: you can stop and go on later.</p>
  </section>`;
}

function Evidence({ name, cited }) {
  if (!cited.length) return null;
  return html`<ul class="label-evidence">${cited.map((each, index) => html`<li key=${index}><q>${each.text}</q>
    ${each.citation && html`<a class="small" href=${placeOf(name, each.citation)} target="_blank" rel="noreferrer">${parseCitation(each.citation).source}<span class="hidden"> (opens a new tab)</span></a>`}</li>`)}</ul>`;
}

// The address of a citation in its document.
function placeOf(corpus, citation) {
  const place = Object.fromEntries(new URLSearchParams(citation.slice(citation.lastIndexOf("#") + 1)));
  return href("document", [corpus], { source: parseCitation(citation).source, ...place });
}

// The index of the next answer without a label; of none, the one that follows.
function nextOpen(answers, at) {
  const order = answers.map((_, step) => (at + 1 + step) % answers.length);
  return order.find((index) => answers[index].right === null && index !== at) ?? at;
}

function keptInWords(right, { supported, labelled }) {
  const left = supported - labelled;
  const rest = left > 0 ? `${count(left, "label")} missing.` : "All are labelled.";
  return right === null ? `Taken back. ${rest}` : `Kept: ${right ? "right" : "wrong"}. ${rest}`;
}
