"""Kinds of entities: what the graph shows an entity to be, and whether that is what a question asks for.

"In which country was she born?" is not answered by a town. If the graph says in which country the town lies,
that country is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, get_args

from probative.give.relation_words import has_one_head, is_kind, number_forms
from probative.graph.graph import Graph
from probative.text import english
from probative.text.words import stem, word_list, word_set
from probative.types import Triple

# A town in a district in a county in a country.
MAX_CONTAINMENT = 4
# The edges of an entity that are looked at for its kind: a hub has thousands that all say the same.
MAX_EDGES = 200
ImpliedKind = Literal["person", "place"]
"""What a relation can show its head or tail to be."""
PlaceKind = Literal["town", "region", "country", "continent", "place"]
"""Kinds of places; "place" for all others, such as rivers."""
_WORD = re.compile(r"[^\W_]+")
_PLACES: dict[PlaceKind, frozenset[str]] = {kind: word_set(f"graphs.{kind}") for kind in get_args(PlaceKind)}
# Relations whose head is a person, and those whose tail is one.
_PERSON_TAIL = frozenset(map(stem, word_list("graphs.person_tail")))
_PERSON_HEAD = _PERSON_TAIL | frozenset(map(stem, word_list("graphs.person_head")))
_IN_PLACE = re.compile(r"\b(?:born|died|lives?|lies|located|based|situated|resides?) (?:in|on|near|at)$")
_CONTAINED = re.compile(
    r"^(?:(?:is|lies|are|was) )?(?:(?:located|situated|part|a part|town|city) )?(?:in|of|within)$"
)


class KindReader:
    """Reads from a graph what kind of thing an entity is."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def fits(self, entity: int, noun: str) -> bool | None:
        """Return whether an entity is what a noun says; None if the graph does not tell."""
        stated = self._stated_fit(entity, noun)
        if stated is not None:
            return stated
        kind_of_place = place_kind(noun)
        if noun == "person":
            return False if self._is_place(entity) else None
        if kind_of_place is None:
            return None
        if "person" in self._implied(entity):
            return False
        return self._fits_place(entity, kind_of_place)

    def reach(self, entity: int, noun: str) -> tuple[int, tuple[Triple, ...]] | None:
        """Return the place around an entity that is what a noun says, and the edges that lead to it."""
        if place_kind(noun) not in ("region", "country", "continent"):
            return None
        path: tuple[Triple, ...] = ()
        for _ in range(MAX_CONTAINMENT):
            outward = next(self._containers(entity), None)
            if outward is None:
                return None
            path = (*path, self.graph.triple(outward))
            entity = outward[2]
            if self.fits(entity, noun):
                return entity, path
        return None

    def names_kind(self, entity: int) -> bool:
        """Return whether the graph says of other entities that they are of this kind."""
        rows = self.graph.in_edges(entity)[:MAX_EDGES].tolist()
        return any(is_kind(self.graph.relations[row[1]]) for row in rows)

    def _stated_fit(self, entity: int, noun: str) -> bool | None:
        """Return whether the graph states a kind; None if it states no kind of the entity, or has no such
        kind.
        """
        forms = (self.graph.find(form) for form in number_forms(noun))
        asked = {number for number in forms if number is not None and self.names_kind(number)}
        kinds = self._kinds(entity)
        return bool(asked & kinds) if asked and kinds else None

    def _kinds(self, entity: int) -> set[int]:
        """Return the kinds that the graph states of an entity, and their kinds."""
        kinds: set[int] = set()
        front = {entity}
        while front:
            rows = [row for number in front for row in self.graph.out_edges(number)[:MAX_EDGES].tolist()]
            reached = {row[2] for row in rows if is_kind(self.graph.relations[row[1]])}
            front = reached - kinds
            kinds |= reached
        return kinds

    def _fits_place(self, entity: int, kind: PlaceKind) -> bool | None:
        name = self.graph.entities[entity]
        is_country = english.is_country(name) or self._has_capital(entity)
        if kind == "country":
            # "was born in" may name any place: only what is known as a country is one.
            return is_country or (False if self._is_place(entity) else None)
        if is_country:
            # Every place fits "where".
            return kind == "place"
        if kind == "region" and self._is_place(entity):
            rows = self.graph.in_edges(entity)[:MAX_EDGES].tolist()
            return any(is_containment(self.graph.relations[row[1]]) for row in rows)
        return None

    def _has_capital(self, entity: int) -> bool:
        """Return whether an entity has a capital and is part of nothing larger."""
        rows = self.graph.in_edges(entity)[:MAX_EDGES].tolist()
        capital = any(has_one_head(self.graph.relations[row[1]]) for row in rows)
        return capital and self._is_place(entity) and next(self._containers(entity), None) is None

    def _containers(self, entity: int) -> Iterator[list[int]]:
        for row in self.graph.out_edges(entity)[:MAX_EDGES].tolist():
            if row[2] != entity and is_containment(self.graph.relations[row[1]]):
                yield row

    def _is_place(self, entity: int) -> bool:
        return "place" in self._implied(entity) or english.is_country(self.graph.entities[entity])

    def _implied(self, entity: int) -> set[ImpliedKind]:
        """Return what the edges of an entity show it to be."""
        relations = self.graph.relations
        outward = self.graph.out_edges(entity)[:MAX_EDGES].tolist()
        inward = self.graph.in_edges(entity)[:MAX_EDGES].tolist()
        kinds = {implied_kinds(relations[row[1]])[0] for row in outward}
        kinds |= {implied_kinds(relations[row[1]])[1] for row in inward}
        return {kind for kind in kinds if kind is not None}


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
