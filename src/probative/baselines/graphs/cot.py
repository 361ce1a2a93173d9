"""Chain of thought: the model reasons in a few sentences, then answers. The graph is not read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.baselines.graphs.methods import as_query, asked, bare, prompt
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.baselines.passages.cot_sc import answer_line
from probative.engine.search import Search, generate
from probative.engine.tools import Tools
from probative.give.answer import Section, answer, read_reply
from probative.give.examples import examples_for
from probative.give.knowledge import written
from probative.give.query import Form, Query, letter
from probative.give.result import Example, GiveResult
from probative.graph.graph_with_index import GraphWithIndex
from probative.models.types import Request
from probative.text.cleaning import clean
from probative.text.prompts import fenced

THOUGHT_TOKENS = 384
# What the line with the answer holds.
_WANTED: dict[Form, str] = {
    "yes-no": "one word: yes, no or maybe",
    "choice": "the letter of one choice",
    "text": "your answer in a few words",
}


class Thought(NamedTuple):
    """An answer, and the reasoning before it."""

    answer: str | None
    rationale: str | None


def by_cot(
    query: Query,
    source: GraphWithIndex,
    tools: Tools,
    options: GiveBaselineOptions,
    examples: Sequence[Example] | None = None,
) -> Search[GiveResult]:
    """The answer after a chain of thought, in one call."""
    notes: list[str] = []
    thought = yield from think(query, examples_for(query, options.examples, examples), tools, options, notes)
    return GiveResult(answer=thought.answer, rationale=thought.rationale, notes=notes)


def think(
    query: Query,
    examples: Sequence[Example],
    tools: Tools,
    options: GiveBaselineOptions,
    notes: list[str],
) -> Search[Thought]:
    """The reasoning and the answer on its last line. Where no such line can be read, or the answer is to be
    chosen, the model is asked once more, with its reasoning before it.
    """
    text = prompt(
        "cot",
        wanted=_WANTED[query.form],
        examples="".join(f"\n{shown(example, query)}\n" for example in examples),
        question=asked(query),
    )
    replies = yield from generate([Request.user(text, max_tokens=THOUGHT_TOKENS)], step="thought")
    reply = replies[0]
    if reply.finish_reason == "dry-run":
        return Thought(None, None)
    line = answer_line(reply.text)
    rationale = line[0] if line is not None else reply.text.strip()
    chosen = options.answering == "chosen" and query.form != "text"
    if line is not None and not chosen:
        read = read_reply(line[1], query)
        if read is not None:
            return Thought(read, rationale or None)
    if not chosen:
        notes.append(
            f"the reasoning ends with no answer that can be read, so the model was asked once more: "
            f"{fenced(clean(reply.text))[-80:]!r}"
        )
    given = yield from answer(
        query,
        [Section("Thoughts", fenced(clean(rationale)))],
        bare(examples),
        tools,
        notes,
        step="answer",
        answering=options.answering,
    )
    return Thought(given.answer, rationale or None)


def shown(example: Example, query: Query) -> str:
    r"""A worked example whose reasoning is its knowledge, a sentence each.

    >>> from probative.types import Triple
    >>> from probative.give.query import make_query
    >>> cork = Triple(head="cork", relation="is lighter than", tail="water")
    >>> shown(Example(question="Does cork float?", knowledge=(cork,), answer="yes"), make_query("Is it?"))
    'Question: Does cork float?\ncork is lighter than water.\nAnswer: yes'
    """
    said = example.answer
    if example.choices:
        said = f"{letter(example.choices.index(example.answer))}) {example.answer}"
    thoughts = f"{written(example.knowledge, 'text')}\n" if example.knowledge else ""
    return f"Question: {asked(as_query(example, query.form))}\n{thoughts}Answer: {said}"
