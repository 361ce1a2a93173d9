// Addresses of the page: "#/ask/RUN?rag=OTHER" names a view, its parameters and a query.
import { useEffect, useState } from "./preact.js";

// Each view is a module of views/ whose default export is a component; it is loaded when first opened.
// A view belongs to the navigation entry `entry`, by default its own.
export const VIEWS = {
  ask: { title: "Ask" },
  documents: { title: "Documents" },
  verify: { title: "Check a text" },
  prove: { title: "Proof" },
  reason: { title: "Graph" },
  runs: { title: "History" },
  bench: { title: "Advanced" },
  trace: { title: "Trace", entry: "runs" },
  compare: { title: "Compare", entry: "runs" },
  document: { title: "Document", entry: "documents" },
  calibrate: { title: "Calibrate", entry: "documents" },
  thread: { title: "Thread", entry: "ask" },
};
const HOME = "ask";

// parseRoute("#/ask/r1?rag=r2") → {view: "ask", params: ["r1"], query: {rag: "r2"}}
export function parseRoute(hash) {
  const [path, search] = hash.replace(/^#\/?/, "").split("?");
  const [view, ...params] = path.split("/").map(decode);
  return { view: view || HOME, params: params.filter(Boolean), query: Object.fromEntries(new URLSearchParams(search ?? "")) };
}

// href("ask", ["r1"], {rag: "r2"}) → "#/ask/r1?rag=r2"; every part is encoded.
export function href(view, params = [], query = {}) {
  const path = [view, ...params].map(encodeURIComponent).join("/");
  const known = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(known).toString();
  return `#/${path}${search ? `?${search}` : ""}`;
}

// Go to an address; with {replace: true} the browser's "back" skips the present one.
export function navigate(address, { replace = false } = {}) {
  if (!replace) {
    location.hash = address;
    return;
  }
  history.replaceState(null, "", address);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

// The full address of a view, to be copied.
export function shareAddress(address = location.hash) {
  return new URL(address, location.href).href;
}

export function useRoute() {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
