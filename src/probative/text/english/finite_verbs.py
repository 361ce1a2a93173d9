"""Where the verb of an English clause stands, without a parser: by its form and by the word before it."""

from __future__ import annotations

import re
from typing import NamedTuple

from probative.text.word_lists import IRREGULAR_PASTS, word_set

BE = word_set("is are was were")
HAVE = word_set("has have had")
_MODALS = word_set("can could will would shall should may might must cannot does do did")
# Present forms. Those that are also common nouns ("stops", "limits") count only behind a subject.
_PRESENT = word_set(
    "allows allow appears asks become becomes begins believes belongs brings bring buys carries carry causes"
    " closes comes come consists contains contain continues costs cost covers depends describes employs ends"
    " exceeds exists expects fills follows gets gives give goes go grows grow happens has helps holds hold"
    " includes include increases knows lasts leads leaves leave lies lie limits links lists live lives loses"
    " makes make means meets moves needs offers opens operates owns pays pay produces provides reaches reads"
    " receives remains replaces requires rises rise runs run says seats sees sells sell serves sets shows"
    " show sits sleeps spends spend stands stand starts states stays stops stop supplies takes take"
    " turns use uses wants weighs wins works work writes draws drives flies"
)
_NOT_VERBS = word_set(
    "bed red shed seed need speed weed hundred sacred naked wicked deed feed reed breed sled united limited"
    " based compared"
)
_DETERMINERS = word_set(
    "a an the its his her their our your my this that these those each every no some any of in on at by for "
    "with from to into under over about per than as very more most two three four five six seven eight nine "
    "ten"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class VerbPlace(NamedTuple):
    """The characters of a verb, and it in small letters."""

    start: int
    end: int
    verb: str


def find_verb(text: str, position: int = 0) -> VerbPlace | None:
    """Return the first finite verb of a text from a position on.

    >>> find_verb("The covered market of Aske opened in 1890.").verb
    'opened'
    >>> find_verb("a rope of 20 metres") is None
    True
    """
    before = ""
    for match in _WORD.finditer(text, position):
        word = match.group().lower().replace("’", "'")
        if is_finite(word, before, first=match.start() == position):
            return VerbPlace(match.start(), match.end(), word)
        before = word
    return None


def is_finite(word: str, before: str, *, first: bool = False) -> bool:
    """Return whether a word can be the verb of a clause behind the word `before`.

    >>> is_finite("fitted", "ropes"), is_finite("fitted", "the")
    (True, False)
    """
    if word.removesuffix("n't") in BE | HAVE | _MODALS:
        return True
    if word in _NOT_VERBS or before in _DETERMINERS:
        return False
    if first:  # "Fitted in 1995, the motor …"
        return False
    return word in _PRESENT or word in IRREGULAR_PASTS or (word.endswith("ed") and len(word) > 4)
