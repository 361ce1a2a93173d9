"""Direct prompting and chain of thought: the graph is not read."""

from __future__ import annotations

from typing import NamedTuple

from probative.baselines.graphs.answers import BaselineRun, as_query, prompt, question_text, without_knowledge
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.baselines.passages.closed_book import answer_line
from probative.engine.methods import Method
from probative.engine.search import Search, generate
from probative.give.answer import Section, answer, lettered_answer, read_reply
from probative.give.knowledge import format_triples
from probative.give.query import Form
from probative.give.result import Example, GiveResult
from probative.models.types import Request
from probative.text.prompts import fenced
from probative.text.words import clean

THOUGHT_TOKENS = 384
# The form of the last line.
_ANSWER_FORMS: dict[Form, str] = {
    "yes-no": "one word: yes, no or maybe",
    "choice": "the letter of one choice",
    "text": "your answer in a few words",
}


def by_direct(run: BaselineRun) -> Search[GiveResult]:
    """Answer in one call."""
    staged = yield from answer(run, (), without_knowledge(run.examples), step="answer")
    return GiveResult(answer=staged.answer, notes=run.notes)


class Thought(NamedTuple):
    """An answer and the reasoning before it."""

    answer: str | None
    rationale: str | None


def by_cot(run: BaselineRun) -> Search[GiveResult]:
    """Answer after a chain of thought, in one call."""
    thought = yield from think(run)
    return GiveResult(answer=thought.answer, rationale=thought.rationale, notes=run.notes)


def think(run: BaselineRun) -> Search[Thought]:
    """Return the reasoning and the answer on its last line. If there is no such line, or the answer is to be
    chosen, a second call answers after the reasoning.
    """
    query = run.query
    text = prompt(
        "cot",
        wanted=_ANSWER_FORMS[query.form],
        examples="".join(f"\n{worked_example(example, query.form)}\n" for example in run.examples),
        question=question_text(query),
    )
    (reply,) = yield from generate([Request.user(text, max_tokens=THOUGHT_TOKENS)], step="thought")
    line = answer_line(reply.text)
    rationale = line[0] if line is not None else reply.text.strip()
    chosen = run.options.answering == "chosen" and query.form != "text"
    if line is not None and not chosen:
        read = read_reply(line[1], query)
        if read is not None:
            return Thought(read, rationale or None)
    if not chosen:
        run.note(
            f"the reasoning does not end with a readable answer, so the model was asked once more: "
            f"{fenced(clean(reply.text))[-80:]!r}"
        )
    sections = [Section("Thoughts", fenced(clean(rationale)))]
    staged = yield from answer(run, sections, without_knowledge(run.examples), step="answer")
    return Thought(staged.answer, rationale or None)


def worked_example(example: Example, form: Form) -> str:
    r"""Return a worked example whose reasoning is its knowledge, one sentence a triple.

    >>> from probative.types import Triple
    >>> cork = Triple(head="cork", relation="is lighter than", tail="water")
    >>> worked_example(Example(question="Does cork float?", knowledge=(cork,), answer="yes"), "yes-no")
    'Question: Does cork float?\ncork is lighter than water.\nAnswer: yes'
    """
    thoughts = f"{format_triples(example.knowledge, 'text')}\n" if example.knowledge else ""
    question = question_text(as_query(example, form))
    return f"Question: {question}\n{thoughts}Answer: {lettered_answer(example)}"


DIRECT = Method(by_direct, GiveBaselineOptions)
COT = Method(by_cot, GiveBaselineOptions)
