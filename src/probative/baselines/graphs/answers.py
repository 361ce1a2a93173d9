"""What the baselines that answer a question over a graph share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.search import Search
from probative.give.answer import Section, answer, answer_prompt
from probative.give.knowledge import fit_window, format_triples
from probative.give.options import Shape
from probative.give.query import Form, Query
from probative.give.result import Example
from probative.give.run import Run
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Triple

KNOWN = "What a knowledge graph says"


BaselineRun = Run[GiveBaselineOptions]


class AnswerFromTriples(NamedTuple):
    """An answer, and the triples that the model read."""

    answer: str | None
    read: tuple[Triple, ...]


def answer_from(
    run: BaselineRun, triples: Sequence[Triple], default_shape: Shape
) -> Search[AnswerFromTriples]:
    """Answer from the first triples, as many as fit into the model's window."""
    shape = run.options.shape or default_shape
    prompt_tokens = run.tools.model.count_tokens(answer_prompt(run.query, (), run.examples, shape))
    (read,) = fit_window(run, [triples], prompt_tokens, shape)
    sections = [Section(KNOWN, format_triples(read, shape))]
    staged = yield from answer(run, sections, run.examples, step="answer", shape=shape)
    return AnswerFromTriples(staged.answer, tuple(read))


def prompt(name: str, **parts: str) -> str:
    """Return a prompt of this package with its parts filled in."""
    return fill(read_prompt("probative.baselines.graphs", name), **parts)


def question_text(query: Query) -> str:
    """Return the question with its choices, a line each, fenced so that they cannot look like other parts."""
    return "\n".join(fenced(line) for line in query.with_choices.splitlines())


def as_query(example: Example, form: Form) -> Query:
    """Return the question of an example as a query."""
    return Query(example.question, example.choices, form)


def without_knowledge(examples: Sequence[Example]) -> list[Example]:
    """Return the examples without their knowledge, for a prompt that has none.

    >>> moss = Triple(head="moss", relation="is", tail="green")
    >>> without_knowledge([Example(question="Is moss green?", knowledge=(moss,), answer="yes")])[0].knowledge
    ()
    """
    return [example.model_copy(update={"knowledge": ()}) for example in examples]
