"""Candidates for a chain of evidence: a question, its answer, and the gold sentences that lead to it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from probative.bench.data.files import read_lines
from probative.bench.data.questions import Question, accepted_answers, read_questions
from probative.bench.experiment import Case, Settings
from probative.bench.experiments.coe.mentions import mentions
from probative.text.sentences import split_sentences
from probative.types import Value

MULTIHOP = ("hotpotqa", "2wikimultihopqa")
RGB = "rgb"
RGB_FILE = "rgb/en_fact.json"
TITLES = {"hotpotqa": "HotpotQA", "2wikimultihopqa": "2WikiMultihopQA", RGB: "RGB"}


class Candidate(Value):
    """A question with its gold sentences ("pieces") and the pages that they stand on.

    `also` are other accepted spellings of the answer. `hops` is the number of gold sentences, and 1 for RGB.
    `wrong` is a wrong answer, if the data set has one.
    """

    id: str
    set: str
    question: str
    answer: str
    pieces: tuple[str, ...]
    titles: tuple[str, ...] = ()
    hops: int = 2
    wrong: str | None = None
    also: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[str, ...]:
        """All accepted spellings of the answer."""
        return (self.answer, *self.also)


def draw_candidates(settings: Settings, sets: Sequence[str]) -> list[Case]:
    """Return the candidates of several data sets as cases, drawn by the seed; `limit` counts all of them."""
    drawn = []
    for name in sets:
        candidates = read_candidates(settings.data, name)
        random.Random(f"{settings.seed} {name}").shuffle(candidates)
        drawn.append(candidates)
    # Alternate between the sets, so that a small limit has cases of each.
    mixed = [candidate for candidate in chain(*zip_longest(*drawn)) if candidate is not None]
    return [
        Case(key=f"{candidate.set} {candidate.id}", content=candidate)
        for candidate in mixed[: settings.limit]
    ]


def read_candidates(data: Path, name: str) -> list[Candidate]:
    """Return the candidates of a data set, of the rows that figures are reported on."""
    if name == RGB:
        return _read_rgb(data / RGB_FILE)
    return [_candidate(name, question) for question in read_questions(data, name) if question.gold]


def _candidate(name: str, question: Question) -> Candidate:
    gold = [question.passages[index] for index in sorted(question.gold)]
    return Candidate(
        id=question.id,
        set=name,
        question=question.text,
        answer=question.answer,
        pieces=tuple(passage.text for passage in gold),
        titles=tuple(passage.title or "" for passage in gold),
        hops=len(gold),
    )


def _read_rgb(file: Path) -> list[Candidate]:
    """Return RGB's questions; their pieces are the sentences of the texts that hold the answer."""
    return [_rgb_candidate(row) for row in read_lines(file)]


def _rgb_candidate(row: dict[str, Any]) -> Candidate:
    pieces = tuple(
        dict.fromkeys(sentence.text for text in row["positive"] for sentence in split_sentences(text))
    )
    accepted = accepted_answers(row["answer"])
    # The spelling that the texts use most stands for the answer where one must be named.
    answer = max(accepted, key=lambda spelling: sum(mentions(spelling, piece) for piece in pieces))
    return Candidate(
        id=str(row["id"]),
        set=RGB,
        question=row["query"],
        answer=answer,
        also=tuple(spelling for spelling in accepted if spelling != answer),
        pieces=pieces,
        hops=1,
        wrong=accepted_answers(row["fakeanswer"])[0],
    )
