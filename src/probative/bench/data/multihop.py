"""Multi-hop questions with all their passages: HotpotQA (distractor) and 2WikiMultihopQA; and
2WikiMultihopQA's questions with the pages that BM25 retrieves from a collection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from probative import Passage
from probative.bench.data.files import read_json
from probative.bench.splits import MULTIHOP_FILES, is_kept_sample, multihop_rows
from probative.errors import InputError
from probative.text.words import load_bm25s, words

# Collections of whole pages: the published one, which lacks pages that most questions need, and the same with
# the pages of all questions.
COLLECTIONS = ("2wiki-corpus", "2wiki-open")
CORPUS = "2wikimultihopqa/corpus.json"
# Pages that BM25 hands to the methods.
RETRIEVED = 20


@dataclass(frozen=True)
class Question:
    """A question, its answer, its passages (sentences with their page as title), and the indexes of the
    gold ones.

    `titles` are the gold pages where the passages are whole pages that were retrieved. `also` are other
    accepted spellings of the answer.
    """

    id: str
    text: str
    answer: str
    kind: str
    passages: tuple[Passage, ...]
    gold: frozenset[int]
    titles: frozenset[str] = frozenset()
    also: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[str, ...]:
        """All accepted spellings of the answer."""
        return (self.answer, *self.also)

    @property
    def wanted(self) -> frozenset[int] | frozenset[str]:
        """What the chosen passages should contain: titles of pages, or indexes of sentences."""
        return self.titles or self.gold


class Collection:
    """Pages, and BM25 over them."""

    def __init__(self, pages: Sequence[Passage]) -> None:
        self._pages = list(pages)
        self._index = load_bm25s().BM25(method="lucene", k1=1.2, b=0.75)
        page_words = [words(page.whole) for page in self._pages]
        self._known = {word for page in page_words for word in page}
        self._index.index(page_words, show_progress=False)

    def __call__(self, query: str, n: int) -> list[Passage]:
        """Return the n pages with the highest BM25 scores, as a retriever does."""
        query_words = sorted(set(words(query)) & self._known)
        if not query_words:
            return []
        scores = self._index.get_scores(query_words)
        return [self._pages[index] for index in (-scores).argsort(kind="stable")[:n]]


def read_collection(data: Path, name: str) -> Collection:
    """Return a collection by its name."""
    pages = {row["title"]: row["text"] for row in read_json(data / CORPUS)}
    if name == "2wiki-open":
        for row in read_json(data / MULTIHOP_FILES["2wikimultihopqa"]):
            for title, sentences in row["context"]:
                pages.setdefault(title, " ".join(sentence.strip() for sentence in sentences))
    return Collection([Passage(text=text, title=title) for title, text in pages.items() if text.strip()])


def read_questions(data: Path, name: str, *, tuning: bool = False) -> list[Question]:
    """Return the questions of a set that figures are reported on, or (`tuning`) that settings were tuned on.

    Of the dev sample of our kept reports these are 200 rows each. Any other file was tuned on by nobody:
    all its rows are returned, and `tuning` raises `InputError`.
    """
    rows = read_json(data / MULTIHOP_FILES["2wikimultihopqa" if name in COLLECTIONS else name])
    if is_kept_sample(rows):
        rows = multihop_rows(rows, tuning=tuning)
    elif tuning:
        raise InputError(
            f"no setting was tuned on this file of {name}", hint="leave out tuning, or use our dev sample"
        )
    questions = [_read_question(row, name) for row in rows]
    if name not in COLLECTIONS:
        return questions
    collection = read_collection(data, name)
    return [_retrieved(question, collection) for question in questions]


def read_hotpotqa(data: Path) -> list[Question]:
    """Return the questions of HotpotQA that figures are reported on."""
    return read_questions(data, "hotpotqa")


def read_2wikimultihopqa(data: Path) -> list[Question]:
    """Return the questions of 2WikiMultihopQA that figures are reported on."""
    return read_questions(data, "2wikimultihopqa")


def _retrieved(question: Question, collection: Collection) -> Question:
    """Return the question with the pages retrieved for it instead of its own passages."""
    passages = tuple(collection(question.text, RETRIEVED))
    titles = frozenset(question.passages[index].title or "" for index in question.gold)
    gold = frozenset(index for index, passage in enumerate(passages) if passage.title in titles)
    return replace(question, passages=passages, gold=gold, titles=titles)


def _read_question(row: dict[str, Any], name: str) -> Question:
    """Return the question of a row; raises `InputError` for a row of another form."""
    try:
        return as_question(row)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"the row {row.get('_id')!r} of {name} is not as published: {type(error).__name__}: {error}",
            hint="context is a list of [title, [sentence, …]], supporting_facts one of [title, number]",
        ) from error


def as_question(row: dict[str, Any]) -> Question:
    """Return the question of a row in the form of HotpotQA."""
    gold = {(title, number) for title, number in row["supporting_facts"]}
    sentences = [
        (title, number, sentence.strip())
        for title, page in row["context"]
        for number, sentence in enumerate(page)
        if sentence.strip()
    ]
    return Question(
        id=str(row["_id"]),
        text=str(row["question"]),
        answer=str(row["answer"]),
        kind=str(row["type"]),
        passages=tuple(Passage(text=text, title=title) for title, _, text in sentences),
        gold=frozenset(
            index for index, (title, number, _) in enumerate(sentences) if (title, number) in gold
        ),
    )
