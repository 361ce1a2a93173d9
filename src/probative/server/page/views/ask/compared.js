// Under Advanced, the same question with plain RAG beside it: answers, verdicts and costs.
import { startRun } from "../../api.js";
import { useAnnounced } from "../../parts/announce.js";
import { Button } from "../../parts/button.js";
import { ErrorBox } from "../../parts/error_box.js";
import { percent, seconds, whole } from "../../parts/format.js";
import { VerdictBadge } from "../../parts/verdict_badge.js";
import { RunBar, doingNow } from "../../parts/run_bar.js";
import { html, useState } from "../../preact.js";
import { href, navigate } from "../../router.js";
import { useRun } from "../../use_run.js";
import { answerText, inOneLine } from "./answer.js";
import { label } from "./evidence.js";

// `other` is the id of the run with plain RAG; it is part of the address, so that both can be shared.
export function Compared({ run, result, info, other }) {
  const live = useRun(other);
  const [error, setError] = useState(null);
  const [starting, setStarting] = useState(false);
  useAnnounced(live, "ask", doingNow(live, {}), (rag) => `Plain RAG. ${inOneLine(rag)}`);
  if (!info.rag || result.method === info.rag.method) return null;
  const start = async () => {
    setStarting(true);
    try {
      const started = await startRun("ask", ragRequest(run.request, info.rag));
      navigate(href("ask", [run.id], { rag: started.id }), { replace: true });
    } catch (problem) {
      setError(problem);
    }
    setStarting(false);
  };
  return html`<details open=${other ? true : null}><summary>Plain RAG beside it</summary><section class="stack" aria-labelledby="rag-heading">
    <h2 id="rag-heading">Beside plain RAG</h2>
    <p class="lead">Plain RAG reads the five passages nearest to the question and answers from them. It chooses no chain.</p>
    ${!other && html`<div class="row"><${Button} onClick=${start} busy=${starting}>Compare with plain RAG<//></div>`}
    <${ErrorBox} error=${error} />
    ${other && live.state !== "done" && html`<${RunBar} live=${live} />`}
    ${live.result && html`<${Table} ours=${result} rag=${live.result} />
      <p><a href=${href("compare", [run.id, other])}>Compare both runs in detail</a></p>`}
  </section></details>`;
}

// The request of a run with the method of plain RAG; a preset belongs to the method it was made for.
export function ragRequest(request, rag) {
  const { preset, method, options, ...kept } = request;
  const given = Object.entries(kept).filter(([, value]) => value !== null && value !== undefined);
  return { ...Object.fromEntries(given), method: rag.method, options: rag.options ?? {} };
}

function Table({ ours, rag }) {
  const rows = [
    ["Answer", (result) => html`<strong>${answerText(result) ?? "No answer"}</strong>`],
    ["Verdict", (result) => html`<${VerdictBadge} ...${result} />`],
    ["Certainty", (result) => (result.certainty === null ? "–" : percent(result.certainty))],
    ["Rests on", rests],
    ["Passages in the answer's evidence", (result) => whole(result.chain.length)],
    ["What is missing", (result) => result.missing.join("; ") || "–"],
    ["Contradictions shown", (result) => whole(result.conflicts.length)],
    ["Model calls", (result) => whole(result.usage.calls + result.usage.cached)],
    ["Tokens", (result) => whole(result.usage.prompt_tokens + result.usage.completion_tokens + result.usage.scored_tokens)],
    ["Time", (result) => seconds(result.usage.seconds)],
  ];
  const cached = ours.usage.cached || rag.usage.cached;
  return html`<div class="scroll-x"><table class="beside">
    <caption class="hidden">The same question with Probative and with plain RAG</caption>
    <thead><tr><td></td><th scope="col">Probative</th><th scope="col">Plain RAG</th></tr></thead>
    <tbody>${rows.map(([name, cell]) => html`<tr key=${name}><th scope="row">${name}</th><td>${cell(ours)}</td><td>${cell(rag)}</td></tr>`)}</tbody>
  </table></div>
  ${cached > 0 && html`<p class="hint">Some calls came from the cache; they cost no tokens and hardly any time.</p>`}`;
}

function rests(result) {
  if (!result.cited.length) return "–";
  return html`<ul class="plain-list">${result.cited.map((cited, number) => html`<li key=${number}>${label(cited.index)} <q>${cited.text}</q></li>`)}</ul>`;
}
