"""Spans of an English text that could be an answer, and what a passage is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from probative.text.analysis import AnswerKind, ParsedQuestion, Values
from probative.text.dates import MONTHS
from probative.text.english.quantities import with_thin_spaces, without_thousands
from probative.text.word_lists import COMMON, any_of, word_list
from probative.text.words import words
from probative.types import Passage

_MONTH = "|".join(map(str.capitalize, MONTHS))
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}\s+(?:{_MONTH})\s+\d{{4}}|(?:{_MONTH})\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}|"
    rf"(?:{_MONTH})\s+\d{{4}}|(?:{_MONTH})\s+\d{{1,2}}(?!\d)|\d{{1,2}}\s+(?:{_MONTH})|\d{{4}}-\d{{2}}-\d{{2}}|1\d{{3}}|20\d{{2}})\b"
)
_NUMBER = re.compile(
    r"(?<![\w.])(?:[$€£]\s?)?\d(?:[\d,]|[\u00a0\u2009\u202f](?=\d{3}))*(?:\.\d+)?(?:\s?(?:%"
    rf"|{any_of('spans.units')}))?\b"
)
# The number of a clause or paragraph before its text ("2.4 One bicycle may be carried.") is no value.
_CLAUSE = re.compile(
    r"(?:^|(?<=[.!?;:]\s))(?:\d{1,2}(?:\.\d{1,2}){1,3}\.?|\d{1,3}[.)])(?=\s+[\"'“(]?[^\W\d_a-z])"
)
_NUMBER_WORD = re.compile(
    rf"(?i)\b(?:{'|'.join(word_list('numbers')[1:])}|{any_of('tens')}|hundred|thousand)\b"
)
# A dot belongs to a name inside it ("U.S") or behind an initial, and ends a sentence otherwise.
_PART = r"[^\W\d_a-zà-öø-ÿ](?:[\w'’-]|\.(?=\w))*(?:(?<=\b[A-Z])\.)?"
_NAME = re.compile(rf"{_PART}(?:\s+(?:(?:of|the|de|la|van|von|der|di)\s+){{0,2}}{_PART}|\s+\d{{1,4}}\b)*")
_QUOTED = re.compile(r"[\"“]([^\"”]{2,80})[\"”]")

_NO_QUESTION = ParsedQuestion(text="", intent="", kind="any")
_FIRST_NAME = re.compile(
    r"[^\W\d_a-zà-ÿ][\w'’.-]*(?:\s+(?:(?:of|the|de|van|von)\s+)?[^\W\d_a-zà-ÿ][\w'’.-]*|\s+\d+\b)*"
)


def answer_candidates(texts: Sequence[str], question: ParsedQuestion) -> list[str]:
    """Return the spans that could answer the question, each once; for a choice the two options, for a yes-no
    question both words.

    >>> from probative.text.english.questions import parse_question
    >>> question = parse_question("Where was the Lark built?")
    >>> answer_candidates(["Ada Berg built the Lark in Bergen in 1842."], question)
    ['Bergen']
    """
    kind = question.kind
    if kind == "yes-no":
        return ["yes", "no"]
    if kind == "choice":
        if len(options := _options(question)) >= 2:
            return options
        kind = "name"
    spans = list(dict.fromkeys(span for text in texts for span in spans_of(text, kind, question)))
    if kind == "place":
        return _located(spans, " ".join(texts)) or spans
    if kind == "person":
        return [span for span in spans if " " in span] or spans
    return spans


def spans_of(text: str, kind: AnswerKind, question: ParsedQuestion = _NO_QUESTION) -> Iterator[str]:
    """Yield the spans of a text of one kind, without those that only repeat the question."""
    if kind == "date":
        yield from _dates(text, question)
    elif kind == "number":
        clauses = {position for match in _CLAUSE.finditer(text) for position in range(*match.span())}
        thin = with_thin_spaces(text)
        for pattern in (_NUMBER, _NUMBER_WORD):
            for match in pattern.finditer(thin):
                if match.start() not in clauses:
                    yield text[match.start() : match.end()].strip()
    else:
        yield from _quotations(text, question)
        yield from _names(text, question)
        if kind == "name":
            yield from _dates(text, question)


def values_in(text: str) -> Values:
    """Return the dates, numbers and names of a sentence; a part of a date is no number and no name.

    >>> values_in("Ada Berg sold 1,200 ropes in 1842.")
    Values(dates=frozenset({'1842'}), numbers=frozenset({'1200'}), names=('Ada Berg',))
    """
    dates = frozenset(spans_of(text, "date"))
    parts = frozenset(part for date in dates for part in (date, *re.findall(r"\w+", date)))
    numbers = frozenset(without_thousands(number) for number in spans_of(text, "number"))
    names = tuple(name for name in map(_usual_case, spans_of(text, "person")) if name not in parts)
    return Values(dates, numbers - parts, names)


def _usual_case(name: str) -> str:
    """Return a name in capitals as others are written: the capitals of a heading make no other name."""
    return name.title() if name.isupper() and len(name) > 4 else name


def _dates(text: str, question: ParsedQuestion) -> Iterator[str]:
    return (match.group() for match in _DATE.finditer(text) if match.group() not in question.text)


def _quotations(text: str, question: ParsedQuestion) -> Iterator[str]:
    for match in _QUOTED.finditer(text):
        if not set(words(match.group(1))) <= question.words:
            yield match.group(1).strip()


def _names(text: str, question: ParsedQuestion) -> Iterator[str]:
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip()
        name = _without_opening(match.group(), opens=not before or before[-1] in ".!?")
        if name and not set(words(name)) <= question.words:
            yield name


def _options(question: ParsedQuestion) -> list[str]:
    """Return the names before "or" and at the end of a question, or its last two names."""
    options = [
        name for name in question.names if re.search(rf"\b{re.escape(name)}\W*(?:or\b|\?|$)", question.text)
    ]
    return options if len(options) >= 2 else question.names[-2:]


def _located(spans: Sequence[str], text: str) -> list[str]:
    """Return the spans behind a preposition of place."""
    return [
        span
        for span in spans
        if re.search(rf"\b(?:in|at|near|from|to|of|outside)\s+(?:the\s+)?{re.escape(span)}", text)
    ]


def _without_opening(name: str, *, opens: bool) -> str:
    """Return a name without a common word that opens the sentence, and without punctuation at its end."""
    name = re.sub(r"(?:['’]s)?[.,;:'’-]*$", "", name)
    first, _, rest = name.partition(" ")
    if opens and first.lower() in COMMON:
        name = rest if rest[:1].isupper() else ""
    elif name.lower() in COMMON:
        name = ""
    return re.sub(r"^(?:the|of|and|de)\s+", "", name)


def subject(passage: Passage) -> str:
    """Return the content words of the title, or of the name that a passage begins with.

    >>> subject(Passage(text="He sailed.", title="Ole Brandt (captain)"))
    'ole brandt'
    >>> subject(Passage(text="The Sea Lark was built in 1842.")), subject(Passage(text="It was old."))
    ('sea lark', '')
    """
    name = subject_name(passage)
    return " ".join(words(name)) or name.lower()


def subject_name(passage: Passage) -> str:
    """Return the title without brackets, or the name that a passage begins with."""
    if passage.title:
        return re.sub(r"\s*\(.*?\)", "", passage.title).strip() or passage.title
    match = _FIRST_NAME.match(passage.text.strip())
    if match is None:
        return ""
    first, _, rest = match.group().partition(" ")
    return rest if first.lower() in COMMON else match.group()
