"""Words in common: how a claim and a text are compared without any model.

Made for texts of a few to a few hundred sentences. Works on any script: words where words are
parted by spaces, pairs of neighbouring characters where they are not (Chinese, Japanese, Thai).
"""

from __future__ import annotations

import importlib
import re
import sys
import unicodedata
from collections.abc import Sequence
from functools import cache
from types import ModuleType

# Words that stand in every English text, and in questions, and tell sentences apart least.
COMMON = frozenset(
    [
        "a",
        "about",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "being",
        "both",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "done",
        "each",
        "few",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "herself",
        "him",
        "himself",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "itself",
        "just",
        "may",
        "me",
        "might",
        "more",
        "most",
        "must",
        "my",
        "myself",
        "no",
        "not",
        "of",
        "on",
        "only",
        "or",
        "other",
        "our",
        "out",
        "over",
        "own",
        "s",
        "said",
        "same",
        "say",
        "says",
        "shall",
        "she",
        "should",
        "so",
        "some",
        "such",
        "t",
        "than",
        "that",
        "the",
        "their",
        "them",
        "themselves",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "too",
        "up",
        "us",
        "very",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "yourself",
    ]
)
_ENDINGS = ("ing", "edly", "ed", "es", "s", "ly")
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")

# How far into the first sentence its subject may begin, in words that count.
SUBJECT_WITHIN = 6


def words(text: str) -> list[str]:
    """The words that count, in lower case, without common English ones and common endings.

    >>> words("The band toured in 2016; they were touring!")
    ['band', 'tour', '2016', 'tour']
    >>> words("光合作用")
    ['光合', '合作', '作用']
    """
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        if _UNSPACED.search(word):
            found.extend(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif word not in COMMON:
            found.append(_stem(word))
    return found


def latin(text: str) -> bool:
    """Whether at least half of a text's letters are Latin ones; a text without letters is as good as Latin.

    >>> [latin(text) for text in ("Kınar Sıvacıyan, née Ørsted", "Завод сгорел", "工厂 (Ltd)", "1890")]
    [True, False, True, True]
    """
    letters = [letter for letter in text if letter.isalpha()]
    known = sum(letter.isascii() or unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    return 2 * known >= len(letters)


def _stem(word: str) -> str:
    """A word without its common English ending.

    >>> [_stem(word) for word in ("stories", "story", "stopped", "making", "make")]
    ['story', 'story', 'stop', 'mak', 'mak']
    """
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if ending in ("ing", "ed") and len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def topic(claim: Sequence[str], lead: Sequence[str]) -> frozenset[str]:
    """The words by which a claim names what the whole text is about: the longest run of words that the
    claim shares with the beginning of the text's first sentence.

    A text names its subject once and then says "he", "the film", "they". So these words mark the
    first sentence, and not the one that carries the claim.

    >>> sorted(topic(words("Ada Lovelace wrote programs"), words("Ada Lovelace was a countess.")))
    ['ada', 'lovelac']
    """
    best: Sequence[str] = ()
    for at in range(min(SUBJECT_WITHIN, len(lead))):
        for start in range(len(claim)):
            length = 0
            while (
                at + length < len(lead)
                and start + length < len(claim)
                and lead[at + length] == claim[start + length]
            ):
                length += 1
            if length > len(best):
                best = lead[at : at + length]
    return frozenset(best)


def bm25(
    query: Sequence[str], documents: Sequence[Sequence[str]], *, k1: float = 1.2, b: float = 0.4
) -> list[float]:
    """BM25 of each document (a list of words) for a query; each word of the query counts once.

    Sentences are short and of like length, so length counts less (`b`) than it does for documents.

    >>> [score > 0 for score in bm25(["tour"], [["band", "tour"], ["band"]])]
    [True, False]
    """
    asked = sorted(set(query) & {word for document in documents for word in document})
    if not asked:
        return [0.0] * len(documents)
    index = _bm25s().BM25(method="lucene", k1=k1, b=b)
    index.index([list(document) for document in documents], show_progress=False)
    return [float(score) for score in index.get_scores(asked)]


@cache
def _bm25s() -> ModuleType:
    """The library, imported without jax: it would start jax where that is installed, and jax takes most of a
    GPU's memory at once. We need none of it.
    """
    hidden = "jax" not in sys.modules
    if hidden:
        sys.modules["jax"] = None  # type: ignore[assignment]
    try:
        return importlib.import_module("bm25s")
    finally:
        if hidden:
            del sys.modules["jax"]
