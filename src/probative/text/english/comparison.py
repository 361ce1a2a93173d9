"""The two things that an English question names, and whether it asks which one is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.text.analysis import ParsedQuestion
from probative.text.english.negation import is_denied
from probative.text.english.roles import role_in
from probative.text.names import mentions, without_brackets

# Questions of degree or order: a name in them does not say which of the two is meant.
_DEGREE = re.compile(
    r"\b(?:first|last|later|earlier|more|less|most|least|fewer|than|before|after|both|same|other|neither|"
    r"(?:larg|small|long|short|tall|old|young|near|clos|furth|farth|high|low|bigg|great|wid|deep|fast|heavi|rich|"
    r"new|broad)(?:er|est))\b",
    re.IGNORECASE,
)


def asks_which(question: str) -> bool:
    """Return whether a question asks which of two is meant, and not for a degree, an order or a denial.

    >>> asks_which("Which lies on the Sava, Molde or Narvik?"), asks_which("Which is nearer to the Sava?")
    (True, False)
    """
    return not (is_denied(question) or role_in(question) or _DEGREE.search(question))


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
