"""What kind of thing an English question over a graph asks for, and what relations show of their ends."""

from __future__ import annotations

import re

from probative.text.analysis import ImpliedKind, PlaceKind
from probative.text.word_lists import stem, word_set

_WORD = re.compile(r"[^\W_]+")
_ASKED = re.compile(r"\b(?:which|what|how many)\s+((?:[a-z]+\s+){1,3})", re.IGNORECASE)
_AUXILIARY = word_set(
    "do does did is are was were be been has have had can could will would may might must should of the a an"
)
_PLACES: dict[PlaceKind, frozenset[str]] = {
    "town": word_set("town city village municipality"),
    "region": word_set("region state province county district"),
    "country": word_set("country nation"),
    "continent": word_set("continent"),
    "place": word_set("place river lake sea sound island mountain valley street coast harbour port"),
}
# Relations whose head is a person, and those whose tail is one.
_PERSON_TAIL = frozenset(map(stem, ("married", "marry", "wife", "husband", "mother", "father")))
_PERSON_HEAD = _PERSON_TAIL | frozenset(
    map(
        stem,
        ("born", "study", "studied", "brother", "sister", "son", "daughter", "died", "invented", "wrote"),
    )
)
_IN_PLACE = re.compile(r"\b(?:born|died|lives?|lies|located|based|situated|resides?) (?:in|on|near|at)$")
_CONTAINED = re.compile(
    r"^(?:(?:is|lies|are|was) )?(?:(?:located|situated|part|a part|town|city) )?(?:in|of|within)$"
)


def asked_nouns(question: str) -> tuple[str, ...]:
    """Return the nouns that may say what kind of thing a question asks for: "person" for "who", and the words
    behind "which" up to an auxiliary verb.

    >>> asked_nouns("In which country was Ole born?"), asked_nouns("Who is Ole?"), asked_nouns("Is Ole tall?")
    (('country',), ('person',), ())
    """
    if re.match(r"\W*(?:\w+\s+)?who[m]?\b", question, re.IGNORECASE):
        return ("person",)
    if re.match(r"\W*where\b", question, re.IGNORECASE):
        return ("place",)
    match = _ASKED.search(question)
    nouns: list[str] = []
    for word in match[1].split() if match else ():
        if word.lower() in _AUXILIARY:
            break
        nouns.append(word.lower())
    return tuple(nouns)


def place_kind(noun: str) -> PlaceKind | None:
    """Return which kind of place a noun names.

    >>> place_kind("cities"), place_kind("country"), place_kind("boat")
    ('town', 'country', None)
    """
    forms = {noun, re.sub(r"ies$", "y", noun), re.sub(r"s$", "", noun)}
    return next((kind for kind, words in _PLACES.items() if not words.isdisjoint(forms)), None)


def implied_kinds(relation: str) -> tuple[ImpliedKind | None, ImpliedKind | None]:
    """Return what a relation shows its head and its tail to be; None for what it does not show.

    >>> implied_kinds("was born in"), implied_kinds("is the capital of"), implied_kinds("makes")
    (('person', 'place'), ('place', 'place'), (None, None))
    """
    plain = " ".join(_WORD.findall(relation.lower()))
    stems = {stem(word) for word in plain.split()}
    if "capital" in stems or plain.startswith("lies "):
        return "place", "place"
    # "is used by", "was invented by": the ends change places.
    passive = plain.endswith(" by")
    head: ImpliedKind | None = None if stems.isdisjoint(_PERSON_HEAD) or passive else "person"
    tail: ImpliedKind | None = None if stems.isdisjoint(_PERSON_TAIL) else "person"
    return head, "place" if _IN_PLACE.search(plain) else tail


def is_containment(relation: str) -> bool:
    """Return whether the tail of a relation is a place or a whole around its head.

    >>> is_containment("lies in"), is_containment("is part of"), is_containment("was born in")
    (True, True, False)
    """
    plain = " ".join(_WORD.findall(relation.lower()))
    return bool(_CONTAINED.match(plain)) and plain not in ("of", "is of")
