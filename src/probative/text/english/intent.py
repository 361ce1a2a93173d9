"""What an English question asks for: its intent and the kind of its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from probative.text.analysis import AnswerKind, Span
from probative.text.english.tokens import AUXILIARIES, DO, QUESTION_WORDS, VERBS, Token, is_past_form
from probative.text.word_lists import COMMON

_COMPARED = re.compile(
    r"\b(?:first|last|earlier|later|older|younger|more|less|most|fewer|longer|shorter|larger|smaller|bigger|"
    r"taller|higher|lower|earliest|latest|oldest|youngest|largest|same)\b",
    re.IGNORECASE,
)
_KINDS: dict[AnswerKind, re.Pattern[str]] = {
    "date": re.compile(r"\b(?:year|date|day|month|century|decade|time)\b"),
    "number": re.compile(
        r"\b(?:number|population|length|height|age|distance|amount|percentage|size|elevation|"
        r"price|cost|fee|fare|weight|width|depth|speed|temperature|duration|salary)\b"
    ),
    "place": re.compile(
        r"\b(?:city|country|state|town|county|place|village|region|province|island|continent|river|harbou?r)\b"
    ),
    "person": re.compile(
        r"\b(?:actor|actress|author|director|singer|writer|person|man|woman|player|wife|husband|father|mother|"
        r"president|king|queen|composer|artist|musician|politician|poet|coach|driver|comedian|leader)\b"
    ),
}
_DEGREES = frozenset(["old", "long", "far", "tall", "high", "large", "big", "often", "deep", "wide", "fast"])
_ARTICLES = frozenset({"the", "a", "an"})
_BEFORE_NOUN = AUXILIARIES | _ARTICLES | {"of", "name", "'s", "s"}
_AFTER_NOUN = COMMON | AUXILIARIES | VERBS | QUESTION_WORDS


class Intent(NamedTuple):
    """What is asked for, the kind of answer, and where the question says it."""

    text: str
    kind: AnswerKind
    span: Span | None = None


def find_intent(question: str, tokens: Sequence[Token]) -> Intent:
    """Return what a question asks for."""
    chooses = re.search(r"\bor\b", question) is not None and _COMPARED.search(question) is not None
    if tokens and tokens[0].low in AUXILIARIES:
        return Intent("which of the two", "choice") if chooses else Intent("yes or no", "yes-no")
    index = _question_word(tokens)
    if index is None:
        return Intent("what is asked", "name")
    word, rest = tokens[index].low, tokens[index + 1 :]
    if word in ("who", "whom", "whose"):
        return Intent("name of a person", "choice" if chooses else "person")
    if word == "why":
        return Intent("reason", "any")
    if word == "how":
        return _manner(question, rest)
    if word in ("when", "where"):
        return _time_or_place(question, rest, "date" if word == "when" else "place")
    return _named_kind(_noun(question, rest), chooses=chooses)


def _time_or_place(question: str, rest: Sequence[Token], kind: AnswerKind) -> Intent:
    """Return the intent of "when" or "where", by the noun that follows if it says the same."""
    noun = _noun(question, rest)
    return Intent(noun.text, kind, noun) if noun and noun.text.startswith(kind) else Intent(kind, kind)


def _named_kind(noun: Span | None, *, chooses: bool) -> Intent:
    """Return the intent of "which" or "what" with the noun that follows."""
    if noun is None:
        return Intent("what is asked", "choice" if chooses else "name")
    kind: AnswerKind = next(
        (kind for kind, names in _KINDS.items() if names.search(noun.text.lower())), "name"
    )
    if chooses and kind not in ("date", "number"):
        kind = "choice"
    return Intent(noun.text, kind, noun)


def _manner(question: str, rest: Sequence[Token]) -> Intent:
    """Return the intent of "how": a number, or a manner."""
    following = rest[0].low if rest else ""
    if following in ("many", "much"):
        what = "number" if following == "many" else "amount"
        if what == "amount" and len(rest) > 1 and rest[1].low in DO:
            return Intent(what, "number")  # "How much does the supplier pay": the supplier is not counted
        counted = _noun(question, rest[1:])
        return Intent(f"{what} of {counted.text}" if counted else what, "number", counted)
    if following in _DEGREES:
        return Intent(f"how {following}", "number")
    return Intent("manner", "any")


def _question_word(tokens: Sequence[Token]) -> int | None:
    """Return the index of the question word: at the beginning or the end, or the last "what", "which" or
    "how"; a "who" or "where" in the middle belongs to a clause.
    """
    indexes = [index for index, token in enumerate(tokens) if token.low in QUESTION_WORDS]
    if not indexes:
        return None
    if (first := indexes[0]) < 3 and all(token.low in COMMON for token in tokens[:first]):
        return first
    if not any(token.text[0].isalnum() for token in tokens[indexes[-1] + 1 :]):
        return indexes[-1]
    asking = [index for index in indexes if tokens[index].low in ("what", "which", "how", "whom")]
    return (asking or indexes)[-1]


def _noun(question: str, tokens: Sequence[Token]) -> Span | None:
    """Return the noun phrase behind a question word, past "is the"; with its "of …" if that names no one."""
    start = 0
    while start < len(tokens) and tokens[start].low in _BEFORE_NOUN:
        start += 1
    has_do = any(token.low in DO for token in tokens[:start])
    if has_do and start < len(tokens) and tokens[start].text[0].isupper():
        return None  # "What did Ada Berg buy": the question names no kind of thing
    end = start
    while end < len(tokens) and _in_noun(tokens[end]):
        end += 1
    if end == start:
        return None
    first, last = tokens[start], tokens[_with_of(tokens, end) - 1]
    return Span(question[first.start : last.end], first.start, last.end)


def _in_noun(token: Token) -> bool:
    return token.text[0].isalpha() and token.low not in _AFTER_NOUN and not is_past_form(token.low)


def _with_of(tokens: Sequence[Token], end: int) -> int:
    """Return the end of a noun phrase with its "of …" if that is a plain word and not itself "the … of"."""
    if end >= len(tokens) or tokens[end].low != "of":
        return end
    has_article = end + 1 < len(tokens) and tokens[end + 1].low in _ARTICLES
    word = end + 2 if has_article else end + 1
    if word >= len(tokens) or not tokens[word].text[0].islower() or tokens[word].low in COMMON:
        return end
    goes_on = has_article and word + 1 < len(tokens) and tokens[word + 1].low == "of"
    return end if goes_on else word + 1
