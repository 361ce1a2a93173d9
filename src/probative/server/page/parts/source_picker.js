// Where the evidence comes from: pasted passages, dropped files or a registered corpus.
// <${SourcePicker} value=${source} onChange=${setSource} info=${info} />
// value: {kind: "passages" | "uploads" | "corpus", text, uploads, reading, failed, corpus}, where `reading` counts the
// files on their way and `failed` says why others could not be read; emptySource(info) is the first one,
// sourceRequest(value) gives the request's fields, sourceOf(request, info) the value of a request.
import { deleteUpload, getUpload, upload } from "../api.js";
import { html, useEffect, useId, useState } from "../preact.js";
import { droppedFiles } from "./dropped_files.js";
import { ErrorBox } from "./error_box.js";
import { Field } from "./field.js";
import { count } from "./format.js";
import { formatPassages, parsePassages } from "./passages.js";
import { FileNotes, readingError, readingMore } from "./reading.js";
import { Tabs } from "./tabs.js";

// The files that were added last: a new form begins with them, whichever link led to it.
let added = { uploads: [], chosen: false };
// The corpus that new forms begin with, until the tab is closed.
const PREFERRED = "probative-corpus";

export const preferCorpus = (name) => {
  sessionStorage.setItem(PREFERRED, name);
  added = { ...added, chosen: false };
};

export function emptySource(info) {
  const kind = added.chosen && added.uploads.length ? "uploads" : info.corpora.length ? "corpus" : "passages";
  const preferred = sessionStorage.getItem(PREFERRED);
  const corpus = info.corpora.find(({ name }) => name === preferred) ?? info.corpora[0];
  return { kind, text: "", uploads: added.uploads, reading: 0, failed: [], corpus: corpus?.name ?? "" };
}

export function sourceRequest(value) {
  if (value.kind === "corpus") return { corpus: value.corpus };
  if (value.kind === "uploads") return { uploads: value.uploads.map((file) => file.id) };
  return { passages: parsePassages(value.text) };
}

export function sourceOf(request, info) {
  const empty = emptySource(info);
  if (request.corpus) return { ...empty, kind: "corpus", corpus: request.corpus };
  if (request.uploads?.length) return { ...empty, kind: "uploads", uploads: request.uploads.map((id) => ({ id, name: "File of this run" })) };
  return { ...empty, kind: "passages", text: formatPassages(request.passages ?? []) };
}

// searchedBy({kind: "corpus", corpus: "harbour"}, info) → "Ask 17 documents of “harbour”…"
export function searchedBy(value, info) {
  const corpus = info.corpora.find(({ name }) => name === value.corpus);
  if (value.kind === "corpus" && corpus) return `Ask ${count(corpus.documents, "document")} of “${corpus.name}”…`;
  if (value.kind === "uploads") return value.uploads.length ? `Ask ${count(value.uploads.length, "file")}…` : "Ask your files, once they are added below…";
  return "Ask the text that you paste below…";
}

// How many files of the value are still being read.
export const sourceReading = (value) => (value.kind === "uploads" ? value.reading : 0);

// What is wrong with the value, or null.
export function sourceProblem(value) {
  if (value.kind === "corpus") return value.corpus ? null : "Choose a corpus.";
  if (value.kind === "uploads") return value.uploads.length ? null : "Add a file first.";
  return parsePassages(value.text).length ? null : "Paste at least one passage.";
}

export function SourcePicker({ value, onChange, info, label = "Evidence" }) {
  const change = (part) => onChange((old) => ({ ...old, ...part }));
  useEffect(() => {
    added = { uploads: value.uploads, chosen: value.kind === "uploads" };
  }, [value]);
  const tabs = [{ id: "corpus", title: "Corpus" }, { id: "uploads", title: "Files" }, { id: "passages", title: "Pasted text" }];
  const shown = info.corpora.length ? tabs : tabs.slice(1);
  return html`<fieldset class="picker"><legend>${label}</legend>
    <${Tabs} label=${label} tabs=${shown} current=${value.kind} onChange=${(kind) => change({ kind })}>
      ${value.kind === "corpus" && html`<${CorpusChoice} value=${value} change=${change} info=${info} />`}
      ${value.kind === "uploads" && html`<${Files} value=${value} onChange=${onChange} suffixes=${info.suffixes} />`}
      ${value.kind === "passages" && html`<${Pasted} value=${value} change=${change} />`}
    <//>
  </fieldset>`;
}

function CorpusChoice({ value, change, info }) {
  const chosen = info.corpora.find((corpus) => corpus.name === value.corpus);
  const hint = chosen ? `${count(chosen.documents, "document")}, ${count(chosen.passages, "passage")}` : null;
  return html`<${Field} label="Corpus" hint=${hint}>${(id, described) => html`
    <select id=${id} aria-describedby=${described} value=${value.corpus} onChange=${(event) => change({ corpus: event.currentTarget.value })}>
      ${info.corpora.map((corpus) => html`<option key=${corpus.name} value=${corpus.name}>${corpus.name}</option>`)}
    </select>`}
  <//>
  <${FileNotes} notes=${chosen?.notes} />
  ${chosen?.unread.length > 0 && html`<details><summary>Files that could not be read</summary>
    <${FileNotes} notes=${chosen.unread.map((file) => file.what)} />
  </details>`}`;
}

function Pasted({ value, change }) {
  const found = parsePassages(value.text).length;
  const hint = `Leave an empty line between passages. A first line with “# ” is a title. ${found ? `${count(found, "passage")}.` : ""}`;
  return html`<${Field} label="Passages" hint=${hint}>${(id, described) => html`
    <textarea id=${id} aria-describedby=${described} rows="7" value=${value.text} onInput=${(event) => change({ text: event.currentTarget.value })}></textarea>`}
  <//>`;
}

function Files({ value, onChange, suffixes }) {
  // The files of an earlier run are known by their ids only.
  useEffect(() => {
    for (const { id } of value.uploads.filter((file) => file.characters === undefined)) {
      getUpload(id).then((found) => replace(onChange, found), () => replace(onChange, { id, name: "A file that is no longer kept", characters: 0 }));
    }
  }, [value.uploads.map((file) => file.id).join(" ")]);
  const add = async (files) => {
    onChange((old) => ({ ...readingMore(old, files.length), failed: [] }));
    for (const file of files) {
      try {
        const added = await upload(file);
        onChange((old) => ({ ...readingMore(old, -1), uploads: [...old.uploads, added] }));
      } catch (error) {
        onChange((old) => ({ ...readingMore(old, -1), failed: [...old.failed, readingError(file, error)] }));
      }
    }
  };
  const drop = (file) => {
    deleteUpload(file.id).catch(() => null); // It expires by itself.
    onChange((old) => ({ ...old, uploads: old.uploads.filter((other) => other.id !== file.id) }));
  };
  return html`
    <${DropZone} onFiles=${add} suffixes=${suffixes} />
    <div aria-live="polite">${value.reading > 0 && html`<p class="muted">Reading ${count(value.reading, "file")}…</p>`}</div>
    ${value.failed.map((error, index) => html`<${ErrorBox} key=${index} error=${error} />`)}
    <ul class="files">${value.uploads.map((file) => html`<li key=${file.id}>
      <span class="file-name">${file.name}</span><span class="muted">${extent(file)}</span>
      <button type="button" class="button quiet" onClick=${() => drop(file)} aria-label=${`Remove ${file.name}`}>Remove</button>
      <${FileNotes} notes=${file.notes} />
    </li>`)}</ul>`;
}

const replace = (onChange, found) => onChange((old) => ({ ...old, uploads: old.uploads.map((file) => (file.id === found.id ? found : file)) }));

function extent(file) {
  const parts = [];
  if (file.pages) parts.push(count(Array.isArray(file.pages) ? file.pages.length : file.pages, "page"));
  if (file.characters) parts.push(count(file.characters, "character"));
  return parts.join(", ");
}

// A place to drop files that is also a file button: <${DropZone} onFiles=${(files, paths) => …} suffixes=${info.suffixes} multiple />
// With `everywhere`, it takes what is dropped on the rest of the page, too.
export function DropZone({ onFiles, suffixes, multiple = true, everywhere = false, label = "Drop files here or choose them" }) {
  const id = useId();
  const [over, setOver] = useState(false);
  const stop = (event) => event.preventDefault();
  // Gives the files and their paths, which differ from their names in folders.
  const give = (found) => found.length && onFiles(...[found.map(({ file }) => file), found.map(({ path }) => path)].map((all) => (multiple ? all : all.slice(0, 1))));
  const take = (event) => {
    stop(event);
    setOver(false);
    if (event.dataTransfer) return void droppedFiles(event.dataTransfer).then(give);
    give([...event.currentTarget.files].map((file) => ({ file, path: file.name })));
    event.currentTarget.value = "";
    return undefined;
  };
  useEffect(() => {
    if (!everywhere) return undefined;
    const elsewhere = (event) => event.defaultPrevented || (event.type === "drop" ? take(event) : stop(event));
    for (const type of ["dragover", "drop"]) addEventListener(type, elsewhere);
    return () => ["dragover", "drop"].forEach((type) => removeEventListener(type, elsewhere));
  });
  return html`<div class="drop ${over ? "over" : ""}" onDragOver=${(event) => (stop(event), setOver(true))} onDragLeave=${() => setOver(false)} onDrop=${take}>
    <input id=${id} type="file" multiple=${multiple} accept=${suffixes.join(",")} aria-describedby=${`${id}-hint`} onChange=${take} />
    <label for=${id}>${label}</label>
    <p class="hint" id=${`${id}-hint`}>PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, HTML, Markdown, e-mail, text or tables; pictures and scans if the server has OCR.</p>
  </div>`;
}
