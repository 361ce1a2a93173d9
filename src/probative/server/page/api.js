// The API of the server: typed errors, the token, uploads, runs and their events.

import { parseRoute } from "./router.js";

const TOKEN = "probative-token";
const EARLIER = "probative-earlier-";

// An answer of the server that is not a success. `status` is 0 if the server could not be reached.
export class ApiError extends Error {
  constructor(status, error = {}) {
    super(error.message ?? `The server answered with status ${status}.`);
    this.status = status;
    this.type = error.type ?? "Error";
    this.hint = error.hint ?? null;
    this.field = error.field ?? null;
    this.queue = error.queue ?? null;
  }
}

export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: (value) => sessionStorage.setItem(TOKEN, value),
  clear: () => sessionStorage.removeItem(TOKEN),
};

// Answer the server gives to a request, or an ApiError. A 401 also raises the window event
// "probative:token", at which the shell asks for the token.
export async function send(path, options = {}) {
  const headers = new Headers(options.headers);
  if (token.get()) headers.set("Authorization", `Bearer ${token.get()}`);
  let response;
  try {
    response = await fetch(path.replace(/^\//, ""), { ...options, headers, credentials: "omit" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { type: "Unreachable", message: "The server does not answer.", hint: "Is `probative serve` still running?" });
  }
  if (response.ok) return response;
  if (response.status === 401) dispatchEvent(new Event("probative:token"));
  throw new ApiError(response.status, await errorOf(response));
}

async function errorOf(response) {
  try {
    return (await response.json()).error ?? {};
  } catch {
    return {};
  }
}

export const get = async (path, { signal } = {}) => (await send(path, { signal })).json();

export async function post(path, body, { headers = {}, signal } = {}) {
  const options = { method: "POST", body: JSON.stringify(body), headers: { ...headers, "Content-Type": "application/json" }, signal };
  return (await send(path, options)).json();
}

export const patch = async (path, body) => (await send(path, { method: "PATCH", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } })).json();

export const remove = async (path) => void (await send(path, { method: "DELETE" }));

// The runs that this page has started and whose end it has not told yet.
export const awaited = new Set();

// Start a run of a verb ("ask", "verify" …) that goes on without this page; gives the Run. It remembers the
// run that is open now, so that the two can be compared.
export async function startRun(verb, request) {
  const headers = { Prefer: "respond-async", "Idempotency-Key": randomKey() };
  const open = parseRoute(location.hash);
  const run = await post(`/api/${verb}`, request, { headers });
  awaited.add(run.id);
  if ([verb, "runs"].includes(open.view) && open.params.length) sessionStorage.setItem(EARLIER + run.id, open.params[0]);
  return run;
}

// Ask the next question of a thread, or another one in the place of a run of it; gives the Run.
export async function askInThread(thread, request, insteadOf = null) {
  const path = threadPath(thread, `/ask${insteadOf ? `?instead_of=${encodeURIComponent(insteadOf)}` : ""}`);
  const run = await post(path, request, { headers: { "Idempotency-Key": randomKey() } });
  awaited.add(run.id);
  return run;
}

// The run that was open when this one was started, or null.
export const earlierRun = (id) => sessionStorage.getItem(EARLIER + id);

export const threadPath = (id, rest = "") => `/api/threads/${encodeURIComponent(id)}${rest}`;
export const runPath = (id, rest = "") => `/api/runs/${encodeURIComponent(id)}${rest}`;
export const getRun = (id, options) => get(runPath(id), options);
export const getResult = (id, options) => get(runPath(id, "/result"), options);
export const getTrace = (id, options) => get(runPath(id, "/trace"), options);

// The texts that a run searched in; each upload with its `file`, as `filePath` takes it.
export async function getSources({ id, request }, options) {
  const { sources } = await get(runPath(id, "/sources"), options);
  const file = (source) => ({ upload: source.id, source: source.source, pages: source.structure?.pages ?? [] });
  return request.uploads ? sources.map((source) => ({ ...source, file: file(source) })) : sources;
}

// Cancel a run; gives it as it stands. That it ended a moment before is no error: its own events tell how.
export async function cancelRun(id) {
  try {
    return await post(runPath(id, "/cancel"), {});
  } catch (error) {
    if (error.status !== 409) throw error;
    return getRun(id);
  }
}

export const deleteRun = (id) => remove(runPath(id));

// Send a file to the scratch area; gives {id, name, title, characters, pages, passages, expires}.
export async function upload(file) {
  const headers = { "Content-Type": "application/octet-stream" };
  const path = `/api/uploads?name=${encodeURIComponent(file.name)}`;
  return (await send(path, { method: "POST", body: file, headers })).json();
}

export const getUpload = (id, options) => get(`/api/uploads/${encodeURIComponent(id)}`, options);
export const deleteUpload = (id) => remove(`/api/uploads/${encodeURIComponent(id)}`);

// The document of a corpus as {source, title, text, pages, date}.
export function getDocument(corpus, source, options) {
  return get(`/api/corpora/${encodeURIComponent(corpus)}/document?source=${encodeURIComponent(source)}`, options);
}

// What `/api/corpora` and below it have: corpusPath("leases", "documents", {source: "a.md"})
export function corpusPath(name, part = "", query = {}) {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null && value !== undefined)).toString();
  return `/api/corpora/${encodeURIComponent(name)}${part && `/${part}`}${search && `?${search}`}`;
}

// What the server has of a file that is shown: {corpus, source} or {upload, source}.
export function filePath(file, part, query = {}) {
  if (file.corpus) return corpusPath(file.corpus, part, { source: file.source, ...query });
  const search = new URLSearchParams(query).toString();
  return `/api/uploads/${encodeURIComponent(file.upload)}/${part}${search && `?${search}`}`;
}

// Change something of the corpora: change("PATCH", path, {name}); the shell then asks for the list anew.
export async function change(method, path, body = null) {
  const given = body instanceof Blob ? { body, type: "application/octet-stream" } : { body: body && JSON.stringify(body), type: "application/json" };
  const response = await send(path, { method, body: given.body, headers: given.body ? { "Content-Type": given.type } : {} });
  dispatchEvent(new Event("probative:corpora"));
  return response.status === 204 ? null : response.json();
}

// The events of a run, each {id, event, data} with `data` parsed. Ends when the server ends the stream.
export async function* events(id, { signal, lastId = null } = {}) {
  const headers = { Accept: "text/event-stream" };
  if (lastId !== null) headers["Last-Event-ID"] = String(lastId);
  const response = await send(runPath(id, "/events"), { headers, signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value.replaceAll("\r", "")).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) yield event;
    }
  }
}

// parseEvent("event: step\ndata: {}") → {id: null, event: "step", data: {}}; null for a comment.
export function parseEvent(block) {
  const parsed = { id: null, event: "message", data: null };
  const data = [];
  for (const line of block.split("\n")) {
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
    if (name === "data") data.push(value);
    else if (name === "event" || name === "id") parsed[name] = value;
  }
  return data.length ? { ...parsed, data: JSON.parse(data.join("\n")) } : null;
}

// Save an answer of the server as a file. A link cannot send the token, so that the page fetches it itself.
export async function download(path, name) {
  const blob = await (await send(path)).blob();
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Not crypto.randomUUID: a page on another address than loopback may lack it.
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
