"""What in a text could be an answer: names, dates, numbers, by what the question wants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from probative.text.english.questions import AnswerKind, parse_question
from probative.text.words import COMMON, words

_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}\s+(?:{_MONTH})\s+\d{{4}}|(?:{_MONTH})\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}|"
    rf"(?:{_MONTH})\s+\d{{4}}|(?:{_MONTH})\s+\d{{1,2}}(?!\d)|\d{{1,2}}\s+(?:{_MONTH})|\d{{4}}-\d{{2}}-\d{{2}}|1\d{{3}}|20\d{{2}})\b"
)
_NUMBER = re.compile(
    r"(?<![\w.])(?:[$€£]\s?)?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|percent|million|billion|thousand|hundred|km|m|ft|feet|miles|"
    r"metres|meters|kg|years|people))?\b"
)
_WORDED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred)\b",
    re.IGNORECASE,
)
# A dot belongs to a name within it ("U.S") or behind an initial, and ends a sentence otherwise.
_PART = r"[^\W\d_a-zà-öø-ÿ](?:[\w'’-]|\.(?=\w))*(?:(?<=\b[A-Z])\.)?"
_NAME = re.compile(rf"{_PART}(?:\s+(?:(?:of|the|de|la|van|von|der|di)\s+){{0,2}}{_PART}|\s+\d{{1,4}}\b)*")
_OPENING = re.compile(rf"(?:^|[.!?]\s+)({_PART})(?=\s+[^\WA-Z]|\s*$)")
_NEGATION = re.compile(r"\b(?:not|never|no longer|nobody|cannot)\b|n['’]t\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“]([^\"”]{2,80})[\"”]")


def negated(text: str) -> bool:
    """Whether a text says that something is not so.

    >>> negated("It never sailed."), negated("It sailed.")
    (True, False)
    """
    return _NEGATION.search(text) is not None


def answers_in(text: str, question: str, kind: AnswerKind) -> bool:
    """Whether a text holds something that could answer the question.

    >>> answers_in("It sailed in 1842.", "When did it sail?", "date")
    True
    """
    if kind in ("yes-no", "choice", "any"):
        return True
    found = spans(text, question, kind)
    if kind == "date" or kind == "number":
        return next(found, None) is not None
    # A single word at the beginning of a sentence has its capital from there, more often than not.
    openings = {match.group(1) for match in _OPENING.finditer(text)}
    return any(span not in openings for span in found)


def candidates(texts: Sequence[str], question: str, kind: AnswerKind) -> list[str]:
    """All that could answer the question, each once: for "which of the two" the two, for yes or no both.

    >>> candidates(["Ada Berg built the Lark in Bergen in 1842."], "Where was the Lark built?", "place")
    ['Bergen']
    """
    if kind == "yes-no":
        return ["yes", "no"]
    if kind == "choice":
        named = [node.text for node in parse_question(question).nodes if node.text[:1].isupper()]
        found = [node for node in named if re.search(rf"\b{re.escape(node)}\W*(?:or\b|\?|$)", question)]
        if len(found) < 2:
            found = named[-2:]
        if len(found) >= 2:
            return found
        kind = "name"
    listed = list(dict.fromkeys(span for text in texts for span in spans(text, question, kind)))
    if kind == "place":  # what something is in, at or near, if there is such a thing
        whole = " ".join(texts)
        placed = [
            span
            for span in listed
            if re.search(rf"\b(?:in|at|near|from|to|of|outside)\s+(?:the\s+)?{re.escape(span)}", whole)
        ]
        return placed or listed
    if kind == "person":
        return [span for span in listed if " " in span] or listed
    return listed


def spans(text: str, question: str, kind: AnswerKind) -> Iterator[str]:
    """The spans of a text of the kind that is wanted, without those that only repeat the question."""
    if kind == "date":
        yield from (match.group() for match in _DATE.finditer(text) if match.group() not in question)
        return
    if kind == "number":
        for pattern in (_NUMBER, _WORDED):
            yield from (match.group().strip() for match in pattern.finditer(text))
        return
    asked = set(words(question))
    for match in _QUOTED.finditer(text):
        if not set(words(match.group(1))) <= asked:
            yield match.group(1).strip()
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip()
        name = _without_start(match.group(), opening=not before or before[-1] in ".!?")
        if name and not set(words(name)) <= asked:
            yield name
    if kind == "name":
        yield from (match.group() for match in _DATE.finditer(text) if match.group() not in question)


def _without_start(name: str, *, opening: bool) -> str:
    """A name without the common word that only has its capital from the beginning of the sentence, and
    without what ends it.
    """
    name = re.sub(r"(?:['’]s)?[.,;:'’-]*$", "", name)
    first, _, rest = name.partition(" ")
    if opening and first.lower() in COMMON:
        name = rest if rest[:1].isupper() else ""
    elif name.lower() in COMMON:
        name = ""
    return re.sub(r"^(?:the|of|and|de)\s+", "", name)
