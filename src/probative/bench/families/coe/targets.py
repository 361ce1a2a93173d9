"""Targets of an attack: wrong answers of the same kind, which a false chain of evidence can end at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from probative.bench.data.questions import Question
from probative.bench.families.coe.builder import Builder, ModelBuilder, RuleBuilder
from probative.bench.families.coe.candidates import Candidate, mentions, read_candidates
from probative.bench.families.coe.sample import choose_wrong
from probative.scope.question import read_question

ALIKE = ("person", "place", "date", "number")
"""The kinds of answers that can stand for one another, whatever the question asks for."""


def choose_target(
    writer: Builder, candidate: Candidate, question: Question, data: Path, draws: Random
) -> str | None:
    """Return the other thing that a question offers, no for yes and yes for no, or another answer of the same
    kind, which a model names if it is the writer; None if there is none.
    """
    offered = offered_instead(candidate)
    if offered:
        return draws.choice(offered)
    wrong = choose_wrong(writer, candidate, draws) if isinstance(writer, ModelBuilder) else None
    alike = (
        choose_wrong(RuleBuilder(answers), candidate, draws)
        for answers in _answers_alike(data, candidate, question)
    )
    return wrong or next(filter(None, alike), None)


def offered_instead(candidate: Candidate) -> list[str]:
    """Return what a question offers besides its answer: gold pages that it names, if it names the answer.

    >>> offered_instead(Candidate(
    ...     id="1", set="own", question="Is the Lark or the Tern older?", answer="Lark", pieces=("…", "…"),
    ...     titles=("Lark (ship)", "Tern"),
    ... ))
    ['Tern']
    """
    if not mentions(candidate.accepted, candidate.question):
        return []
    names = dict.fromkeys(map(bare_title, candidate.titles))
    return [
        name
        for name in names
        if mentions(name, candidate.question)
        and not mentions(name, candidate.answer)
        and not mentions(candidate.accepted, name)
    ]


def _answers_alike(data: Path, candidate: Candidate, question: Question) -> Iterator[Sequence[str]]:
    """Yield answers of the same kind, the nearest first: pages beside the gold ones if the answer is a page,
    answers to questions of the set that ask for the same ("film"), and those of the same kind.
    """
    pages = dict.fromkeys(bare_title(passage.title or "") for passage in question.passages)
    gold = dict.fromkeys(map(bare_title, candidate.titles))
    if any(mentions(candidate.accepted, page) or mentions(page, candidate.answer) for page in gold):
        yield [page for page in pages if page not in gold]
    asked = read_question(candidate.question).parsed
    of_kind = [row for row in _answers_asked(data, candidate.set) if row[0] == asked.kind]
    if asked.kind in ALIKE or mentions(asked.intent, candidate.question):
        yield [answer for _, intent, answer in of_kind if intent == asked.intent]
    yield [answer for *_, answer in of_kind] if asked.kind in ALIKE else []


def bare_title(title: str) -> str:
    """Return the title of a page without what tells it from others.

    >>> bare_title("Lark (ship)")
    'Lark'
    """
    return title.partition(" (")[0]


@lru_cache(maxsize=4)
def _answers_asked(data: Path, name: str) -> tuple[tuple[str, str, str], ...]:
    """Return the kind, the intent and the answer of each question of a set."""
    candidates = read_candidates(data, name)
    parsed = ((read_question(candidate.question).parsed, candidate.answer) for candidate in candidates)
    return tuple((question.kind, question.intent, answer) for question, answer in parsed)
