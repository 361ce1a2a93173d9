"""The word lists and tables in `data/`, and the stems of English words."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

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


def stems_of(text: str, *, without: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the stems of all words of a text, apart from the words in `without`.

    >>> sorted(stems_of("It seats 1,100 people.")), stems_of("It seats", without=COMMON)
    (['it', 'peopl', 'seat'], frozenset({'seat'}))
    """
    return frozenset(stem(word) for word in re.findall(r"[^\W\d_]+", text.lower()) if word not in without)
