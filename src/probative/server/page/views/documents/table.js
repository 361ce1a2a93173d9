// The documents of a corpus: date and where it was found, size, a newer version, and what can be done with each.
import { corpusPath } from "../../api.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { Field } from "../../parts/field.js";
import { bytes, count } from "../../parts/format.js";
import { FileNotes } from "../../parts/reading.js";
import { html, useEffect, useRef, useState } from "../../preact.js";
import { href } from "../../router.js";
import { dateSource } from "./words.js";

export function DocumentTable({ corpus, list, act, onOpen }) {
  if (!list) return html`<p class="muted" role="status">Loading the documents…</p>`;
  if (!list.length) return corpus.indexing ? null : html`<p class="empty">No documents yet.${corpus.own && " Add files above."}</p>`;
  return html`<table class="runs cards documents">
    <caption class="hidden">Documents of ${corpus.name}</caption>
    <thead><tr><th scope="col">Document</th><th scope="col">Date</th><th scope="col">Size</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
    <tbody>${list.map((document) => html`<${Row} key=${document.source} corpus=${corpus} document=${document} act=${act} onOpen=${onOpen} />`)}</tbody>
  </table>`;
}

function Row({ corpus, document, act, onOpen }) {
  const { source } = document;
  const to = (part) => corpusPath(corpus.name, part, { source });
  return html`<tr>
    <th scope="row" class="title"><a href=${href("document", [corpus.name], { source })}>${document.title || source}</a>
      ${document.title && html`<span class="verb">${source}</span>`}
      <${Version} corpus=${corpus} document=${document} /><${Conversation} corpus=${corpus} mails=${document.thread} /><${FileNotes} notes=${document.notes} /></th>
    <td data-label="Date"><${DateCell} corpus=${corpus} document=${document} onSave=${(date) => act("PUT", to("date"), { date }, date ? `The date of ${source} is ${date}.` : `${source} has its own date again.`)} /></td>
    <td data-label="Size">${extent(document)}</td>
    <td class="actions">
      <${Button} kind="quiet" onClick=${() => onOpen(source)} aria-label=${`Download ${source}`}>Download<//>
      ${corpus.own && html`<${Button} kind="quiet" onClick=${() => act("POST", to("reread"), null, `${source} is read again.`)} aria-label=${`Read ${source} again`}>Read again<//>
        <${Confirm} label=${`Remove ${source}`} sure="Remove for good" onConfirm=${() => act("DELETE", to("documents"), null, `${source} was removed.`)}>Remove<//>`}
    </td>
  </tr>`;
}

const extent = ({ pages, passages, bytes: size }) => [bytes(size), pages && count(pages, "page"), count(passages, "passage")].filter(Boolean).join(", ");

// A document that is nearly the same text as another; the older of two with dates is marked.
function Version({ corpus, document }) {
  const other = document.superseded_by ?? document.same_as;
  if (!other) return null;
  const link = html`<a href=${href("document", [corpus.name], { source: other })}>${other}</a>`;
  return document.superseded_by
    ? html`<span class="version"><span class="tag insufficient">Superseded</span> newer: ${link}</span>`
    : html`<span class="version muted">Nearly the same as ${link}</span>`;
}

// The other e-mails of a conversation.
function Conversation({ corpus, mails }) {
  if (!mails.length) return null;
  return html`<details class="version"><summary>Conversation with ${count(mails.length, "other e-mail")}</summary>
    <ul>${mails.map((mail, index) => html`<li key=${index}>${mail.date && html`<time datetime=${mail.date}>${mail.date}</time> `}${mail.author} <a href=${href("document", [corpus.name], { source: mail.source })}>${mail.source}</a></li>`)}</ul>
  </details>`;
}

function DateCell({ corpus, document, onSave }) {
  const [asked, setAsked] = useState(null);
  const cell = useRef(null);
  useEffect(() => void (asked !== null && cell.current.querySelector(asked ? "input" : "button").focus()), [asked]);
  const save = (date) => {
    setAsked(false);
    onSave(date);
  };
  const shown = html`${document.date ? html`<time datetime=${document.date}>${document.date}</time><span class="muted date-source">${dateSource(document.date_source)}</span>` : html`<span class="muted">none found</span>`}`;
  if (!corpus.own) return shown;
  return html`<div ref=${cell}>${asked
    ? html`<${DateForm} document=${document} onSave=${save} onCancel=${() => setAsked(false)} />`
    : html`${shown} <${Button} kind="quiet" onClick=${() => setAsked(true)} aria-label=${`Change the date of ${document.source}`}>Change<//>`}</div>`;
}

function DateForm({ document, onSave, onCancel }) {
  const [date, setDate] = useState(document.date ?? "");
  const submit = (event) => {
    event.preventDefault();
    onSave(date.trim());
  };
  return html`<form class="date-form" onSubmit=${submit}>
    <${Field} label=${html`Date<span class="hidden"> of ${document.source}</span>`} hint="2026, 2026-05 or 2026-05-03">${(id, described) => html`
      <input id=${id} aria-describedby=${described} required pattern="[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?" autocomplete="off" value=${date} onInput=${(event) => setDate(event.currentTarget.value)} />`}
    <//>
    <${Button} type="submit">Save<//>
    ${document.date_source === "--date" && html`<${Button} onClick=${() => onSave(null)}>Use its own<//>`}
    <${Button} kind="quiet" onClick=${onCancel}>Cancel<//>
  </form>`;
}
