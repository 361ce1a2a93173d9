"""Plain retrieval: the passages nearest to the question, and the answer from them."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.answers import answered
from probative.evidence import Passage, Verdict
from probative.models.together import Ask, Search, Tools
from probative.scope.options import Answering
from probative.scope.prepared import checked_question, usable
from probative.scope.reading import find_answer_in
from probative.scope.search import Found

# How many passages the model reads.
NEAREST = 5


def by_rag(
    question: str,
    passages: Sequence[Passage],
    tools: Tools,
    seed: int,
    answering: Answering | None = None,
    *,
    anyway: bool = False,
) -> Search[Found]:
    """The answer from the 5 passages with the highest cosine with the question (of equals the first): read
    by the tuned reader, written by any other model, unless `answering` says how; where the reader finds none,
    the likeliest if there shall be one `anyway`.
    """
    notes: list[str] = []
    question = checked_question(question)
    places = usable(passages, notes)
    vectors = yield Ask("encode", [question, *(passages[place].whole for place in places)], "retrieve")
    cosines = [float(vectors[0] @ vector) for vector in vectors[1:]]
    order = sorted(range(len(places)), key=lambda at: (-cosines[at], at))
    chain = [places[at] for at in order[:NEAREST]]
    answering = answering or ("read" if tools.model.reader else "written")
    read = yield from find_answer_in(question, chain, passages, answering, tools, notes, anyway=anyway)
    found = answered(passages, chain, read.given, notes)
    found.answerable = read.answerable
    if read.forced:
        found.verdict = Verdict.INSUFFICIENT
    return found
