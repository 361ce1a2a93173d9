// Documents: the corpora, and one of them: "#/documents", "#/documents/NAME".
import { change, corpusPath, get } from "../api.js";
import { announce } from "../parts/announce.js";
import { Button } from "../parts/button.js";
import { Confirm } from "../parts/confirm.js";
import { ErrorBox } from "../parts/error_box.js";
import { Field } from "../parts/field.js";
import { bytes, count, when } from "../parts/format.js";
import { html, useCallback, useEffect, useState } from "../preact.js";
import { href, navigate } from "../router.js";
import { CorpusView } from "./documents/corpus.js";
import { extentOf, Indexing, POLL_MS } from "./documents/words.js";

const FIRST_NAME = "my-documents";

export default function Documents({ params, info }) {
  return params.length ? html`<${CorpusView} name=${params[0]} info=${info} key=${params[0]} />` : html`<${Corpora} />`;
}

function Corpora() {
  const { list, error, act, reload } = useCorpora();
  const there = list?.corpora.filter((corpus) => !corpus.deleted) ?? [];
  const deleted = list?.corpora.filter((corpus) => corpus.deleted) ?? [];
  return html`<div class="stack">
    <div class="view-head"><h1>Documents</h1>
      <p class="lead">A corpus is a collection of documents that you ask together. Make one, add your files, and ask.</p></div>
    <${NewCorpus} first=${list !== null && there.every((corpus) => !corpus.own)} />
    <${ErrorBox} error=${error} onRetry=${reload} />
    ${deleted.length > 0 && html`<${Deleted} corpora=${deleted} onRestore=${(corpus) => act("POST", corpusPath(corpus.id, "restore"), `“${corpus.name}” is back.`)} />`}
    ${!list && !error && html`<p class="muted" role="status">Loading…</p>`}
    ${there.length > 0 && html`<${CorpusTable} corpora=${there} onDelete=${(corpus) => act("DELETE", corpusPath(corpus.name), `“${corpus.name}” was deleted.`)} />`}
    ${list && html`<p class="muted small">The corpora made here use ${bytes(list.bytes)} of ${bytes(list.limit)}, with their indexes.</p>`}
  </div>`;
}

// {list, error, reload, act(method, path, said)}; the list is read again while something is indexed.
function useCorpora() {
  const [list, setList] = useState(null);
  const [error, setError] = useState(null);
  const reload = useCallback(() => get("/api/corpora").then((found) => (setList(found), setError(null)), setError), []);
  useEffect(() => void reload(), []);
  const working = list?.corpora.some((corpus) => corpus.indexing);
  useEffect(() => {
    if (!working) return undefined;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [working]);
  const act = (method, path, said) => change(method, path).then(() => (announce(said), reload()), setError);
  return { list, error, reload, act };
}

// A name is typed as people write it: a space becomes "-".
const asName = (text) => text.replace(/\s+/g, "-");

function NewCorpus({ first }) {
  const [name, setName] = useState(null);
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const value = name ?? (first ? FIRST_NAME : "");
  const submit = async (event) => {
    event.preventDefault();
    if (!value) return setProblem({ message: "Write a name for the corpus." });
    setBusy(true);
    try {
      const made = await change("POST", "/api/corpora", { name: value });
      return navigate(href("documents", [made.name]));
    } catch (error) {
      setProblem(error);
    }
    return setBusy(false);
  };
  return html`<form class="panel" onSubmit=${submit}>
    <div class="name-form">
      <${Field} label="Name of a new corpus" hint="Letters, digits, “-”, “_” and “.”">${(id, described) => html`
        <input id=${id} aria-describedby=${described} maxlength="64" autocomplete="off" value=${value} onInput=${(event) => setName(asName(event.currentTarget.value))} />`}
      <//>
      <${Button} kind="primary" type="submit" busy=${busy}>Create<//>
    </div>
    <${ErrorBox} error=${problem} />
  </form>`;
}

function Deleted({ corpora, onRestore }) {
  return html`<section class="notice" aria-labelledby="deleted-heading">
    <h2 id="deleted-heading" class="small-heading">Deleted</h2>
    <ul class="files">${corpora.map((corpus) => html`<li key=${corpus.id}>
      <span class="file-name">${corpus.name}</span><span class="muted">${count(corpus.documents, "document")}, deleted ${when(corpus.deleted)}, kept for a day</span>
      <${Button} kind="quiet" onClick=${() => onRestore(corpus)} aria-label=${`Take back: ${corpus.name}`}>Take back<//>
    </li>`)}</ul>
  </section>`;
}

function CorpusTable({ corpora, onDelete }) {
  return html`<table class="runs cards">
    <caption class="hidden">Corpora</caption>
    <thead><tr><th scope="col">Corpus</th><th scope="col">Documents</th><th scope="col">Size</th><th scope="col">State</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
    <tbody>${corpora.map((corpus) => html`<tr key=${corpus.id}>
      <th scope="row" class="title"><a href=${href("documents", [corpus.name])}>${corpus.name}</a></th>
      <td data-label="Documents">${extentOf(corpus)}</td>
      <td data-label="Size">${bytes(corpus.bytes)}</td>
      <td data-label="State"><${Indexing} corpus=${corpus} /></td>
      <td class="actions">${corpus.own
        ? html`<${Confirm} label=${`Delete ${corpus.name}`} sure="Delete, kept for a day" onConfirm=${() => onDelete(corpus)}>Delete<//>`
        : html`<span class="muted">Given by the server</span>`}</td>
    </tr>`)}</tbody>
  </table>`;
}
