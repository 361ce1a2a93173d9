// A text, pasted or dropped as a file: <${TextPicker} value=${text} onChange=${setText} info=${info} label="Text to check" />
// value: {kind: "text" | "upload", text, upload, reading}, where `reading` counts the files on their way; textRequest(value) gives the request's fields.
import { upload } from "../api.js";
import { ErrorBox } from "./error_box.js";
import { Field } from "./field.js";
import { count } from "./format.js";
import { FileNotes, readingError, readingMore } from "./reading.js";
import { DropZone } from "./source_picker.js";
import { Tabs } from "./tabs.js";
import { html, useState } from "../preact.js";

const TABS = [{ id: "text", title: "Pasted text" }, { id: "upload", title: "File" }];

export const emptyText = { kind: "text", text: "", upload: null, reading: 0 };

export const textRequest = (value) => (value.kind === "upload" ? { upload: value.upload.id, name: value.upload.name } : { text: value.text });

export function textOf(request) {
  if (!request.upload) return { ...emptyText, text: request.text ?? "" };
  return { ...emptyText, kind: "upload", upload: { id: request.upload, name: request.name ?? "File of this run" } };
}

// What is wrong with the value, or null.
export function textProblem(value) {
  if (value.kind === "upload") return value.upload ? null : "Add a file first.";
  return value.text.trim() ? null : "Paste a text first.";
}

export function TextPicker({ value, onChange, info, label, rows = 10 }) {
  const [error, setError] = useState(null);
  const change = (part) => onChange((old) => ({ ...old, ...part }));
  const add = async ([file]) => {
    setError(null);
    onChange((old) => readingMore(old, 1));
    try {
      change({ kind: "upload", upload: await upload(file) });
    } catch (problem) {
      setError(readingError(file, problem));
    }
    onChange((old) => readingMore(old, -1));
  };
  // A file that is dropped on the words is meant as a file; the browser would open it instead of this page.
  const drop = (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    add(event.dataTransfer.files);
  };
  return html`<fieldset class="picker" onDragOver=${(event) => event.preventDefault()} onDrop=${drop}><legend>${label}</legend>
    <${Tabs} label=${label} tabs=${TABS} current=${value.kind} onChange=${(kind) => change({ kind })}>
      ${value.kind === "text" ? html`<${Field} label="Text" hint="Plain text or Markdown. You can also drop a file on it.">${(id, described) => html`
        <textarea id=${id} aria-describedby=${described} rows=${rows} value=${value.text} onInput=${(event) => change({ text: event.currentTarget.value })}></textarea>`}<//>`
      : html`<${DropZone} suffixes=${info.suffixes} multiple=${false} label="Drop a file here or choose it" onFiles=${add} />`}
      <div aria-live="polite">${value.reading > 0 && html`<p class="muted">Reading the file…</p>`}</div>
      <${ErrorBox} error=${error} />
      ${value.kind === "upload" && value.upload && html`<p class="file"><strong class="file-name">${value.upload.name}</strong> <span class="muted">${extent(value.upload)}</span></p>
        <${FileNotes} notes=${value.upload.notes} />`}
    <//>
  </fieldset>`;
}

const extent = (file) => (file.characters ? count(file.characters, "character") : "");
