"""Candidates for a chain of evidence: a question, its answer, and the gold sentences that lead to it; and the
irrelevant text of a candidate, by the paper's query for each node.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from pathlib import Path

from probative.bench.data.files import read_json, read_lines
from probative.bench.data.pages import Collection, read_collection
from probative.bench.data.questions import accepted_answers, read_questions
from probative.bench.data.splits import MULTIHOP_FILES
from probative.bench.families.coe.mentions import mentions
from probative.bench.study import Case, Settings
from probative.text.sentences import split_sentences
from probative.types import Passage, Value

MULTIHOP = ("hotpotqa", "2wikimultihopqa")
RGB = "rgb"
RGB_FILE = "rgb/en_fact.json"
TITLES = {"hotpotqa": "HotpotQA", "2wikimultihopqa": "2WikiMultihopQA", RGB: "RGB"}
QUERY = "Please introduce the background of {node}"
"""The paper's template (section 5.1)."""
# Pages that are retrieved for each node.
PAGES = 10


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

    @property
    def named(self) -> tuple[str, ...]:
        """The pieces that name the answer."""
        return tuple(piece for piece in self.pieces if mentions(self.accepted, piece))


def draw_candidates(settings: Settings, sets: Sequence[str]) -> list[Case]:
    """Return the candidates of several data sets as cases, drawn by the seed; `limit` counts all of them."""
    drawn = []
    for name in sets:
        candidates = read_candidates(settings.data, name)
        random.Random(f"{settings.seed} {name}").shuffle(candidates)
        drawn.append(candidates)
    # Alternate between the sets, so that a small limit has cases of each.
    mixed = [candidate for candidate in chain(*zip_longest(*drawn)) if candidate is not None]
    return [Case(f"{candidate.set} {candidate.id}", candidate) for candidate in mixed[: settings.limit]]


def read_candidates(data: Path, name: str) -> list[Candidate]:
    """Return the candidates of a data set, of the rows that figures are reported on."""
    return list(_rgb(data) if name == RGB else _multihop(data, name))


def _multihop(data: Path, name: str) -> Iterator[Candidate]:
    for question in read_questions(data, name):
        gold = [question.passages[index] for index in sorted(question.gold)]
        if gold:
            yield Candidate(
                id=question.id,
                set=name,
                question=question.text,
                answer=question.answer,
                pieces=tuple(passage.text for passage in gold),
                titles=tuple(passage.title or "" for passage in gold),
                hops=len(gold),
            )


def _rgb(data: Path) -> Iterator[Candidate]:
    """Yield RGB's questions; their pieces are the sentences of the texts that hold the answer."""
    for row in read_lines(data / RGB_FILE):
        sentences = (sentence.text for text in row["positive"] for sentence in split_sentences(text))
        pieces = tuple(dict.fromkeys(sentences))
        accepted = accepted_answers(row["answer"])
        # The spelling that the texts use most stands for the answer where one must be named.
        uses = {spelling: sum(mentions(spelling, piece) for piece in pieces) for spelling in accepted}
        answer = max(uses, key=uses.__getitem__)
        yield Candidate(
            id=str(row["id"]),
            set=RGB,
            question=row["query"],
            answer=answer,
            also=tuple(spelling for spelling in accepted if spelling != answer),
            pieces=pieces,
            hops=1,
            wrong=accepted_answers(row["fakeanswer"])[0],
        )


@lru_cache(maxsize=4)
def open_collection(data: Path, name: str) -> Collection:
    """Return the pages that irrelevant text of a data set is retrieved from.

    For 2WikiMultihopQA its published collection with the pages of all questions, for HotpotQA the pages of
    all questions, for RGB the texts of all questions that hold no answer.
    """
    if name == "2wikimultihopqa":
        return read_collection(data, "2wiki-open")
    if name == RGB:
        texts = dict.fromkeys(text for row in read_lines(data / RGB_FILE) for text in row["negative"])
        return Collection([Passage(text=text) for text in texts if text.strip()])
    pages = {
        title: " ".join(sentence.strip() for sentence in sentences)
        for row in read_json(data / MULTIHOP_FILES[name])
        for title, sentences in row["context"]
    }
    return Collection([Passage(text=text, title=title) for title, text in pages.items() if text.strip()])


def irrelevant_sentences(collection: Collection, candidate: Candidate, nodes: Sequence[str]) -> list[str]:
    """Return sentences about the nodes of a question that cannot support its answer.

    Gold pages, gold sentences and sentences that name the answer are left out. The nodes take turns.
    """
    answers = () if candidate.answer.lower() in ("yes", "no") else candidate.accepted
    by_node = [
        [
            sentence.text
            for page in collection(QUERY.format(node=node), PAGES)
            if not page.title or page.title not in candidate.titles
            for sentence in split_sentences(page.text)
            if sentence.text not in candidate.pieces
            and not any(mentions(answer, sentence.text) for answer in answers)
        ]
        for node in nodes or [candidate.question]
    ]
    turns = chain.from_iterable(zip_longest(*by_node))
    return list(dict.fromkeys(sentence for sentence in turns if sentence is not None))
