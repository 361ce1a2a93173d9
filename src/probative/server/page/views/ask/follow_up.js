// The question after an answer, over the same texts, and the thread that an answer is in.
import { get } from "../../api.js";
import { Button } from "../../parts/button.js";
import { asksForContents, Contents } from "../../parts/contents.js";
import { ErrorBox } from "../../parts/error_box.js";
import { Field, sendOnEnter } from "../../parts/field.js";
import { modelKnown } from "../../parts/model_choice.js";
import { html, useEffect, useState } from "../../preact.js";
import { href } from "../../router.js";

// What kind of question the model of a request takes.
export const advice = (info, request) => (modelKnown(request, info).rewrites
  ? "It may point at what was said before, like “And who owned it?”. How it was read is shown with the answer."
  : `The model “${modelKnown(request, info).name}” does not rewrite follow-up questions. Write a whole question, with the names of what you mean.`);

// A form for the next question; `request` is that of the question before, and `ask(request)` asks the next one.
export function FollowUp({ request, info, ask, busy = false }) {
  const [question, setQuestion] = useState("");
  const [contents, setContents] = useState(null);
  const [problem, setProblem] = useState(null);
  const [starting, setStarting] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    if (busy || starting) return;
    const text = question.trim();
    setProblem(text ? null : { message: "Write a question." });
    if (!text) return;
    if (request.corpus && asksForContents(text, info)) return setContents(request.corpus);
    setContents(null);
    setStarting(true);
    try {
      await ask({ ...request, question: text, history: [] });
      setQuestion("");
    } catch (error) {
      setProblem(error);
    }
    setStarting(false);
  };
  return html`<section class="stack" aria-label="Follow-up">
    <form class="panel follow-up" onSubmit=${submit}>
      <${Field} label="Ask further" hint=${advice(info, request)}>${(field, described) => html`
        <textarea id=${field} aria-describedby=${described} rows="2" value=${question} onInput=${(event) => setQuestion(event.currentTarget.value)} onKeyDown=${sendOnEnter}></textarea>`}
      <//>
      <${ErrorBox} error=${problem} />
      <div class="row"><${Button} kind="primary" type="submit" busy=${starting || busy}>Send<//></div>
    </form>
    ${contents && html`<${Contents} corpus=${contents} />`}
  </section>`;
}

// A link to the thread that a run is in, if it is in one.
export function ThreadOf({ run }) {
  const [thread, setThread] = useState(null);
  useEffect(() => {
    // An answer is worth showing also where its thread cannot be read.
    get(`/api/threads?run=${encodeURIComponent(run.id)}`).then((found) => setThread(found.threads[0] ?? null), () => setThread(null));
  }, [run.id]);
  if (!thread || thread.deleted) return null;
  return html`<p class="muted">From the thread <a href=${href("thread", [thread.id])}>${thread.name}</a></p>`;
}
