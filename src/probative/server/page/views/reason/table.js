// The connections and groups as tables: the same as the drawing, in words.
import { html, useState } from "../../preact.js";
import { Button } from "../../parts/button.js";
import { kindOf, KINDS } from "./connections.js";

const PAGE = 50;

// The check boxes that show and hide kinds of connections, with a sample of each line.
export function KindFilter({ counts, visible, onChange }) {
  const toggle = (name) => {
    const next = new Set(visible);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return html`<fieldset class="kinds"><legend>Show connections</legend>
    ${KINDS.map((kind) => html`<label key=${kind.name} class="kind" title=${kind.explained}>
      <input type="checkbox" checked=${visible.has(kind.name)} disabled=${!counts[kind.name]} onChange=${() => toggle(kind.name)} />
      <${LineSample} kind=${kind} />
      <span>${kind.word} <span class="numbers">(${counts[kind.name]})</span></span>
    </label>`)}
  </fieldset>`;
}

function LineSample({ kind }) {
  return html`<svg class="line-sample ${kind.name}" width="44" height="16" viewBox="0 0 44 16" aria-hidden="true" focusable="false">
    <line class=${kind.line} x1="1" y1="8" x2="43" y2="8" />
    ${kind.name === "counterfactual" && html`<path d="M17 3 27 13M27 3 17 13" />`}
  </svg>`;
}

export function ConnectionTable({ connections, selected, onSelect }) {
  const [shown, setShown] = useState(PAGE);
  if (!connections.length) return html`<p class="muted">No connections of the chosen kinds.</p>`;
  const rows = connections.slice(0, shown);
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Connections">
    <table class="connections">
      <caption class="hidden">Connections between entities</caption>
      <thead><tr><th scope="col">Kind</th><th scope="col">From</th><th scope="col">Relation</th><th scope="col">To</th><th scope="col"><span class="hidden">In the drawing</span></th></tr></thead>
      <tbody>${rows.map((one) => html`<${Row} key=${one.id} one=${one} chosen=${one.id === selected} onSelect=${onSelect} />`)}</tbody>
    </table>
  </div>
  ${shown < connections.length && html`<${Button} onClick=${() => setShown(shown + 4 * PAGE)}>Show more (${connections.length - shown} left)<//>`}`;
}

function Row({ one, chosen, onSelect }) {
  const kind = kindOf(one.kind);
  return html`<tr class="${one.kind} ${chosen ? "chosen" : ""}">
    <td class="kind-cell"><span class="sign ${one.kind}" aria-hidden="true">${kind.sign}</span>${kind.word}${one.deciding && html` <strong class="tag">decided it</strong>`}</td>
    <th scope="row">${one.head}</th><td>${one.relation}</td><td>${one.tail}</td>
    <td><button type="button" class="button quiet" aria-pressed=${chosen ? "true" : "false"} onClick=${() => onSelect(chosen ? null : one.id)}
      aria-label=${`Show in the drawing: ${one.head}, ${one.relation}, ${one.tail}`}>${chosen ? "Shown" : "Show"}</button></td>
  </tr>`;
}

export function GroupList({ groups }) {
  return html`<ul class="groups">${groups.map((group, index) => html`<${Group} key=${index} group=${group} />`)}</ul>`;
}

function Group({ group }) {
  const [own, ...others] = group.members;
  return html`<li class=${group.intermediate ? "group intermediate" : "group"}>
    <p class="group-name"><strong>${own.name}</strong> <span class="muted">${group.intermediate ? "on the way between two groups" : "asked about"}${own.entity === null ? "; not in the graph" : ""}</span></p>
    ${others.length > 0
      ? html`<ul class="members">${others.map((member, index) => html`<li key=${index}>${member.name}${member.cosine !== null && html` <span class="muted numbers">similarity ${member.cosine.toFixed(2)}</span>`}</li>`)}</ul>`
      : html`<p class="muted">no similar entity</p>`}
  </li>`;
}
