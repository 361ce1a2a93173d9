"""The things that a question compares: "A or B", "A, B and C", "both A and B", "between A and B"."""

from __future__ import annotations

import re

from probative.text.names import without_brackets
from probative.text.word_lists import any_of

_LEADING = re.compile(
    rf"^(?:(?:(?:{any_of('operands.leading')})\b\s*)+(?:[a-z]+s\s*[:,]?\s+(?=[A-Z\"“]|the\b))?|"
    r"(?:the\s+)?(?:[a-z]+s|film|book|song|play|opera|city|company)\s+(?=[A-Z\"“]))"
)
_LAST = {word: re.compile(rf"\s*,?\s+{word}\s+") for word in ("or", "and")}
_SPLIT = {word: re.compile(rf"\s*,?\s+{word}\s+|\s*,\s+") for word in _LAST}
_BETWEEN = re.compile(r"\W*(?:[Bb]etween|[Oo]f|[Aa]mong)\s+(?P<list>.+?),?\s+(?:which|who|what)\b")
# "Which director, A or B, is …": the list is inserted behind the question word.
_INSERTED = re.compile(
    r"\W*(?:which|what|who)\b[^,]*,\s*(?P<list>[^?]+?)\s*,?\s*(?:is|was|has)?$", re.IGNORECASE
)
_QUESTION_PART = re.compile(rf"(?i)\b(?:{any_of('operands.questions')})\b")
_OFFERED = re.compile(r"[,:]\s+(?P<first>[^,:?]+?),?\s+or\s+(?:the\s+)?(?P<second>[^,:?]+?)\W*$")
_EDGE = " \t\n,;:?!–—-"


def split_options(text: str, joined_by: str) -> tuple[str, ...]:
    """Return the options of a list: "A, B or C".

    >>> split_options("Lake Ann, Lake Bor or the Cee", "or")
    ('Lake Ann', 'Lake Bor', 'the Cee')
    >>> split_options("both films Lark and Heron", "and")
    ('Lark', 'Heron')
    """
    text = text.strip(_EDGE)
    while (shorter := _LEADING.sub("", text, count=1).strip(_EDGE)) != text:
        text = shorter
    if not _LAST[joined_by].search(text):
        return ()
    parts = [_trimmed(part) for part in _SPLIT[joined_by].split(text)]
    return tuple(dict.fromkeys(part for part in parts if part))


def options_around(question: str, start: int, end: int) -> tuple[str, ...]:
    """Return the options of "… or …" that stand after or before the words that compare them.

    >>> text = "Which shop opens earlier, the bakery or the fishmonger?"
    >>> options_around(text, text.index("opens"), text.index(","))
    ('the bakery', 'the fishmonger')
    >>> text = "Is Mount Ode or Skarn Fell higher?"
    >>> options_around(text, text.index("higher"), len(text) - 1)
    ('Mount Ode', 'Skarn Fell')
    """
    after, before = question[end:], question[:start]
    if _LAST["or"].search(after):
        # "… is higher of the two, A or B": what follows the comma is the list.
        comma = re.search(r"[,:–—]\s", after)
        if comma is not None and not _LAST["or"].search(after[: comma.start()]):
            return split_options(after[comma.end() :], "or")
        return split_options(re.sub(r"^\s*(?:[a-z]+\s+)*?(?=the\b|[A-Z\d\"“])", "", after), "or")
    if (between := _BETWEEN.match(before)) is not None:
        return split_options(between["list"], "and")
    before = re.sub(rf"\s+(?:{any_of('operands.no_names')})\s*$", "", before.rstrip(_EDGE + " "))
    inserted = _INSERTED.match(before)
    if inserted is not None and _LAST["or"].search(inserted["list"]):
        return split_options(inserted["list"], "or")
    last = _LAST["or"].search(before)
    leads = [*_QUESTION_PART.finditer(before[: last.start()])] if last is not None else []
    return split_options(before[leads[-1].end() :] if leads else before, "or")


def _trimmed(option: str) -> str:
    """Return an option without quotation marks and the punctuation around it."""
    option = re.sub(r"^(?:or|and|either|both)\s+", "", option.strip(_EDGE))
    return without_brackets(option.strip('"“”').strip(_EDGE))


def offered_pair(question: str) -> tuple[str, str] | None:
    """Return the two options of a question that ends in "…, A or B?".

    >>> offered_pair("Who is a film critic, Ada Berg or Ole Vik?")
    ('Ada Berg', 'Ole Vik')
    >>> offered_pair("Did Ada Berg or Ole Vik sail first to Molde?") is None
    True
    """
    match = _OFFERED.search(question)
    if match is None or "," in question[: match.start()]:  # more than two are listed
        return None
    return match["first"].strip(), match["second"].strip()
