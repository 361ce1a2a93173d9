"""Questions over several hops with all their passages: HotpotQA (distractor) and 2WikiMultihopQA; and
2WikiMultihopQA's questions with what BM25 finds for them in a collection of pages.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from probative import Passage
from probative.text.words import words

FILES = {
    "hotpotqa": "hotpotqa/hotpot_dev_distractor_sample.json",
    "2wikimultihopqa": "2wikimultihopqa/dev_sample.json",
}
# Collections of whole pages: the published one, which lacks what most questions need, and the same with the
# pages of all questions.
COLLECTIONS = ("2wiki-corpus", "2wiki-open")
CORPUS = "2wikimultihopqa/corpus.json"
# Pages that BM25 hands to the methods.
RETRIEVED = 20
# The first so many questions of each served to choose weights; figures are of those from there to the second
# number. What is beyond was trained on (training/policy/sources.py).
TUNED, REPORTED = 200, 400


@dataclass(frozen=True)
class Question:
    """A question, its answer, its sentences with their page as title, and which of them are gold; where the
    passages are whole pages, the titles of those that are gold, wherever they are found.
    """

    id: str
    text: str
    answer: str
    kind: str
    passages: tuple[Passage, ...]
    gold: frozenset[int]
    titles: frozenset[str] = frozenset()

    @property
    def wanted(self) -> frozenset[int] | frozenset[str]:
        """What the chosen passages are to hold: places, or titles."""
        return self.titles or self.gold


class Collection:
    """Pages, and BM25 over them."""

    def __init__(self, pages: Sequence[Passage]) -> None:
        import bm25s  # only where there is a collection

        self._pages = list(pages)
        self._index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        said = [words(page.whole) for page in self._pages]
        self._known = {word for one in said for word in one}
        self._index.index(said, show_progress=False)

    def __call__(self, query: str, number: int) -> list[Passage]:
        """The pages that fit best, as a retriever gives them."""
        asked = sorted(set(words(query)) & self._known)
        if not asked:
            return []
        scores = self._index.get_scores(asked)
        return [self._pages[place] for place in (-scores).argsort(kind="stable")[:number]]


def read_collection(data: Path, name: str) -> Collection:
    """One of the collections."""
    pages = {row["title"]: row["text"] for row in json.loads((data / CORPUS).read_text(encoding="utf-8"))}
    if name == "2wiki-open":
        for row in json.loads((data / FILES["2wikimultihopqa"]).read_text(encoding="utf-8")):
            for title, sentences in row["context"]:
                pages.setdefault(title, " ".join(sentence.strip() for sentence in sentences))
    return Collection([Passage(text=text, title=title) for title, text in pages.items() if text.strip()])


def read_questions(data: Path, name: str, *, tuning: bool = False) -> list[Question]:
    """The questions of a set that served for tuning, or the others."""
    file = FILES["2wikimultihopqa" if name in COLLECTIONS else name]
    rows = json.loads((data / file).read_text(encoding="utf-8"))
    questions = [_question(row) for row in (rows[:TUNED] if tuning else rows[TUNED:REPORTED])]
    if name not in COLLECTIONS:
        return questions
    collection = read_collection(data, name)
    return [_retrieved(question, collection) for question in questions]


def _retrieved(question: Question, collection: Collection) -> Question:
    """The question with what was retrieved for it in the place of its own passages."""
    passages = tuple(collection(question.text, RETRIEVED))
    titles = frozenset(question.passages[place].title or "" for place in question.gold)
    gold = frozenset(place for place, passage in enumerate(passages) if passage.title in titles)
    return replace(question, passages=passages, gold=gold, titles=titles)


def _question(row: dict[str, object]) -> Question:
    gold = {(title, number) for title, number in row["supporting_facts"]}  # type: ignore[attr-defined]
    placed = [
        (title, number, sentence.strip())
        for title, sentences in row["context"]  # type: ignore[attr-defined]
        for number, sentence in enumerate(sentences)
        if sentence.strip()
    ]
    return Question(
        id=str(row["_id"]),
        text=str(row["question"]),
        answer=str(row["answer"]),
        kind=str(row["type"]),
        passages=tuple(Passage(text=text, title=title) for title, _, text in placed),
        gold=frozenset(place for place, (title, number, _) in enumerate(placed) if (title, number) in gold),
    )
