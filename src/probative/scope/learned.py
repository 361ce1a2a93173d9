"""The chain that the evidence policy takes: passage after passage, until it says that they are enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from probative.evidence import Passage
from probative.models.choosing import Choosing, choose_texts
from probative.models.together import Search
from probative.scope.conflicts import Cut
from probative.scope.options import ScopeOptions
from probative.scope.prepared import likely
from probative.scope.subjects import Links

# The policy reads 112 tokens of a text: a longer passage is shown to it sentence by sentence.
LONG = 80


@dataclass
class LearnedChain:
    """The places of the passages taken, in order, each with the policy's probability; and how surely they
    are enough.
    """

    cover: list[int]
    probabilities: list[float]
    complete: float


def learned_chain(
    question: str, passages: Sequence[Passage], options: ScopeOptions, cut: Cut, notes: list[str]
) -> Search[LearnedChain]:
    """The chain of the policy: at least `fewest` and at most `most` passages (of a long one several sentences
    may count).
    """
    pieces = [(place, piece) for place, passage in enumerate(passages) for piece in _pieces(passage, cut)]
    said: list[str] = []
    kept = likely(question, [piece for _, piece in pieces], options.candidates, said)
    if said:
        notes.append(f"{len(kept)} of {len(pieces)} sentences were weighed, those nearest to the question")
    pieces = [pieces[at] for at in kept]
    links = Links([piece for _, piece in pieces])

    def beside(chosen: Sequence[int]) -> Iterator[int]:
        for at in range(len(pieces)):
            if any(links.named_by(at, other) or links.alike(at, other) for other in chosen):
                yield at

    made: Choosing = yield from choose_texts(
        question,
        [piece.whole for _, piece in pieces],
        most=options.most,
        fewest=options.fewest,
        beside=beside,
    )
    taken: dict[int, float] = {}
    for at, probability in zip(made.places, made.probabilities, strict=True):
        taken.setdefault(pieces[at][0], probability)
    return LearnedChain(list(taken), list(taken.values()), made.complete)


def _pieces(passage: Passage, cut: Cut) -> list[Passage]:
    """A passage, or its sentences under its title where it is long."""
    if len(passage.text.split()) <= LONG:
        return [passage]
    sentences = [text for text in cut(passage.text) if text.strip()]
    return [passage.model_copy(update={"text": text}) for text in sentences] or [passage]
