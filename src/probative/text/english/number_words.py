"""Numbers as English words: "twelve", "three hundred and five", "two million"."""

from __future__ import annotations

import re
from fractions import Fraction

from probative.text.words import word_list, word_map

_SMALL = {word: number for number, word in enumerate(word_list("numbers"))}
_TENS = {word: 10 * number for number, word in enumerate(word_list("tens"), 2)}
SCALES: dict[str, int] = {word: 10 ** int(power) for word, power in word_map("scales").items()}
"""What the word behind a number multiplies it with."""
_SCALE = "|".join(SCALES)
_WORD = "|".join((*_SMALL, *_TENS, *SCALES, "dozen"))
NUMBER_WORDS = (
    rf"(?:(?:an? )?(?:half an? (?:dozen|{_SCALE})|half|{_WORD})(?:(?:[ -]| and )(?:{_WORD})s?)*)(?![\w-])"
)
"""A pattern of one number in words, without groups."""


def read_number_words(text: str) -> Fraction | None:
    """Return the number that the whole text says; None if the text is not a number.

    >>> [int(read_number_words(text)) for text in ("twelve", "three hundred and five", "two million")]
    [12, 305, 2000000]
    >>> read_number_words("a dozen"), read_number_words("half"), read_number_words("twenty-twelve")
    (Fraction(12, 1), Fraction(1, 2), None)
    """
    if text.lower() in ("a", "an"):
        return Fraction(1)
    words = [word for word in re.split(r"[\s-]+", text.lower().strip()) if word not in ("and", "a", "an")]
    if words[:1] == ["half"]:
        # "half a dozen", "half a million"; "half two" is a time of day.
        halved = {"": 1, "dozen": 12, **SCALES}.get(" ".join(words[1:]))
        return None if halved is None else Fraction(halved, 2)
    if words and words[-1] == "dozen":
        before = _whole(words[:-1]) if len(words) > 1 else 1
        return None if before is None else Fraction(12 * before)
    number = _whole(words)
    return None if number is None else Fraction(number)


def _whole(words: list[str]) -> int | None:
    """Return a whole number: groups below a thousand, each with a smaller scale than the one before."""
    total, group, last_scale = 0, list[str](), 10**15
    for word in words:
        scale = SCALES.get(word, 0)
        if scale < 1000:
            group.append(word)
            continue
        amount = _below_thousand(group) if group else 1
        if amount is None or scale >= last_scale:
            return None
        total, group, last_scale = total + amount * scale, [], scale
    rest = _below_thousand(group) if group else (0 if total else None)
    return None if rest is None else total + rest


def _below_thousand(words: list[str]) -> int | None:
    """Return "three hundred forty two"; "twelve hundred" counts too."""
    if "hundred" in words:
        at = words.index("hundred")
        hundreds = _below_hundred(words[:at]) if at else 1
        rest = _below_hundred(words[at + 1 :]) if at + 1 < len(words) else 0
        return None if hundreds is None or rest is None else 100 * hundreds + rest
    return _below_hundred(words)


def _below_hundred(words: list[str]) -> int | None:
    if len(words) == 1:
        return _SMALL.get(words[0], _TENS.get(words[0]))
    if len(words) == 2 and words[0] in _TENS and 0 < _SMALL.get(words[1], 0) < 10:
        return _TENS[words[0]] + _SMALL[words[1]]
    return None
