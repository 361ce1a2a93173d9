// One corpus: its files, what could not be read, and the date of each document.
import { change, corpusPath, download, get } from "../../api.js";
import { announce } from "../../parts/announce.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { ErrorBox } from "../../parts/error_box.js";
import { Field } from "../../parts/field.js";
import { bytes, count } from "../../parts/format.js";
import { FileNotes, readingError } from "../../parts/reading.js";
import { DropZone, preferCorpus } from "../../parts/source_picker.js";
import { html, useCallback, useEffect, useRef, useState } from "../../preact.js";
import { href, navigate } from "../../router.js";
import { DocumentTable } from "./table.js";
import { doing, extentOf, POLL_MS } from "./words.js";

const PAGE = 100;

export function CorpusView({ name, info }) {
  const state = useCorpus(name);
  const { corpus, error, act, reload } = state;
  if (!corpus) {
    return html`<div class="stack"><${Crumbs} /><h1>${name}</h1>
      ${error ? html`<${ErrorBox} error=${error} onRetry=${reload} />` : html`<p class="muted" role="status">Loading…</p>`}</div>`;
  }
  const remove = () => act("DELETE", corpusPath(corpus.name), null, `“${corpus.name}” was deleted.`).then((done) => done && navigate(href("documents")));
  return html`<div class="stack">
    <${Crumbs} />
    <div class="view-head"><h1>${corpus.name}</h1>
      <p class="lead">${extentOf(corpus)}; ${bytes(corpus.bytes)} with the index.${!corpus.own && " It was given when the server was started: its files are changed in their folder, not here."}</p>
      <div class="actions">
        <${ButtonLink} kind="primary" href=${href("ask")} onClick=${() => preferCorpus(corpus.name)}>Ask these documents<//>
        <${ButtonLink} href=${href("calibrate", [], { corpus: corpus.name })}>Calibrate<//>
        <${Button} onClick=${() => download(corpusPath(corpus.name, "export.zip"), `${corpus.name}.zip`).catch(state.setError)}>Export<//>
        ${corpus.own && html`<${Rename} corpus=${corpus} />
          <${Button} onClick=${() => act("POST", corpusPath(corpus.name, "reread"), null, "All files are read again.")}>Read all again<//>
          <${Confirm} label=${`Delete ${corpus.name}`} sure="Delete, kept for a day" onConfirm=${remove}>Delete<//>`}
      </div></div>
    <${ErrorBox} error=${error} />
    ${corpus.own && html`<${AddFiles} corpus=${corpus} suffixes=${info.suffixes} onAdded=${state.show} />`}
    <${Progress} corpus=${corpus} />
    <${Problems} corpus=${corpus} act=${act} />
    <${DocumentTable} corpus=${corpus} list=${state.documents} act=${act} onOpen=${(source) => open(corpus, source, state.setError)} />
    ${state.documents && state.documents.length < state.total && html`<div><${Button} onClick=${state.more}>Show more documents<//></div>`}
  </div>`;
}

const Crumbs = () => html`<p class="crumbs"><a href=${href("documents")}>All corpora</a></p>`;

const open = (corpus, source, failed) => download(corpusPath(corpus.name, "original", { source }), source.split("/").pop()).catch(failed);

// {corpus, documents, total, error, reload, more, show(corpus), act(method, path, body, said)}. The corpus is read again
// while it is indexed, and its documents when that has ended.
function useCorpus(name) {
  const [corpus, setCorpus] = useState(null);
  const [known, setKnown] = useState({ documents: null, total: 0 });
  const [error, setError] = useState(null);
  const reload = useCallback(() => get(corpusPath(name)).then((found) => (setCorpus(found), setError(null)), setError), [name]);
  useEffect(() => void reload(), [reload]);
  const working = Boolean(corpus?.indexing);
  useEffect(() => {
    if (!working) return undefined;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [working, reload]);
  const read = (offset, limit) => get(corpusPath(name, "documents", { offset, limit }));
  const before = useRef(null);
  useEffect(() => {
    if (!corpus || working) return;
    const limit = Math.min(1_000, Math.max(PAGE, known.documents?.length ?? 0));
    read(0, limit).then(setKnown, setError);
    if (before.current) {
      dispatchEvent(new Event("probative:corpora"));
      announce(`${extentOf(corpus)}.`);
    }
    before.current = corpus;
  }, [working, corpus === null]);
  const more = () => read(known.documents.length, PAGE).then((page) => setKnown((old) => ({ ...page, documents: [...old.documents, ...page.documents] })), setError);
  const act = async (method, path, body, said) => {
    try {
      const found = await change(method, path, body);
      if (found) setCorpus(found);
      setError(null);
      announce(said);
      return true;
    } catch (problem) {
      setError(problem);
      return false;
    }
  };
  return { corpus, ...known, error, setError, reload, more, act, show: setCorpus };
}

function Rename({ corpus }) {
  const [name, setName] = useState(null);
  const [problem, setProblem] = useState(null);
  const form = useRef(null);
  const asked = name !== null;
  useEffect(() => void (asked && form.current.querySelector("input").select()), [asked]);
  const submit = async (event) => {
    event.preventDefault();
    try {
      const renamed = await change("PATCH", corpusPath(corpus.name), { name });
      navigate(href("documents", [renamed.name]), { replace: true });
    } catch (error) {
      setProblem(error);
    }
  };
  if (!asked) return html`<${Button} onClick=${() => setName(corpus.name)}>Rename<//>`;
  return html`<form class="name-form" ref=${form} onSubmit=${submit}>
    <${Field} label="New name">${(id) => html`<input id=${id} required maxlength="64" autocomplete="off" value=${name} onInput=${(event) => setName(event.currentTarget.value.replace(/\s+/g, "-"))} />`}<//>
    <${Button} type="submit">Save<//><${Button} kind="quiet" onClick=${() => setName(null)}>Cancel<//>
    <${ErrorBox} error=${problem} />
  </form>`;
}

// Files are sent one after another; the server reads them meanwhile.
function AddFiles({ corpus, suffixes, onAdded }) {
  const [sending, setSending] = useState(0);
  const [failed, setFailed] = useState([]);
  const add = async (files, paths) => {
    setFailed([]);
    preferCorpus(corpus.name);
    setSending((old) => old + files.length);
    for (const [index, file] of files.entries()) {
      try {
        onAdded(await change("POST", corpusPath(corpus.name, "documents", { source: paths[index] }), file));
      } catch (error) {
        setFailed((old) => [...old, readingError(file, error)]);
      }
      setSending((old) => old - 1);
    }
  };
  return html`<div class="stack tight">
    <${DropZone} onFiles=${add} suffixes=${suffixes} everywhere />
    <div aria-live="polite">${sending > 0 && html`<p class="muted">Sending ${count(sending, "file")}…</p>`}</div>
    ${failed.map((error, index) => html`<${ErrorBox} key=${index} error=${error} />`)}
  </div>`;
}

function Progress({ corpus }) {
  const { indexing } = corpus;
  if (corpus.failed) return html`<${ErrorBox} error=${{ message: `The index could not be brought up to date: ${corpus.failed}` }} />`;
  if (!indexing) return null;
  return html`<div class="working"><p class="doing">${doing(indexing)}…</p>
    <progress aria-label="Indexing" ...${indexing.total ? { value: indexing.done, max: indexing.total } : {}}></progress></div>`;
}

// Files that could not be read, with the reasons.
function Problems({ corpus, act }) {
  if (!corpus.unread_total) return null;
  const rest = corpus.unread_total - corpus.unread.length;
  return html`<section class="panel" aria-labelledby="unread-heading">
    <h2 id="unread-heading">Could not be read</h2>
    <ul class="files">${corpus.unread.map((file) => html`<li key=${file.source}>
      <span class="file-name">${file.source}</span><span class="problem">${file.reason}</span>
      ${corpus.own && html`<span class="row-actions">
        <${Button} kind="quiet" onClick=${() => act("POST", corpusPath(corpus.name, "reread", { source: file.source }), null, `${file.source} is read again.`)} aria-label=${`Read ${file.source} again`}>Read again<//>
        <${Confirm} label=${`Remove ${file.source}`} sure="Remove for good" onConfirm=${() => act("DELETE", corpusPath(corpus.name, "documents", { source: file.source }), null, `${file.source} was removed.`)}>Remove<//>
      </span>`}
      <${FileNotes} notes=${[file.what]} />
    </li>`)}</ul>
    ${rest > 0 && html`<p class="muted">And ${count(rest, "other file")}.</p>`}
  </section>`;
}
