"""How an English question names a relation of a graph: in the same words, in similar ones, or the opposite.

`relation_groups` lists verbs that say nearly the same about two things, and after a bar their opposites.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from probative.text.analysis import RelationMatch, Role
from probative.text.english.graph_questions import is_possessive
from probative.text.english.word_lists import COMMON, read_lines, stem, word_set

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_AUXILIARY = word_set(
    "do does did is are was were be been has have had can could will would may might must should"
)
_ARTICLES = word_set("the a an this that these those some any")
# After these an entity is a circumstance ("a captain from Bergen").
_PREPOSITIONS = word_set("of from in at on near with for to into about")
# Words of a question that are no relation: what is asked for.
_ASKING = word_set(
    "who whom whose what which where when why how many much kind sort type thing things one ones of these "
    "following"
)
_ASKS_RELATION = re.compile(
    r"\bwhat (?:do|does|did)\b.+\bdo (?:to|with|for)\b|"
    r"\bhow (?:is|are|was|were)\b.+\b(?:related|connected|linked)\b|"
    r"\bhow (?:do|does|did)\b.+\b(?:affect|influence|relate)|\b(?:relation|connection) between\b",
    re.IGNORECASE,
)
# "X is a Y": relations that say only what something is.
_KINDS = ("is a", "isa", "is an", "are", "is", "kind of", "type of", "instance of", "subclass of", "class")
# What holds for m holds for a as well, if "a contains m", "a is a kind of m" and so on.
_PASSING_ON = frozenset(read_lines("passing_relations"))
# "a was born in m, m lies on b" makes b a place of a's birth: a place, a kind or a whole can be exchanged for
# the larger one.
_WIDENING = re.compile(r"\b(?:in|on|at|near|by the|part of|kind of|type of|is an?|belongs? to|member of)$")


def match_relation(question: str, names: Sequence[str], relation: str) -> RelationMatch | None:
    """Return whether a relation is the one that a question asks for, its opposite or its denial; `names` are
    the entities in the question.

    >>> match_relation("Does tea help against a cough?", ["tea", "cough"], "relieves")
    'same'
    >>> match_relation("Does tea help against a cough?", ["tea", "cough"], "causes")
    'opposite'
    >>> match_relation("Where was the ferry built?", ["ferry"], "was built in"), match_relation(
    ...     "Where was the ferry built?", ["ferry"], "is owned by")
    ('same', None)
    >>> match_relation("Is a ferry a boat?", ["ferry", "boat"], "is a kind of")
    'same'
    >>> match_relation("Does plum cause a cough?", ["plum", "cough"], "does not cause")
    'denied'
    """
    asked = content_stems(_without(question, names))
    plain = " ".join(_WORD.findall(relation.lower()))
    denied = plain.startswith(("not ", "does not ", "is not "))
    plain = re.sub(r"^(?:does |is )?not ", "", plain)
    if is_kind(plain):
        match: RelationMatch | None = "same" if not asked - _kind_words() else None
    else:
        match = _match(asked, content_stems(plain), place=_asks_place(question) and _is_place(plain))
    if not denied or match is None:
        return match
    # What does not worsen a thing need not ease it.
    return "denied" if match == "same" else None


def role_of(question: str, name: str) -> Role | None:
    """Return whether an entity acts or is acted on in a question; None if the question does not say.

    >>> role_of("What does marsh fever cause?", "marsh fever"), role_of("What causes fever?", "fever")
    ('agent', 'patient')
    >>> role_of("Who was the ferry built by?", "ferry"), role_of("What was built by Ole?", "Ole")
    ('patient', 'agent')
    >>> role_of("Who is Tora's mother?", "Tora")
    'patient'
    """
    text = question.lower()
    at = text.find(name.lower())
    if at < 0:
        return None
    if is_possessive(question, name):
        return "patient"
    before = [word for word in _WORD.findall(text[:at]) if word not in _ARTICLES]
    after = _WORD.findall(text[at + len(name) :])
    passive = (bool(after) and after[-1] == "by") or text.startswith("by ")
    if before and before[-1] == "by":
        return "agent"
    if before and before[-1] in _PREPOSITIONS:
        return None
    if before and before[-1] in _AUXILIARY:
        return "patient" if passive or "by" in after else "agent"
    return "patient" if before else "agent"


def asks_relation(question: str) -> bool:
    """Return whether a question asks how two things are related.

    >>> asks_relation("What does salt do to yeast?"), asks_relation("What does salt slow?")
    (True, False)
    """
    return bool(_ASKS_RELATION.search(question))


def number_forms(name: str) -> list[str]:
    """Return a name, then its other grammatical number, or the name without its possessive ending.

    >>> number_forms("cramps"), number_forms("berry")
    (['cramps', 'cramp', 'cramp'], ['berry', 'berries', 'berrys'])
    """
    if name.endswith(("'s", "’s")):
        return [name, name[:-2]]
    if name.endswith("ies") and len(name) > 4:
        return [name, f"{name[:-3]}y"]
    if name.endswith("s") and not name.endswith("ss") and len(name) > 3:
        return [name, name[:-1], re.sub(r"(?:es|s)$", "", name) if name.endswith("es") else name[:-1]]
    plural = f"{name[:-1]}ies" if name.endswith("y") else f"{name}es"
    return [name, plural, f"{name}s"]


def is_passive(relation: str) -> bool:
    """Return whether the tail of a relation acts on its head.

    >>> is_passive("was commanded by"), is_passive("commands")
    (True, False)
    """
    return relation.lower().rstrip().endswith(" by")


def passes_on(relation: str) -> bool:
    """Return whether what holds for the tail of a relation holds for its head as well.

    >>> passes_on("contains"), passes_on("is a kind of"), passes_on("defeated")
    (True, True, False)
    """
    plain = " ".join(_WORD.findall(relation.lower()))
    return plain in _PASSING_ON or is_kind(plain)


def widens(relation: str) -> bool:
    """Return whether the tail of a relation is a place, a kind or a whole that includes its head.

    >>> widens("lies on"), widens("is part of"), widens("eats")
    (True, True, False)
    """
    plain = " ".join(_WORD.findall(relation.lower()))
    return is_kind(plain) or bool(_WIDENING.search(plain))


def is_kind(relation: str) -> bool:
    """Return whether a relation only says what its head is.

    >>> is_kind("is a kind of"), is_kind("is part of")
    (True, False)
    """
    plain = " ".join(_WORD.findall(relation.lower()))
    return plain in _KINDS or re.sub(r"^is an? ", "", plain) in _KINDS


def _match(asked: frozenset[str], words: frozenset[str], *, place: bool) -> RelationMatch | None:
    """Compare the stems that a question and a relation are made of."""
    if not words:
        return "same" if place else None
    if all(any(similar(word, other) for other in asked) for word in words):
        return "same"
    if place and all(any(similar(word, other) for other in _places()) for word in words):
        return "same" if not asked - _places() else None
    if all(any(_opposed(word, other) for other in asked) for word in words):
        return "opposite"
    return None


def similar(word: str, other: str) -> bool:
    """Return whether two stems say nearly the same of two things.

    >>> similar("eas", "reliev"), similar("found", "founder"), similar("found", "employer")
    (True, True, False)
    """
    first, second = roots(word), roots(other)
    return not first.isdisjoint(second) or any(
        not first.isdisjoint(side) and not second.isdisjoint(side) for sides in _groups() for side in sides
    )


@cache
def roots(word: str) -> frozenset[str]:
    """Return a stem and the stems that it is made from: "founder" is made from "found", "studi" is "study".

    >>> sorted(roots("employer")), sorted(roots("studi"))
    (['employ', 'employer'], ['studi', 'study'])
    """
    forms = {word}
    if len(word) > 4 and word.endswith(("er", "or")):
        base = stem(word[:-2])
        doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"
        forms.add(base[:-1] if doubled else base)
    # The stem of "employee" ends in one e; a final e of other words is no part of their stem.
    if len(word) > 4 and word.endswith("e"):
        forms.add(word[:-1])
    return frozenset(forms | {f"{form[:-1]}y" for form in forms if form.endswith("i")})


def _opposed(word: str, other: str) -> bool:
    return any(
        (word in first and other in second) or (word in second and other in first)
        for first, second in _groups()
    )


def _asks_place(question: str) -> bool:
    return bool(re.search(r"\bwhere\b", question, re.IGNORECASE))


def _is_place(relation: str) -> bool:
    return bool(re.search(r"(?:\b(?:in|on|at|near)|location|place)$", relation))


def _without(question: str, names: Sequence[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        question = re.sub(rf"\b{re.escape(name)}(?:s|es)?\b", " ", question, flags=re.IGNORECASE)
    return question


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that can name a relation.

    >>> sorted(content_stems("Who was the founder of it?"))
    ['founder']
    """
    words = (word.lower() for word in _WORD.findall(text))
    # "be", "of" and the like say nothing; "made", "found" are common words that do.
    kept = (word for word in words if word not in _ASKING and (word not in COMMON or word in _named()))
    return frozenset(stem(word) for word in kept)


@cache
def _groups() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    sides = (line.partition("|") for line in read_lines("relation_groups"))
    return tuple((_stems(first), _stems(second)) for first, _, second in sides)


@cache
def _named() -> frozenset[str]:
    lines = read_lines("relation_groups")
    return frozenset(word for line in lines for word in line.replace("|", " ").split())


@cache
def _places() -> frozenset[str]:
    return _stems("lie stand locate situate find found base place live")


@cache
def _kind_words() -> frozenset[str]:
    return _stems("kind sort type class form example call")


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())
