"""Whether a clause is about a name, about a part of it ("its towers", "the bar of the hotel"), or about
something else ("the comedy Das Schiff").

Without a parser: a clause is about the noun phrase that it begins with.
"""

from __future__ import annotations

import re

from probative.text.analysis import Topic, TopicKind
from probative.text.dates import MONTHS
from probative.text.names import mentions
from probative.text.word_lists import COMMON, any_of, stem

_NEW_SUBJECT = rf"(?:{any_of('clauses.subjects')}|[A-Z])\b"
_HAS_VALUE = re.compile(rf"(?i)\d|\b(?:{any_of('clauses.numbers')})\b")
_BOUNDARY = re.compile(
    r"(?:[,;:]\s+(?:and|but|while|whereas|although|though)?\s*|\s+(?:and|but|while|whereas)\s+)"
    rf"(?={_NEW_SUBJECT})"
)
# "In 1903 the bridge …", "After long delays, the bridge …", "In Graz it …"
_ADVERBIAL = re.compile(
    rf"(?i)(?:{any_of('clauses.joints')})\b"
    rf"[\s,]*|(?:{any_of('adverbial')}|despite|according to)\b[^,;.]*?"
    r"(?:,\s*|\s+(?=(?:it|he|she|they|its|his|her|their|the|an?)\b))"
)
_PREPOSITION = re.compile(rf"(?i)\W*(?:{any_of('adverbial')})\b")
_PRONOUN = re.compile(rf"(?i)(?:{any_of('clauses.pronouns')})\b(?!\s+(?:of\b|(?-i:[A-Z])))")
_POSSESSIVE = re.compile(r"(?i)(?:its|his|her|their)\s+(?P<words>\w[\w'’-]*(?:\s+[\w'’-]+){0,2})")
_LEAD = re.compile(r"(?i)(?:the|an?|this|that|one|another|each|every|all|some)\s+")
_VERB = re.compile(rf"\b(?:{any_of('clauses.verbs')})\b")
_OF = re.compile(r"(?i)\b(?:of|at|in|to|for|on|from|by|with)\s+(?:the\s+)?$")
_CAPITAL = re.compile(r"[A-Z][\w'’-]*")
_NO_NAMES = frozenset(map(str.capitalize, MONTHS))


def topics_of(text: str, name: str, kinds: frozenset[str] = frozenset()) -> tuple[Topic, ...]:
    """Return the clauses of a sentence with what they are about, seen from a name.

    `kinds` are nouns by which the name may be called ("the bridge"); its own last word is always one.

    >>> [topic.kind for topic in topics_of("The towers of Oak Bridge are 54 m high, and the bridge is long.",
    ...     "Oak Bridge")]
    ['part', 'own']
    >>> [topics_of(text, "Sommer")[0].kind for text in ("It has two acts.", "The comedy Das Schiff is new.")]
    ['own', 'other']
    """
    low = re.sub(r"^(?:the|an?)\s+", "", name.lower().strip())
    if not low:
        return ()
    kinds = kinds | {low.split()[-1]}
    return tuple(
        Topic(start, end, *_topic(text[start:end], low, kinds, first=start == 0))
        for start, end in _clauses(text)
    )


def begins_with_pronoun(text: str) -> bool:
    """Return whether a sentence calls its subject "it", "he", "she" or "they".

    >>> begins_with_pronoun("In 1903 it was opened."), begins_with_pronoun("Its towers are high.")
    (True, False)
    """
    return _PRONOUN.match(_without_adverbials(text)) is not None


def begins_with_possessive(text: str) -> bool:
    """Return whether a sentence is about a part: "Its towers …".

    >>> begins_with_possessive("Its towers are high."), begins_with_possessive("A wing was added.")
    (True, False)
    """
    return _POSSESSIVE.match(_without_adverbials(text)) is not None


def _clauses(text: str) -> list[tuple[int, int]]:
    """Return where clauses begin and end. A new one begins only behind a clause with a value: without one, it
    does not matter what the clause is about.
    """
    starts = [0]
    for match in _BOUNDARY.finditer(text):
        clause = text[starts[-1] : match.start()]
        if _HAS_VALUE.search(clause) and (_VERB.search(clause) or not _PREPOSITION.match(clause)):
            starts.append(match.end())
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _without_adverbials(clause: str) -> str:
    """Return a clause without the adverbials before its subject."""
    rest = clause.lstrip(" \t\n\"“‘'(,;:")
    for _ in range(3):
        shorter = _ADVERBIAL.sub("", rest, count=1) if _ADVERBIAL.match(rest) else rest
        if shorter == rest or not shorter.strip():
            break
        rest = shorter
    return rest


def _topic(clause: str, name: str, kinds: frozenset[str], *, first: bool) -> tuple[TopicKind, frozenset[str]]:
    """Return what a clause is about, by the noun phrase before its verb."""
    rest = _without_adverbials(clause)
    if (
        leading := re.match(rf"(?:(?:the|an?)\s+)?{re.escape(name)}(?:(?P<of>['’]s?\s+)|(?!\w))", rest, re.I)
    ) is not None:
        return ("part", _stems(rest[leading.end() :])) if leading["of"] else ("own", frozenset())
    if _PRONOUN.match(rest):
        return ("other" if mentions(rest, name) else "own"), frozenset()
    if (part := _POSSESSIVE.match(rest)) is not None:
        return "part", _stems(part["words"])
    verb = _VERB.search(rest)
    subject = rest[: verb.start()] if verb is not None else rest
    if mentions(subject, name):
        return _with_name(subject, name, kinds)
    return _without_name(subject, rest, name, kinds, first=first and rest == clause.lstrip())


def _with_name(subject: str, name: str, kinds: frozenset[str]) -> tuple[TopicKind, frozenset[str]]:
    """Return the topic of a subject that contains the name: "the towers of NAME", "the river NAME"."""
    before = subject[: subject.lower().index(name)]
    link = _OF.search(before)
    if link is None or kinds & set(re.findall(r"\w+", before.lower())):
        return "own", frozenset()
    return "part", _stems(before[: link.start()])


def _without_name(
    subject: str, rest: str, name: str, kinds: frozenset[str], *, first: bool
) -> tuple[TopicKind, frozenset[str]]:
    lead = _LEAD.match(subject)
    tokens = re.findall(r"[\w'’-]+", subject)
    own_words = set(re.findall(r"\w+", name))
    capitals = [token for token in tokens if _CAPITAL.fullmatch(token) and token not in _NO_NAMES]
    if first and capitals and tokens and capitals[0] == tokens[0] and lead is not None:
        capitals = capitals[1:]
    if capitals and all(token.lower() in own_words for token in capitals):
        return "own", frozenset()  # "Lindqvist won": the name is shortened
    if lead is not None and kinds & {token.lower() for token in tokens[:4]}:
        return "own", frozenset()
    if len(capitals) > (1 if first and tokens and capitals[:1] == tokens[:1] else 0):
        return "other", frozenset()
    before_name = re.search(
        rf"(?P<words>(?:[\w-]+\s+){{1,3}})(?:of|to|for|at|in|on)\s+(?:the\s+)?{re.escape(name)}(?!\w)",
        rest,
        re.I,
    )
    return "part", _stems(subject) | (
        _stems(before_name["words"]) if before_name is not None else frozenset()
    )


def _stems(text: str) -> frozenset[str]:
    """Return the stems of the words that name a part: up to the verb, at most five."""
    verb = _VERB.search(text)
    listed = re.findall(r"[^\W\d_]+", (text[: verb.start()] if verb is not None else text).lower())
    return frozenset(stem(word) for word in listed[:5])


def asked_kinds(question: str) -> frozenset[str]:
    """Return the nouns by which a question calls what it asks for: "which stone bridge".

    >>> sorted(asked_kinds("Which stone bridge has the higher towers?")), asked_kinds("Who is older?")
    (['bridge', 'stone'], frozenset())
    """
    match = re.search(r"\b(?:which|what)\s+(?:of the\s+)?(?P<rest>[^,?]+)", question, re.IGNORECASE)
    if match is None:
        return frozenset()
    verb = _VERB.search(match["rest"])
    before = match["rest"][: verb.start()] if verb is not None else ""
    return frozenset(word for word in re.findall(r"[a-z][\w-]*", before)[:3] if word not in COMMON)
