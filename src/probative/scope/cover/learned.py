"""The chain that the evidence policy takes: passage after passage, until it says that they are enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from probative.engine.policy_chain import PolicyChain, choose_chain_by_policy, probabilities
from probative.engine.search import Search, weigh
from probative.models.evidence_policy import PolicyState
from probative.scope.conflicts import Cut
from probative.scope.inputs import prefilter
from probative.scope.options import ScopeOptions
from probative.text.english.subjects import Links
from probative.types import Passage

# The policy reads 112 tokens of a text: a longer passage is shown to it sentence by sentence.
LONG = 80


@dataclass
class LearnedChain:
    """The places of the passages taken, in order, each with the policy's probability; how surely they are
    enough; and the texts that the policy read of them.
    """

    cover: list[int]
    probabilities: list[float]
    complete: float
    texts: list[str] = field(default_factory=list)


def learned_chain(
    question: str, passages: Sequence[Passage], options: ScopeOptions, cut: Cut, notes: list[str]
) -> Search[LearnedChain]:
    """The chain of the policy: at least `fewest` and at most `most` passages (of a long one several sentences
    may count).
    """
    pieces = [(place, piece) for place, passage in enumerate(passages) for piece in _pieces(passage, cut)]
    said: list[str] = []
    kept = prefilter(question, [piece for _, piece in pieces], options.candidates, said)
    if said:
        notes.append(f"{len(kept)} of {len(pieces)} sentences were weighed, those nearest to the question")
    pieces = [pieces[at] for at in kept]
    links = Links([piece for _, piece in pieces])

    def related(chosen: Sequence[int]) -> Iterator[int]:
        for at in range(len(pieces)):
            if any(links.named_by(at, other) or links.alike(at, other) for other in chosen):
                yield at

    made: PolicyChain = yield from choose_chain_by_policy(
        question,
        [piece.whole for _, piece in pieces],
        max_texts=options.max_passages,
        min_texts=options.min_passages,
        related=related,
    )
    taken: dict[int, float] = {}
    for at, probability in zip(made.indexes, made.probabilities, strict=True):
        taken.setdefault(pieces[at][0], probability)
    texts = [pieces[at][1].whole for at in made.indexes]
    return LearnedChain(list(taken), list(taken.values()), made.complete, texts)


def lengthen(
    question: str, passages: Sequence[Passage], chain: LearnedChain, cut: Cut
) -> Search[LearnedChain | None]:
    """The chain with the passage that the policy would take next, of those that the chain speaks of or that
    speak of it; None where there is none.
    """
    pieces = [(place, piece) for place, passage in enumerate(passages) for piece in _pieces(passage, cut)]
    links = Links([piece for _, piece in pieces])
    taken = [at for at, (place, _) in enumerate(pieces) if place in chain.cover]
    near = [
        at
        for at, (place, _) in enumerate(pieces)
        if place not in chain.cover
        and any(links.named_by(at, other) or links.alike(at, other) for other in taken)
    ]
    if not near:
        return None
    state = PolicyState(question, tuple(chain.texts), tuple(pieces[at][1].whole for at in near))
    weighed = yield from weigh([state], step="evidence")
    shares, _, _ = probabilities(weighed[0])
    best = max(range(len(near)), key=lambda at: (shares[at], -at))
    place, piece = pieces[near[best]]
    return LearnedChain(
        [*chain.cover, place],
        [*chain.probabilities, shares[best]],
        chain.complete,
        [*chain.texts, piece.whole],
    )


def _pieces(passage: Passage, cut: Cut) -> list[Passage]:
    """A passage, or its sentences under its title where it is long."""
    if len(passage.text.split()) <= LONG:
        return [passage]
    sentences = [text for text in cut(passage.text) if text.strip()]
    return [passage.model_copy(update={"text": text}) for text in sentences] or [passage]
