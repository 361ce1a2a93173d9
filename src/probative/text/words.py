"""The words of a text: lists and tables of English ones, their stems, and how two texts are compared by words
in common, without a model.

Made for texts of a few to a few hundred sentences. Works on any script: words where spaces separate them,
pairs of neighbouring characters where they do not (Chinese, Japanese, Thai).
"""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from statistics import fmean, pstdev
from types import ModuleType
from typing import Any

from probative.errors import InputError

_ENDINGS = ("ing", "edly", "ed", "es", "s", "ly")


def read_lines(name: str) -> list[str]:
    """Return the lines of the table called `name`, without comments."""
    text = (files("probative.text") / "data" / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def read_table(name: str) -> dict[str, Any]:
    """Return the tables of the file `name`."""
    return tomllib.loads((files("probative.text") / "data" / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def _lists() -> dict[str, list[str]]:
    """Return the lists of words.toml; those of a module have its name and a dot before their own."""
    lists: dict[str, list[str]] = {}
    for name, value in read_table("words").items():
        entries = {name: value} if isinstance(value, str) else {f"{name}.{key}": value[key] for key in value}
        lists |= {key: [word.replace("_", " ") for word in words.split()] for key, words in entries.items()}
    return lists


def word_list(name: str) -> list[str]:
    """Return a list of words.toml in its order.

    >>> word_list("articles")
    ['the', 'a', 'an']
    """
    return _lists()[name]


def word_lists(group: str) -> dict[str, list[str]]:
    """Return the lists of a group of words.toml by their names."""
    prefix = f"{group}."
    return {name.removeprefix(prefix): words for name, words in _lists().items() if name.startswith(prefix)}


def word_map(group: str) -> dict[str, str]:
    """Return the words of a group of words.toml with the name of the list that each is in.

    >>> word_map("plurals")["cities"]
    'city'
    """
    return {word: name for name, words in word_lists(group).items() for word in words}


def word_set(*names: str) -> frozenset[str]:
    """Return the words of several lists of words.toml.

    >>> sorted(word_set("articles", "do"))
    ['a', 'an', 'did', 'do', 'does', 'the']
    """
    return frozenset(word for name in names for word in word_list(name))


def any_of(*names: str) -> str:
    """Return a pattern of any word of several lists of words.toml.

    >>> any_of("articles", "do")
    'the|a|an|do|does|did'
    """
    return "|".join(word for name in names for word in word_list(name))


COMMON = frozenset(read_lines("common_words"))
"""Words that occur in every English text and question, and distinguish sentences least."""
IRREGULAR_PASTS = {
    past: base for base, *pasts in map(str.split, read_lines("irregular_verbs")) for past in pasts or [base]
}
"""Past forms without "-ed", and their base forms."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return a word in lower case without its common English ending.

    >>> [stem(word) for word in ("stories", "story", "stopped", "making", "make")]
    ['story', 'story', 'stop', 'mak', 'mak']
    """
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz"
            if ending in ("ing", "ed") and doubled:
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


# Whole terminal sequences, other control characters, and characters that reverse the writing direction.
_CONTROL = re.compile(
    "\x1b\\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def clean(text: str) -> str:
    r"""Return a text on one line, without control characters; raises InputError if it is not valid Unicode.

    >>> clean("a\x1b[31m red\n line")
    'a red line'
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"a text cannot be encoded as UTF-8: {error.reason}") from None
    return " ".join(_CONTROL.sub(" ", text).split())


def has_control(text: str) -> bool:
    """Return whether a text contains characters that `clean` removes."""
    return _CONTROL.search(text) is not None


_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def words(text: str) -> list[str]:
    """Return the content words of a text: in lower case, without common English words and endings.

    >>> words("The band toured in 2016; they were touring!")
    ['band', 'tour', '2016', 'tour']
    >>> words("光合作用")
    ['光合', '合作', '作用']
    """
    content: list[str] = []
    for word in _WORD.findall(text.lower()):
        if _UNSPACED.search(word):
            content.extend(word[start : start + 2] for start in range(max(1, len(word) - 1)))
        elif word not in COMMON:
            content.append(stem(word))
    return content


def bm25(
    query: Sequence[str], documents: Sequence[Sequence[str]], *, k1: float = 1.2, b: float = 0.4
) -> list[float]:
    """Return the BM25 score of each document (a list of words) for a query; each query word counts once.

    Sentences are short and of similar length, so length counts less (`b`) than it does for documents.

    >>> [score > 0 for score in bm25(["tour"], [["band", "tour"], ["band"]])]
    [True, False]
    """
    shared = sorted(set(query) & {word for document in documents for word in document})
    if not shared:
        return [0.0] * len(documents)
    index = load_bm25s().BM25(method="lucene", k1=k1, b=b)
    index.index([list(document) for document in documents], show_progress=False)
    return [float(score) for score in index.get_scores(shared)]


def best_first(scores: Sequence[float]) -> list[int]:
    """Return the rows of some scores, the highest score first; equal scores keep their order.

    >>> best_first([0.1, 0.7, 0.1])
    [1, 0, 2]
    """
    return sorted(range(len(scores)), key=lambda row: -scores[row])


def nearest(query: Sequence[str], texts: Sequence[str], n: int | None) -> list[int]:
    """Return the rows of the n texts (None: all) that share the most words with a query, in order.

    >>> nearest(words("the red boat"), ["Herons eat.", "A boat.", "It rained.", "A red boat."], 2)
    [1, 3]
    """
    if n is None or len(texts) <= n:
        return list(range(len(texts)))
    return sorted(best_first(bm25(query, [words(text) for text in texts]))[:n])


def standardised(values: Sequence[float]) -> list[float]:
    """Return each value's distance from the mean in standard deviations; 0 where all values are equal.

    >>> standardised([1.0, 3.0]), standardised([5.0]), standardised([])
    ([-1.0, 1.0], [0.0], [])
    """
    spread = pstdev(values) if values else 0.0
    mean = fmean(values) if values else 0.0
    return [(value - mean) / spread if spread > 1e-12 else 0.0 for value in values]


@cache
def load_bm25s() -> ModuleType:
    """Return the module bm25s, imported without jax.

    It starts jax where that is installed, and jax then reserves most of the GPU's memory.
    """
    hidden = "jax" not in sys.modules
    if hidden:
        sys.modules["jax"] = None  # type: ignore[assignment]
    try:
        return importlib.import_module("bm25s")
    finally:
        if hidden:
            del sys.modules["jax"]


def distinct(names: Sequence[str]) -> list[str]:
    """Return each name once, whatever its case, without single letters and bare numbers.

    >>> distinct(["Tea", "tea", "7", "cough"])
    ['Tea', 'cough']
    """
    first: dict[str, str] = {}
    for name in names:
        if len(name) > 1 and not name.isdigit():
            first.setdefault(name.casefold(), name)
    return list(first.values())
