"""The things that a question compares: "A or B", "A, B and C", "both A and B", "between A and B"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.text.analysis import ParsedQuestion
from probative.text.names import mentions, without_brackets
from probative.text.word_lists import any_of

_LEADING = re.compile(
    rf"(?i)^(?:(?:(?:{any_of('operands.leading')})\b\s*)+(?:[a-z]+s\s*[:,]?\s+(?=[A-Z\"“]|the\b))?|"
    r"(?:the\s+)?(?:films?|movies?|books?|songs?|plays?|"
    r"operas?|magazines?|cities|towns?|companies|company)\s+(?=[A-Z\"“]))"
)
_SPLIT = {
    "or": re.compile(r"\s*,?\s+or\s+|\s*,\s+", re.IGNORECASE),
    "and": re.compile(r"\s*,?\s+and\s+|\s*,\s+", re.IGNORECASE),
}
_LAST = {
    "or": re.compile(r"\s*,?\s+or\s+", re.IGNORECASE),
    "and": re.compile(r"\s*,?\s+and\s+", re.IGNORECASE),
}
_QUESTION_PART = re.compile(rf"(?i)\b(?:{any_of('operands.questions')})\b")
_EDGE = " \t\n,;:?.!–—-"


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
    if _LAST["or"].search(before):
        return _options_before(before, "or")
    if between := re.match(r"\W*(?:between|of|among)\s+(?P<list>.+?),?\s+(?:which|who|what)\b", before, re.I):
        return split_options(between["list"], "and")
    return ()


def _options_before(text: str, joined_by: str) -> tuple[str, ...]:
    """Return the options at the end of a text, behind its question word or auxiliary.

    "Which director, A or B, is": behind the comma. "Is A or B the": behind "Is".
    """
    text = re.sub(rf"\s+(?:{any_of('operands.no_names')})\s*$", "", text.rstrip(_EDGE + " "))
    inserted = re.match(
        r"\W*(?:which|what|who)\b[^,]*,\s*(?P<list>[^?]+?)\s*,?\s*(?:is|was|has)?$", text, re.I
    )
    if inserted is not None and _LAST[joined_by].search(inserted["list"]):
        return split_options(inserted["list"], joined_by)
    between = re.match(r"\W*(?:between|of|among)\s+(?P<list>.+?),\s*(?:which|who|what)\b", text, re.I)
    if between is not None:
        return split_options(between["list"], joined_by)
    last = _LAST[joined_by].search(text)
    lead = None
    for match in _QUESTION_PART.finditer(text[: last.start()] if last else text):
        lead = match
    return split_options(text[lead.end() :] if lead is not None else text, joined_by)


def _trimmed(option: str) -> str:
    """Return an option without quotation marks and the punctuation around it."""
    option = re.sub(r"^(?:or|and|either|both)\s+", "", option.strip(_EDGE), flags=re.IGNORECASE)
    return without_brackets(option.strip('"“”').strip(_EDGE))


def compared_pair(question: ParsedQuestion, titles: Sequence[str]) -> tuple[str, str] | None:
    """Return the two things that a question compares: the titles that it names, or its own names.

    >>> from probative.text.english.questions import parse_question
    >>> compared_pair(parse_question("Which is older, the Lark or Heron?"), ["Lark (ketch)", "Heron"])
    ('Lark', 'Heron')
    """
    low = question.text.lower()
    named = [title for title in dict.fromkeys(map(without_brackets, titles)) if mentions(low, title)]
    named = [
        name for name in named if not any(name != other and name.lower() in other.lower() for other in named)
    ]
    if len(named) < 2:
        named = question.names
    if len(named) != 2:
        return None
    first, second = sorted(named, key=lambda name: low.find(name.lower()))
    return None if _in_longer_list(question.text, first) else (first, second)


def offered_pair(question: ParsedQuestion, titles: Sequence[str]) -> tuple[str, str] | None:
    """Return the two options of a question that ends in "A or B?".

    >>> from probative.text.english.questions import parse_question
    >>> offered_pair(parse_question("Who is a film critic, Ada Berg or Ole Vik?"), [])
    ('Ada Berg', 'Ole Vik')
    >>> offered_pair(parse_question("Did Ada Berg or Ole Vik sail first to Molde?"), []) is None
    True
    """
    pair = compared_pair(question, titles)
    if pair is None:
        return None
    first, second = map(re.escape, pair)
    ending = re.search(rf"\b{first},? or (?:the )?{second}\W*$", question.text, re.IGNORECASE)
    return pair if ending else None


def _in_longer_list(question: str, name: str) -> bool:
    """Return whether another name and a comma precede a name: then more than two things are listed."""
    for match in re.finditer(rf", (?:or |and )?{re.escape(name)}\b", question):
        start = match.start()
        while start > 0 and (question[start - 1].isalnum() or question[start - 1] == "_"):
            start -= 1
        capital = next((i for i in range(start, match.start()) if "A" <= question[i] <= "Z"), None)
        if capital is not None:
            return "," in question[:capital]
    return False
