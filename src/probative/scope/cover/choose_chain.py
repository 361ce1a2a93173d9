"""Which passages make the chain, by which cover, and whether they are enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probative.engine.search import Search
from probative.scope.conflicts import Cut
from probative.scope.cover.bridges import with_bridges
from probative.scope.cover.exact import exact_cover, paper_cover
from probative.scope.cover.learned import LearnedChain, learned_chain
from probative.scope.cover.linked import linked_cover
from probative.scope.features import Features
from probative.scope.judge.judgements import Judgements
from probative.scope.options import ScopeOptions
from probative.types import Passage


@dataclass
class ChosenChain:
    """The passages chosen, by their places among those judged, and what they carry. Where the policy chose,
    it says whether they are enough (`sure`: from which probability on), and the words only what they show.
    `own` are the features and judgements without what links let choose_chain.
    """

    features: Features
    judgements: Judgements
    cover: list[int]
    learned: LearnedChain | None
    sure: float
    own: tuple[Features, Judgements]

    def along(self, question: str, texts: Sequence[Passage], chain: LearnedChain) -> ChosenChain:
        """What another chain of the policy lets choose_chain."""
        features, judgements = with_bridges(question, *self.own, texts, chain.cover)
        return ChosenChain(features, judgements, chain.cover, chain, self.sure, self.own)

    def complete(self, places: Sequence[int]) -> bool:
        """Whether the chain, or all of these passages, are enough."""
        if self.learned is not None:
            return bool(self.cover) and self.learned.complete >= self.sure
        return not missing_of(self.judgements, places)

    def wanting(self, places: Sequence[int]) -> tuple[str, ...]:
        """The features to look for: those that are missing, or all, where the policy misses what the words do
        not show.
        """
        if self.learned is None:
            return missing_of(self.judgements, places)
        if self.complete(places):
            return ()
        everything = tuple(feature.name for feature in self.judgements.features)
        return missing_of(self.judgements, self.cover) or everything


def choose_chain(
    question: str,
    features: Features,
    judgements: Judgements,
    texts: Sequence[Passage],
    options: ScopeOptions,
    cut: Cut,
    notes: list[str],
) -> Search[ChosenChain]:
    """The passages chosen; where they are linked, also what the links let conclude, and without those that
    carry nothing even so (unless the policy took them).
    """
    learned, own = None, (features, judgements)
    if options.cover == "learned":
        learned = yield from learned_chain(question, texts, options, cut, notes)
    cover = learned.cover if learned is not None else _cover(question, judgements, texts, options)
    if options.cover in ("linked", "learned"):
        features, judgements = with_bridges(question, features, judgements, texts, cover)
    if options.cover == "linked":
        carried = judgements.carried()
        cover = [place for place in cover if carried[place]] or cover[:1]
    return ChosenChain(features, judgements, cover, learned, options.min_completeness, own)


def _cover(
    question: str, judgements: Judgements, texts: Sequence[Passage], options: ScopeOptions
) -> list[int]:
    carried = judgements.carried()
    if options.cover == "linked":
        return linked_cover(question, judgements, texts, options.max_passages)
    if options.cover == "exact":
        return exact_cover(carried, [len(passage.text) for passage in texts])
    return paper_cover(carried, judgements.features)


def missing_of(judgements: Judgements, places: Sequence[int]) -> tuple[str, ...]:
    """The features that none of these passages carries."""
    carried = judgements.carried()
    held = frozenset().union(*(carried[place] for place in places))
    return tuple(feature.name for number, feature in enumerate(judgements.features) if number not in held)
