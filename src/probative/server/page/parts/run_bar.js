// The state of a run: progress and "Cancel" while it works, then its cost, link, downloads and trace.
// <${RunBar} live=${useRun(id)} words=${{judge: "Reading the passages"}} exports=${["html", "json"]} />
import { download, runPath } from "../api.js";
import { html, useState } from "../preact.js";
import { href, shareAddress } from "../router.js";
import { Button, ButtonLink } from "./button.js";
import { ErrorBox } from "./error_box.js";
import { cost, count, seconds } from "./format.js";

const EXPORTS = {
  html: { title: "HTML", file: "export.html" },
  json: { title: "JSON", file: "export.json" },
  sarif: { title: "SARIF", file: "export.sarif" },
  junit: { title: "JUnit", file: "export.junit.xml" },
};

// `words` names the steps of the trace in words; a step without words is shown by its name.
export function RunBar({ live, words = {}, exports = ["html", "json"], address = null }) {
  if (!live.run && !live.busy && !live.error) return null;
  return html`<section class="runbar" aria-label="Run">
    <div aria-live="polite">
      ${live.busy && html`<${Working} live=${live} words=${words} />`}
      ${live.state === "cancelled" && html`<p class="notice">This run was cancelled.</p>`}
    </div>
    ${live.state !== "cancelled" && html`<${ErrorBox} error=${live.error} />`}
    ${live.state === "done" && html`<${Done} live=${live} exports=${exports} address=${address} />`}
  </section>`;
}

function Working({ live, words }) {
  const { progress } = live;
  const doing = live.state === "queued" ? waiting(live.position) : `${words[live.step] ?? live.step ?? "Starting"}…`;
  const known = progress?.total ? { value: progress.done ?? 0, max: progress.total } : {};
  return html`<div class="working">
    <p class="doing">${doing}</p>
    <progress aria-label="Progress" ...${known}></progress>
    <p class="muted numbers">${progress ? numbers(progress) : ""}</p>
    <${Button} onClick=${live.cancel}>Cancel<//>
  </div>`;
}

const waiting = (position) => (position > 0 ? `Waiting: place ${position} in the queue` : "Waiting for its turn");
const numbers = (progress) => `${count(progress.calls ?? 0, "model call")}, ${count(progress.tokens ?? 0, "token")}, ${seconds(progress.seconds ?? 0)}`;

function Done({ live, exports, address }) {
  const { run, result } = live;
  return html`<div class="done">
    <p class="muted cost">${cost(result?.usage ?? run.usage)}</p>
    <div class="actions">
      <${CopyLink} address=${address ?? href(run.verb, [run.id])} />
      ${exports.map((name) => html`<${Export} key=${name} run=${run} kind=${EXPORTS[name]} />`)}
      <${ButtonLink} href=${href("runs", [run.id])}>Trace<//>
    </div>
  </div>`;
}

function Export({ run, kind }) {
  const [error, setError] = useState(null);
  const save = () => download(runPath(run.id, `/${kind.file}`), `${run.verb}-${run.id}.${kind.file.replace("export.", "")}`).then(() => setError(null), setError);
  return html`<${Button} onClick=${save} aria-label=${`Download as ${kind.title}`}>${kind.title}<//>${error && html`<${ErrorBox} error=${error} />`}`;
}

// A button that copies an address of this page; where the clipboard is closed to the page, it shows the address.
export function CopyLink({ address }) {
  const [shown, setShown] = useState("");
  const full = shareAddress(address);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(full);
      setShown("Copied");
    } catch {
      setShown(full);
    }
  };
  return html`<${Button} onClick=${copy}>Copy link<//><span class="copied" role="status">${shown}</span>`;
}
