// The result of prove: the verdict, the text whose chosen sentences light up one by one, and what each adds.
import { Button } from "../../parts/button.js";
import { percent } from "../../parts/format.js";
import { Notes } from "../../parts/notes.js";
import { VERDICTS, VerdictBadge } from "../../parts/verdict_badge.js";
import { html, useMemo } from "../../preact.js";
import { useReplay } from "./replay.js";
import { ProofNumbers, ProofSteps } from "./steps.js";
import { ProofText, proofPieces } from "./text.js";
import { conclusion } from "./words.js";
import { Shares } from "../verify/claim.js";

const KEYS = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 };

export function ProveResult({ proof, request }) {
  const steps = proof.evidence.length;
  const replay = useReplay(steps);
  const parts = useMemo(() => proofPieces(request, proof.evidence), [proof]);
  const deciding = proof.evidence.findIndex((sentence) => sentence.index === proof.deciding);
  const onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key] || event.target.closest(".scroll-x")) return;
    event.preventDefault();
    replay.go(replay.step + KEYS[event.key]);
  };
  return html`<section class="stack prove-result" aria-label="Result" tabindex="-1" onKeyDown=${onKeyDown}>
    <${Conclusion} proof=${proof} deciding=${proof.evidence[deciding]} />
    ${steps > 0 && html`<${Controls} replay=${replay} steps=${steps} />`}
    <div class="text-and-detail">
      <div class="panel"><h2>Text</h2><${ProofText} parts=${parts} step=${replay.step} steps=${steps} deciding=${deciding} verdict=${proof.verdict} /></div>
      <div class="panel"><h2>${proof.curve.length ? "What each sentence adds" : "The chosen sentences"}</h2>
        ${proof.curve.length > 0 && html`<p class="hint">“Easier to believe” means: after reading it, the language model states the claim more readily.</p>`}
        ${steps ? html`<${ProofSteps} proof=${proof} step=${replay.step} go=${replay.go} />` : html`<p>No sentence helps.</p>`}</div>
    </div>
    <${ProofNumbers} proof=${proof} />
    <${Notes} notes=${proof.notes} />
  </section>`;
}

// The conclusion as a screen reader is told of it when it arrives.
export function concludedInWords(proof) {
  const deciding = proof.evidence.find((sentence) => sentence.index === proof.deciding);
  return [proof.judged && VERDICTS[proof.verdict] && `${VERDICTS[proof.verdict].word}.`, conclusion(proof), deciding?.text].filter(Boolean).join(" ");
}

function Conclusion({ proof, deciding }) {
  return html`<div class="panel conclusion">
    <h2 class="claim-text">${proof.claim}</h2>
    <p class="row">
      ${proof.verdict !== null && html`<${VerdictBadge} verdict=${proof.judged ? proof.verdict : "not judged"} large />`}
      <span>${conclusion(proof)}</span>
    </p>
    ${deciding && html`<figure class="quote ${proof.verdict === "contradicted" ? "contradicts" : "supports"}"><blockquote>${deciding.text}</blockquote>
      ${proof.disputed && proof.disputed !== proof.claim && html`<figcaption>against: ${proof.disputed}</figcaption>`}</figure>`}
    ${proof.judged && proof.probabilities && html`<details><summary>Probability of each verdict: ${percent(proof.probabilities[proof.verdict])} for this one</summary><${Shares} probabilities=${proof.probabilities} /></details>`}
  </div>`;
}

// "Previous" and "Next" are not `disabled` at the ends: they would lose the focus, and with it the keys.
function Controls({ replay, steps }) {
  const { step, playing, go } = replay;
  return html`<div class="row replay" role="group" aria-label="Replay">
    <${Button} onClick=${playing ? replay.pause : replay.play}>${playing ? "Pause" : "Replay"}<//>
    <${Button} onClick=${() => go(step - 1)} aria-disabled=${step === 0 ? "true" : null} aria-keyshortcuts="ArrowLeft">Previous<//>
    <${Button} onClick=${() => go(step + 1)} aria-disabled=${step === steps ? "true" : null} aria-keyshortcuts="ArrowRight">Next<//>
    <span class="muted" role="status" aria-live=${playing ? "off" : "polite"}>${step} of ${steps} sentences</span>
    <span class="hint keys"><kbd>←</kbd> <kbd>→</kbd> step back and forth</span>
  </div>`;
}
