"""Answers in English: the spans of a text that could be one, what a reply gives for one, its parts, and one
form for what is written differently; and what a passage is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from probative.text.analysis import AnswerKind, ParsedQuestion, Values
from probative.text.dates import MONTHS
from probative.text.english.quantities import with_thin_spaces, without_thousands
from probative.text.words import COMMON, any_of, word_list, word_set, words
from probative.types import Passage

_ARTICLES = word_set("articles")
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(word_list("numbers"))}
_ORDINAL_WORDS = {word: str(number) for number, word in enumerate(word_list("ordinals"), 1)}
_TENS = {word: str(number) for number, word in enumerate(["ten", *word_list("tens"), "hundred"], 1)}
_MONTH = "|".join(MONTHS)
_MONTH_FIRST = re.compile(rf"(?i)\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?=\W|$)(?! ?(?:{_MONTH}))")
_DAY_FIRST = re.compile(rf"(?i)\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b")
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
# Scripts without spaces between words: each character counts as a word.
_WORD = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]|\d+(?:\.\d+)?|[^\W\d_]+|\d"
)
_UNKNOWN = re.compile(
    r"\W*(?:(?:it |the answer )?(?:is )?(?:unknown|not (?:given|known|stated))|no answer|"
    r"(?:the|these) (?:texts?|passages?) (?:do|does) not .*|i (?:do not|don['’]t|cannot|can['’]t) "
    r"(?:know|say|tell|answer).*)\W*",
    re.IGNORECASE | re.DOTALL,
)
_CITATION = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]")
_POSSESSIVE = re.compile(r"['’]s\b")


def normal_form(text: str) -> tuple[str, ...]:
    """Return the words of a text in one form: without articles, plural endings and commas in numbers, with
    numbers as digits and the parts of a date in one order.

    >>> normal_form("The Sea Larks"), normal_form("May 3rd, 1901") == normal_form("3 May 1901")
    (('sea', 'lark'), True)
    >>> normal_form("twelve ferries"), normal_form("1,200 m")
    (('12', 'ferry'), ('1200', 'm'))
    """
    text = _POSSESSIVE.sub("", without_thousands(text).lower())
    text = _ISO.sub(lambda match: _written(*match.groups()), text)
    text = _DAY_FIRST.sub(r"\1 \2", text)
    text = _MONTH_FIRST.sub(r"\2 \1", text)
    return tuple(_normal(word) for word in _WORD.findall(text) if word not in _ARTICLES)


def _written(year: str, month: str, day: str) -> str:
    """Return the numbers of a date as prose gives them; numbers that are no date stay as they are."""
    if not 1 <= int(month) <= 12:
        return f"{year}-{month}-{day}"
    return f"{int(day)} {MONTHS[int(month) - 1]} {year}"


def _normal(word: str) -> str:
    if word[0].isdigit():
        return word
    if word in _TENS:
        return f"{_TENS[word]}0"
    return _NUMBER_WORDS.get(word) or _ORDINAL_WORDS.get(word) or _singular(word)


def _singular(word: str) -> str:
    """Return a word without a plural ending."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def answer_parts(answer: str) -> list[str]:
    """Return the parts of an answer that lists several things, each of which may stand elsewhere.

    >>> answer_parts("Ada Berg, Jon Vik and Ole Brandt"), answer_parts("Molde")
    (['Ada Berg', 'Jon Vik', 'Ole Brandt'], ['Molde'])
    """
    return [part.strip() for part in re.split(r",|;|\band\b|&", answer) if part.strip()]


def read_answer(reply: str) -> str | None:
    """Return the answer in a reply without citations and frame; None if the reply says that it is unknown.

    >>> read_answer("Answer: Bergen [2]."), read_answer("Unknown.")
    ('Bergen', None)
    """
    text = re.sub(r"\s+([.,;!?])", r"\1", _CITATION.sub("", reply)).strip()
    text = re.sub(r"^(?:answer|a)\s*:\s*", "", " ".join(text.split()), flags=re.I).rstrip(".").strip()
    return None if not text or _UNKNOWN.fullmatch(text) else text


def read_yes_or_no(reply: str) -> bool | None:
    """Return whether the first yes or no of a reply is yes; None if it contains neither.

    >>> read_yes_or_no("Yes."), read_yes_or_no("No, it does not"), read_yes_or_no("Maybe")
    (True, False, None)
    """
    first = re.search(r"\b(yes|no)\b", reply.lower())
    return None if first is None else first[1] == "yes"


_MONTH_NAME = "|".join(map(str.capitalize, MONTHS))
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}\s+(?:{_MONTH_NAME})\s+\d{{4}}|(?:{_MONTH_NAME})\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}|"
    rf"(?:{_MONTH_NAME})\s+\d{{4}}|(?:{_MONTH_NAME})\s+\d{{1,2}}(?!\d)|\d{{1,2}}\s+(?:{_MONTH_NAME})|\d{{4}}-\d{{2}}-\d{{2}}|1\d{{3}}|20\d{{2}})\b"
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
