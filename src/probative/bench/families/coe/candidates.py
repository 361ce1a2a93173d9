"""Candidates for a chain of evidence: a question, its answer, and the gold sentences that lead to it; the
irrelevant text of a candidate, by the paper's query for each node; mentions of a phrase in a text; and the
form of an answer, which a wrong answer must share with the right one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from pathlib import Path

from probative.bench.data.files import read_json, read_lines
from probative.bench.data.pages import Collection, read_collection
from probative.bench.data.questions import Question, accepted_answers, read_questions
from probative.bench.data.splits import MULTIHOP_FILES
from probative.bench.metrics import normalise_answer
from probative.bench.study import Case, Settings
from probative.text.sentences import split_sentences
from probative.text.words import words
from probative.types import Passage, Value

_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_AFTER_ARTICLE = re.compile(r"\b(?:the|a|an)\s+$", re.IGNORECASE)

Phrase = str | Sequence[str]
"""A phrase, or several spellings of one."""

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(rf"\b(?:{_MONTHS})\b.*\d|\d.*\b(?:{_MONTHS})\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
_NUMBER = re.compile(r"\$?[\d.,]+(?:\s*(?:%|[a-z]+))?", re.IGNORECASE)


def mention_pattern(phrase: Phrase) -> re.Pattern[str]:
    """Return the pattern of a phrase in any of its spellings, without an article at its start."""
    spellings = [phrase] if isinstance(phrase, str) else [text for text in phrase if text.strip()]
    # Of two spellings that begin alike, the longer one is the mention.
    spellings.sort(key=len, reverse=True)
    bare = [_ARTICLE.sub("", " ".join(spelling.split())) or spelling for spelling in spellings]
    spaced = "|".join(r"\s+".join(map(re.escape, spelling.split())) for spelling in bare)
    return re.compile(rf"(?<!\w)(?:{spaced})(?!\w)", re.IGNORECASE)


def mentions(phrase: Phrase, text: str) -> bool:
    """Return whether a text contains a phrase as whole words.

    >>> mentions("the Sea Lark", "Brandt sold the sea lark."), mentions("Lark", "Larkspur grows.")
    (True, False)
    """
    return bool("".join(phrase).strip()) and mention_pattern(phrase).search(text) is not None


def mentions_words(phrase: str, text: str) -> bool:
    """Return whether a text contains a phrase, or all its content words.

    >>> mentions_words("owner of the ferry", "The ferry has one owner."), mentions_words("ferry", "A boat.")
    (True, False)
    """
    content = set(words(phrase))
    return mentions(phrase, text) or (bool(content) and content <= set(words(text)))


def replace_mentions(phrase: Phrase, other: str, pieces: Sequence[str]) -> tuple[str, ...]:
    """Return the pieces with another phrase in place of each mention; after an article, without its own.

    >>> replace_mentions("Molde", "Bergen", ["Molde is wet.", "It rains."])
    ('Bergen is wet.', 'It rains.')
    >>> replace_mentions("ferry", "a boat", ["The ferry left."])
    ('The boat left.',)
    >>> replace_mentions(["3 May", "May 3"], "1 June", ["It sank on 3 May.", "May 3 was a Monday."])
    ('It sank on 1 June.', '1 June was a Monday.')
    """
    pattern = mention_pattern(phrase)
    bare = _ARTICLE.sub("", other)

    def replacement(match: re.Match[str]) -> str:
        return bare if _AFTER_ARTICLE.search(match.string, 0, match.start()) else other

    return tuple(pattern.sub(replacement, piece) for piece in pieces)


def answer_form(answer: str) -> str:
    """Return the form of an answer.

    >>> [answer_form(text) for text in ("Yes", "3 May 1871", "1871", "39,134", "Ole Brandt", "a ferry")]
    ['yes-no', 'date', 'year', 'number', 'name', 'phrase']
    """
    text = answer.strip().rstrip(".")
    if text.lower() in ("yes", "no"):
        return "yes-no"
    if _DATE.search(text):
        return "date"
    if _YEAR.fullmatch(text):
        return "year"
    if _NUMBER.fullmatch(text):
        return "number"
    return "name" if text[:1].isupper() else "phrase"


def is_usable_wrong(wrong: str, answer: str, pieces: tuple[str, ...]) -> bool:
    """Return whether a wrong answer has the form of the right one, is another, and is not in the evidence.

    >>> is_usable_wrong("Bergen", "Molde", ("Built in Molde.",)), is_usable_wrong("1871", "Molde", ())
    (True, False)
    """
    first, second = normalise_answer(wrong), normalise_answer(answer)
    if not first or not second or answer_form(wrong) != answer_form(answer):
        return False
    if f" {first} " in f" {second} " or f" {second} " in f" {first} ":
        return False
    text = f" {normalise_answer(' '.join(pieces))} "
    return answer_form(answer) == "yes-no" or f" {first} " not in text


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
    `wrong` is a wrong answer, if the data set has one. `tuning`: settings were tuned on the question.
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
    tuning: bool = False

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
    """Return the candidates of a data set, of all its rows."""
    return list(_rgb(data) if name == RGB else _multihop(data, name))


def _multihop(data: Path, name: str) -> Iterator[Candidate]:
    for question in read_questions(data, name, tuning=None):
        if question.gold:
            yield as_candidate(question, name)


def as_candidate(question: Question, name: str) -> Candidate:
    """Return the candidate of a question of a data set with gold passages."""
    gold = [question.passages[index] for index in sorted(question.gold)]
    return Candidate(
        id=question.id,
        set=name,
        question=question.text,
        answer=question.answer,
        pieces=tuple(passage.text for passage in gold),
        titles=tuple(passage.title or "" for passage in gold),
        hops=len(gold),
        tuning=question.tuning,
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
