"""Which verb a date belongs to: "was begun in 1895 and opened in 1899"."""

from __future__ import annotations

import re

from probative.text.analysis import GovernedDate
from probative.text.english.dates import date_spans, plain_eras
from probative.text.word_lists import stem, word_set

# Verbs and nouns of one event; a question for one of them is answered by any of its group.
_GROUPS = (
    word_set("open opened opens opening inaugurated inauguration"),
    word_set("begin began begun start started starts commenced"),
    word_set(
        "founded established created formed incorporated launched started began begun founding organised "
        "organized set foundation constituted published appeared"
    ),
    word_set(
        "released release came come out published premiered premiere aired debuted launched issued "
        "appeared made"
    ),
    word_set("built completed constructed finished erected build make made"),
    word_set("premiered premiere performed staged debuted aired"),
    word_set("written wrote composed write"),
    word_set("introduced launched released presented unveiled"),
)
_KNOWN = frozenset().union(*_GROUPS)
# Events that are never the beginning of anything, or of something else.
_OTHERS = word_set(
    "planned designed proposed announced restored renovated rebuilt repainted reopened closed demolished "
    "destroyed sold bought moved renamed acquired born died won nominated remade reissued extended enlarged "
    "burned burnt married retired elected building construction construct work works widened repaired "
    "modernised modernized"
)
_VERB = re.compile(
    rf"\b(?:{'|'.join(sorted(_KNOWN | _OTHERS))}|[a-z]{{3,}}ed|won|sold|held|met|left|became|took|sank)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:before|after|between|or|circa|ca|c|around|about|perhaps|probably|until|till|by|not)\.?\s+(?:the\s+)?$",
    re.IGNORECASE,
)
# "…, and in 1903 the bridge opened": the date begins a clause.
_BEGINS = re.compile(
    r"(?:^|[,;]|\b(?:and|but|then|while))\s*(?:finally|only|later|again)?\s*(?:in|on|by|since)?\s*$", re.I
)


def governed_dates(text: str) -> list[GovernedDate]:
    """Return the dates of a sentence, each with its verb.

    >>> [(entry.date[0], entry.verb) for entry in governed_dates("It was begun in 1895 and opened in 1899.")]
    [(1895, 'begun'), (1899, 'opened')]
    >>> governed_dates("In 1903 the bridge opened.")[0].verb
    'opened'
    """
    spans = date_spans(plain_eras(text))
    governed: list[GovernedDate] = []
    for row, (start, end, date) in enumerate(spans):
        earlier = spans[row - 1][1] if row else 0
        later = spans[row + 1][0] if row + 1 < len(spans) else len(text)
        before = [match.group().lower() for match in _VERB.finditer(text, earlier, start)]
        behind = _VERB.search(text, end, later)
        leads = _BEGINS.search(text[earlier:start]) is not None and behind is not None
        verb = before[-1] if before and not leads else behind.group().lower() if behind is not None else ""
        if not verb and governed:
            verb = governed[-1].verb
        governed.append(GovernedDate(date, start, verb, _UNSURE.search(text[:start]) is None))
    return governed


def event_strength(verb: str, asked: str) -> int:
    """Return how well a verb fits the asked one: 3 for the same, 2 for one of its group, 1 if it says nothing
    about another event, 0 if it does. Without an asked verb, every beginning fits.

    >>> event_strength("opened", "open"), event_strength("inaugurated", "opened")
    (3, 2)
    >>> event_strength("directed", "released"), event_strength("begun", "opened")
    (1, 0)
    """
    asked = asked.lower()
    if stem(verb) == stem(asked) and verb:
        return 3
    groups = [group for group in _GROUPS if asked in group] if asked else list(_GROUPS)
    if any(verb in group for group in groups):
        return 2
    return 0 if verb in _KNOWN | _OTHERS else 1
