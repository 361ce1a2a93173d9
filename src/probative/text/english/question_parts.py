"""The parts of an English question that asks for two things: "Who painted it, and in which month?"

A question that does not certainly ask for two things stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.text.english.questions import parse_question
from probative.text.word_lists import any_of

ANSWER = "{answer}"
"""Stands in a part of a question for the answer of the part before it."""
_BEFORE = rf"(?:{any_of('question_parts.prepositions')})\s+"
_ASKS = (
    rf"(?:{_BEFORE})?(?:(?:which|what|whose)(?:\s+(?!(?:is|are|was|were|did|does|do|has|have|had)\b)[a-z-]+)?"
    r"|how\s+(?:much|many(?:\s+[a-z-]+)?|[a-z]+)|whom|who|when|where|why|how)"
)
_FIRST = re.compile(rf"(?i)(?P<asks>{_ASKS})\b(?:\s+(?P<rest>\S.*))?")
_ALONE = re.compile(_ASKS, re.IGNORECASE)
_JOINT = re.compile(rf"(?i),?\s+and\s+(?:also\s+)?(?={_ASKS}\b)")
_SENTENCES = re.compile(rf"(?i)\?\s+(?={_ASKS}\b)(?=[^?]*\?$)")
_HELPING = re.compile(rf"(?:{any_of('question_parts.helping')})\b")
_BEING = re.compile(r"(?:is|are|was|were)\b")
_SUBJECT = re.compile(r"(?i)(?:who|which|what)\b")
_BETWEEN = re.compile(r"\bbetween\b")
_PERSON = re.compile(r"\b(?:he|she|him|her|his)\b")
_THING = re.compile(r"\b(?:it|its|they|them|their)\b")
# "What are the height and the weight of the bell?"
_TWO_NOUNS = re.compile(
    r"(?i)(?P<asks>What|Which)\s+(?:is|are|was|were)\s+the\s+(?P<first>[a-z][a-z -]{2,30}?)\s+and\s+the\s+"
    r"(?P<second>[a-z][a-z -]{2,30}?)(?P<of>\s+of\s+.+)"
)


def question_parts(question: str) -> tuple[str, ...]:
    """Return the questions that a question consists of.

    >>> question_parts("Who painted Felicity, and in which month?")
    ('Who painted Felicity?', '{answer} painted Felicity in which month?')
    >>> question_parts("When was the mill built and who owns it today?")
    ('When was the mill built?', 'Who owns the mill today?')
    >>> question_parts("When was the mill built? Who owns it today?")
    ('When was the mill built?', 'Who owns the mill today?')
    >>> question_parts("When and where was Ada born?")
    ('When was Ada born?', 'Where was Ada born?')
    >>> question_parts("What are the height and the weight of the bell?")
    ('What is the height of the bell?', 'What is the weight of the bell?')
    >>> question_parts("Which town lies between the river and the sea?")
    ('Which town lies between the river and the sea?',)
    """
    text = _SENTENCES.sub(", and ", question.strip(), count=1).rstrip("?. ")
    nouns = _TWO_NOUNS.fullmatch(text)
    if nouns is not None:
        return tuple(f"{nouns['asks']} is the {nouns[name]}{nouns['of']}?" for name in ("first", "second"))
    joint = _JOINT.search(text)
    if joint is None:
        return (question,)
    left, second = text[: joint.start()], text[joint.end() :]
    if _ALONE.fullmatch(left) and (shared := _sharing(left, second)):
        return shared
    first = _FIRST.fullmatch(left)
    if first is None or first["rest"] is None or (_BETWEEN.search(left) and _ALONE.fullmatch(second)):
        return (question,)
    if _ALONE.fullmatch(second):
        return f"{left}?", _elliptic(first, second)
    return f"{left}?", _with_subject(first, second, [node.text for node in parse_question(f"{left}?").nodes])


def _sharing(first: str, second: str) -> tuple[str, ...]:
    """Return "When was it built?" and "Where was it built?" of "When" and "where was it built"."""
    asked = re.match(rf"({_ASKS})\s+((?:{_HELPING.pattern}|{_BEING.pattern}).*)", second, re.IGNORECASE)
    return () if asked is None else (f"{first} {asked[2]}?", _sentence(f"{asked[1]} {asked[2]}?"))


def _elliptic(first: re.Match[str], second: str) -> str:
    """Return the second part with what the first one says."""
    rest = first["rest"]
    subject = _SUBJECT.match(first["asks"])
    if subject is None:
        return _sentence(f"{second} {rest}?")
    if _HELPING.match(rest):
        return _sentence(f"{second} {rest} {ANSWER}?")
    return f"{ANSWER} {rest} {second}?"


def _with_subject(first: re.Match[str], second: str, nodes: Sequence[str]) -> str:
    """Return the second part with a name instead of its pronoun."""
    pronoun = _PERSON.search(second) or _THING.search(second)
    if pronoun is None:
        return _sentence(f"{second}?")
    asks = first["asks"]
    is_answer = asks.lower() == "who" if _PERSON.search(second) else " " in asks and _SUBJECT.match(asks)
    name = ANSWER if is_answer or not nodes else _thing(first["rest"], nodes[0])
    owner = "'s" if pronoun[0] in ("his", "its", "their") else ""
    return _sentence(f"{second[: pronoun.start()]}{name}{owner}{second[pronoun.end() :]}?")


def _thing(rest: str, node: str) -> str:
    """Return a node with its article, and without the verb that ends "does the ticket cost"."""
    if _HELPING.match(rest) and rest.endswith(node) and " " in node:
        node = node.rpartition(" ")[0]
    phrase = re.search(rf"\b(?:the|a|an|our|this)\s+(?:\S+\s+)?{re.escape(node)}", rest)
    return node if phrase is None else phrase[0]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
