"""The baseline `rag`: the passages nearest to the question, and the answer from them."""

from __future__ import annotations

from pydantic import Field

from probative.baselines.passages.results import to_result
from probative.engine.methods import Method, Tools
from probative.engine.search import Search, encode
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.inputs import Inputs
from probative.scope.options import Answering, ScopeOptions
from probative.scope.result import ScopeResult
from probative.scope.run import Run, select_candidates, start_run
from probative.types import Value

# How many passages the model reads.
NEAREST = 5


class RagOptions(Value):
    """How `rag` answers."""

    answering: Answering | None = Field(
        default=None,
        description="how the answer is made, as in scope; by default the tuned reader reads, any other model "
        "writes",
    )
    answer_anyway: bool = Field(
        default=False, description="answer with the most probable candidate where the reader finds no answer"
    )


DEFAULT_OPTIONS = RagOptions()


def by_rag(
    inputs: Inputs, tools: Tools, seed: int, options: RagOptions = DEFAULT_OPTIONS
) -> Search[ScopeResult]:
    """Return the answer from the 5 passages with the highest cosine with the question."""
    answering = options.answering or ("read" if tools.model.reader else "written")
    scope_options = ScopeOptions(answering=answering, answer_anyway=options.answer_anyway)
    run = start_run(inputs, scope_options, tools)
    select_candidates(run)
    chain = yield from _nearest(run)
    reading = yield from make_answer(run, Evidence(chain))
    return (yield from to_result(run, reading.answer, chain, reading=reading))


def _nearest(run: Run) -> Search[list[int]]:
    """Return the passages nearest to the question; of equally near ones the earliest."""
    texts = [passage.whole for passage in run.pool.candidates()]
    vectors = yield from encode([run.question.text, *texts], step="retrieve")
    cosines = [float(vectors[0] @ vector) for vector in vectors[1:]]
    rows = sorted(range(len(texts)), key=lambda row: (-cosines[row], row))[:NEAREST]
    return [run.pool.judged[row] for row in rows]


RAG = Method(by_rag, RagOptions)
