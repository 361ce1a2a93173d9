"""Kinds of entities: what the graph shows an entity to be, and whether that is what a question asks for.

"In which country was she born?" is not answered by a town. If the graph says in which country the town lies,
that country is the answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from probative.graph.graph import Graph
from probative.text import english
from probative.text.analysis import ImpliedKind, PlaceKind
from probative.types import Triple

# A town in a district in a county in a country.
MAX_CONTAINMENT = 4
# The edges of an entity that are looked at for its kind: a hub has thousands that all say the same.
MAX_EDGES = 200


class KindReader:
    """Reads from a graph what kind of thing an entity is."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def fits(self, entity: int, noun: str) -> bool | None:
        """Return whether an entity is what a noun says; None if the graph does not tell."""
        stated = self._stated_fit(entity, noun)
        if stated is not None:
            return stated
        kind_of_place = english.place_kind(noun)
        if noun == "person":
            return False if self._is_place(entity) else None
        if kind_of_place is None:
            return None
        if "person" in self._implied(entity):
            return False
        return self._fits_place(entity, kind_of_place)

    def reach(self, entity: int, noun: str) -> tuple[int, tuple[Triple, ...]] | None:
        """Return the place around an entity that is what a noun says, and the edges that lead to it."""
        if english.place_kind(noun) not in ("region", "country", "continent"):
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
        return any(english.is_kind(self.graph.relations[row[1]]) for row in rows)

    def _stated_fit(self, entity: int, noun: str) -> bool | None:
        """Return whether the graph states a kind; None if it states no kind of the entity, or has no such
        kind.
        """
        forms = (self.graph.find(form) for form in english.number_forms(noun))
        asked = {number for number in forms if number is not None and self.names_kind(number)}
        kinds = self._kinds(entity)
        return bool(asked & kinds) if asked and kinds else None

    def _kinds(self, entity: int) -> set[int]:
        """Return the kinds that the graph states of an entity, and their kinds."""
        kinds: set[int] = set()
        front = {entity}
        while front:
            rows = [row for number in front for row in self.graph.out_edges(number)[:MAX_EDGES].tolist()]
            reached = {row[2] for row in rows if english.is_kind(self.graph.relations[row[1]])}
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
            return any(english.is_containment(self.graph.relations[row[1]]) for row in rows)
        return None

    def _has_capital(self, entity: int) -> bool:
        """Return whether an entity has a capital and is part of nothing larger."""
        rows = self.graph.in_edges(entity)[:MAX_EDGES].tolist()
        capital = any(english.has_one_head(self.graph.relations[row[1]]) for row in rows)
        return capital and self._is_place(entity) and next(self._containers(entity), None) is None

    def _containers(self, entity: int) -> Iterator[list[int]]:
        for row in self.graph.out_edges(entity)[:MAX_EDGES].tolist():
            if row[2] != entity and english.is_containment(self.graph.relations[row[1]]):
                yield row

    def _is_place(self, entity: int) -> bool:
        return "place" in self._implied(entity) or english.is_country(self.graph.entities[entity])

    def _implied(self, entity: int) -> set[ImpliedKind]:
        """Return what the edges of an entity show it to be."""
        implied_kinds, relations = english.implied_kinds, self.graph.relations
        outward = self.graph.out_edges(entity)[:MAX_EDGES].tolist()
        inward = self.graph.in_edges(entity)[:MAX_EDGES].tolist()
        kinds = {implied_kinds(relations[row[1]])[0] for row in outward}
        kinds |= {implied_kinds(relations[row[1]])[1] for row in inward}
        return {kind for kind in kinds if kind is not None}
