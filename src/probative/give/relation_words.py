"""How an English question names a relation of a graph: by words of the same root, or by a name that the user
declared equal. Whether another relation says the same, a model is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Literal

from probative.give.question_words import is_possessive, stems_of
from probative.text import english
from probative.text.words import COMMON, IRREGULAR_PASTS, any_of, stem, word_set

RelationMatch = Literal["same", "denied"]
"""Whether a relation of a graph is the asked one, or its denial ("does not ease")."""
EqualNames = Sequence[Sequence[str]]
"""Groups of relations that the user declared equal."""
Role = Literal["agent", "patient"]
"""Whether an entity acts in a question, or is acted on."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_AUXILIARY = word_set("auxiliaries")
_ARTICLES = word_set("articles", "graphs.demonstratives")
_MODALS = word_set("modals")
_PLACE = re.compile(r"(?:\b(?:in|on|at|near)|location|place)$")
# After these an entity is a circumstance ("a captain from Bergen").
_PREPOSITIONS = word_set("graphs.prepositions")
# Behind a verb they make it another one: "works for", "works with". "of" follows nouns of any verb.
_PARTICLES = word_set("graphs.prepositions", "graphs.more_particles") - {"of"}
_NEGATION = re.compile(r"\b(?:(?:do|does|did|can) ?)?(?:not|never)\b|\b(?:do|does|did|ca)?n['’]t\b|n['’]t\b")
# Words of a question that are no relation: what is asked for.
_ASKING = word_set("graphs.asking")
_ASKS_RELATION = re.compile(
    r"(?i)\bwhat (?:do|does|did)\b.+\bdo (?:to|with|for)\b|"
    r"\bhow (?:is|are|was|were)\b.+\b(?:related|connected|linked)\b|"
    r"\bhow (?:do|does|did)\b.+\b(?:affect|influence|relate)|\b(?:relation|connection) between\b"
)
# "X is a Y": relations that say only what something is.
_KINDS = word_set("graphs.kinds")
# What holds for m holds for a as well, if "a contains m", "a is a kind of m" and so on.
_PASSING_ON = word_set("graphs.passing_on")
_KIND_WORDS = frozenset(map(stem, word_set("graphs.kind_words")))
# "a was born in m, m lies on b" makes b a place of a's birth: a place, a kind or a whole can be exchanged for
# the larger one.
_WIDENING = re.compile(r"\b(?:in|on|at|near|by the|part of|kind of|type of|is an?|belongs? to|member of)$")
_SYMMETRIC = re.compile(rf"(?i)\b(?:{any_of('graphs.symmetric')})\b")
# A country has one capital and a person one father: another head for the same tail is excluded.
_ONE_HEAD = re.compile(r"(?i)\b(?:capital|father|mother)(?: city)? of$")


def match_relation(
    question: str, names: Sequence[str], relation: str, equal: EqualNames = ()
) -> RelationMatch | None:
    """Return whether a relation is the one that a question asks for, or its denial; None if it is another.
    `names` are the entities in the question, and `equal` groups of relations that the user declared equal.

    >>> match_relation("Where was the ferry built?", ["ferry"], "was built in"), match_relation(
    ...     "Where was the ferry built?", ["ferry"], "is owned by")
    ('same', None)
    >>> match_relation("Does tea cure a cough?", ["tea", "cough"], "relieves") is None
    True
    >>> match_relation("Does tea cure a cough?", ["tea", "cough"], "relieves", [("cure", "relieve")])
    'same'
    >>> match_relation("Is a ferry a boat?", ["ferry", "boat"], "is a kind of")
    'same'
    >>> match_relation("Does plum cause a cough?", ["plum", "cough"], "does not cause")
    'denied'
    """
    text = _without(question, names)
    plain = " ".join(_WORD.findall(relation.lower()))
    denied = english.is_negated(plain)
    stated = " ".join(_NEGATION.sub(" ", plain).split())
    if english.is_negated(stated) or not any(_names(text, phrase) for phrase in phrases(stated, equal)):
        return None  # "no longer" is neither
    return "denied" if denied else "same"


def phrases(relation: str, equal: EqualNames) -> list[str]:
    """Return a relation, and the names that the user declared equal to it.

    >>> phrases("eases", [("ease", "relieve"), ("own", "possess")])
    ['eases', 'ease', 'relieve']
    """
    plain = [[name.replace("_", " ").lower() for name in group] for group in equal]
    words = stems_of(relation.replace("_", " "))
    groups = (group for group in plain if any(stems_of(name) == words for name in group))
    return list(dict.fromkeys([relation, *(name for group in groups for name in group)]))


def _names(question: str, relation: str) -> bool:
    """Return whether a question without its entities asks for a relation."""
    asked, stems = content_stems(question), content_stems(relation)
    if is_kind(relation):
        return not asked - _KIND_WORDS
    if not stems:
        asks_place = re.search(r"(?i)\bwhere\b", question) is not None
        return not asked and asks_place and _PLACE.search(relation) is not None
    return (
        all(any(same_root(word, other) for other in asked) for word in stems)
        and _modals(relation) <= _modals(question)
        and _particle(relation, stems) in (None, _particle(question, stems) or _particle(relation, stems))
    )


def _modals(text: str) -> set[str]:
    """Return the words that make a statement a possibility: what may ease a cough need not ease it."""
    return {word for word in _WORD.findall(text.lower()) if word in _MODALS}


def _particle(text: str, stems: frozenset[str]) -> str | None:
    """Return the preposition behind the last word of a text that names a relation; None if there is none."""
    words = _WORD.findall(text.lower())
    for word, following in reversed(list(pairwise(words))):
        word_stems = content_stems(word)
        if any(same_root(stem, other) for stem in stems for other in word_stems):
            return {"at": "in"}.get(following, following) if following in _PARTICLES else None
    return None


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


def is_symmetric(relation: str) -> bool:
    """Return whether a relation holds in both directions.

    >>> is_symmetric("borders"), is_symmetric("invented")
    (True, False)
    """
    return bool(_SYMMETRIC.search(relation.replace("_", " ")))


def has_one_head(relation: str) -> bool:
    """Return whether a tail can have this relation from one head only, and never in the other direction.

    >>> has_one_head("is the capital of"), has_one_head("is a town of")
    (True, False)
    """
    return bool(_ONE_HEAD.search(relation.replace("_", " ").strip()))


def same_root(word: str, other: str) -> bool:
    """Return whether two stems have the same root.

    >>> same_root("found", "founder"), same_root("eas", "reliev")
    (True, False)
    """
    return not roots(word).isdisjoint(roots(other))


@cache
def roots(word: str) -> frozenset[str]:
    """Return a stem and the stems that it is made from: "founder" is made from "found", "studi" is "study".

    >>> sorted(roots("employer")), sorted(roots("studi")), sorted(roots("treatment"))
    (['employ', 'employer'], ['studi', 'study'], ['treat', 'treatment'])
    """
    forms = {word, *(word.removesuffix(end) for end in ("ment", "ion", "ation") if len(word) > len(end) + 3)}
    if len(word) > 4 and word.endswith(("er", "or")):
        base = stem(word[:-2])
        doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"
        forms.add(base[:-1] if doubled else base)
    # The stem of "employee" ends in one e; a final e of other words is no part of their stem.
    if len(word) > 4 and word.endswith("e"):
        forms.add(word[:-1])
    return frozenset(forms | {f"{form[:-1]}y" for form in forms if form.endswith("i")})


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
    content = (word for word in words if word not in _ASKING and (word not in COMMON or word == "own"))
    return frozenset(stem(IRREGULAR_PASTS.get(word, word)) for word in content)
