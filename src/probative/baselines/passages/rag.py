"""Plain retrieval: the passages nearest to the question, and the answer from them."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.passages.methods import answered
from probative.engine.search import Search, encode
from probative.engine.tools import Tools
from probative.scope.answer.read import find_answer_in
from probative.scope.inputs import checked_question, deduplicate
from probative.scope.options import Answering
from probative.scope.pipeline import ScopeResult
from probative.types import Passage, Verdict

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
) -> Search[ScopeResult]:
    """The answer from the 5 passages with the highest cosine with the question (of equals the first): read
    by the tuned reader, written by any other model, unless `answering` says how; where the reader finds none,
    the likeliest if there shall be one `anyway`.
    """
    notes: list[str] = []
    question = checked_question(question)
    places = deduplicate(passages, notes)
    vectors = yield from encode([question, *(passages[place].whole for place in places)], step="retrieve")
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
