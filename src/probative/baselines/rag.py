"""Plain retrieval: the passages nearest to the question, and the answer from them."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.answers import answered
from probative.evidence import Passage
from probative.models.together import Ask, Search, Tools
from probative.scope.answering import write_answer
from probative.scope.prepared import checked_question, usable
from probative.scope.search import Found

# How many passages the model reads.
NEAREST = 5


def by_rag(question: str, passages: Sequence[Passage], tools: Tools, seed: int) -> Search[Found]:
    """The answer from the 5 passages with the highest cosine with the question (of equals the first)."""
    notes: list[str] = []
    question = checked_question(question)
    places = usable(passages, notes)
    vectors = yield Ask("encode", [question, *(passages[place].whole for place in places)], "retrieve")
    cosines = [float(vectors[0] @ vector) for vector in vectors[1:]]
    order = sorted(range(len(places)), key=lambda at: (-cosines[at], at))
    chain = [places[at] for at in order[:NEAREST]]
    given = yield from write_answer(question, chain, passages, notes)
    return answered(passages, chain, given, notes)
