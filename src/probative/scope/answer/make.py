"""The fourth step: an answer from the chain, by the way that the options name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from probative.engine.search import Search
from probative.scope.answer.parsed import Reading, cited
from probative.scope.answer.pick import pick_answer
from probative.scope.answer.read import most_probable, read_chain
from probative.scope.answer.write import write_answer
from probative.scope.run import Run


@dataclass(frozen=True)
class Evidence:
    """The chain to answer from.

    `inferred` are its nodes that the question does not name. `completeness` is how surely the policy takes
    the chain for complete, if its words show every feature too. `reading` is the reader's answer, if it has
    already read the chain.
    """

    chain: Sequence[int]
    inferred: Sequence[str] = ()
    completeness: float | None = None
    reading: Reading | None = None


def make_answer(run: Run, evidence: Evidence) -> Search[Reading]:
    """Return the answer from the chain: read, written or picked.

    A model that is not the tuned reader picks or writes instead of reading, and a note says so.
    """
    if run.has_reader:
        return (yield from _read(run, evidence))
    answering = run.options.answering
    if answering == "read":
        answering = "picked" if run.tools.model.name.startswith("embedded") else "written"
        run.note(f"{run.tools.model.name} is not the tuned reader; the answer was {answering}")
    if answering == "written" or run.question.kind == "any":
        return Reading((yield from write_answer(run, evidence.chain)))
    return Reading((yield from pick_answer(run, evidence.chain, evidence.inferred)))


def _read(run: Run, evidence: Evidence) -> Search[Reading]:
    """Return the reader's answer. If it finds none, and an answer is wanted anyway or the policy is surer
    that the chain is complete than the reader is that it is not, return the most probable candidate.
    """
    reading = evidence.reading or (yield from read_chain(run, evidence.chain))
    overruled = reading.declined and (
        outweighs_unknown(reading) or is_overruled(reading.answerable, evidence.completeness)
    )
    if reading.answer.text is not None or not (run.options.answer_anyway or overruled):
        return reading
    best = reading.candidates[0] if reading.candidates else (yield from most_probable(run, evidence.chain))
    if best is None:
        return reading
    run.note("the reader finds no answer; this is the most probable candidate")
    return replace(reading, answer=cited(run, best.text, evidence.chain), forced=not overruled)


def is_overruled(answerable: float | None, completeness: float | None) -> bool:
    """Return whether the policy is surer that nothing is missing than the reader is that something is.

    >>> is_overruled(0.2, 0.98), is_overruled(0.01, 0.98), is_overruled(0.2, None)
    (True, False, False)
    """
    return answerable is not None and completeness is not None and completeness > 1.0 - answerable


def outweighs_unknown(reading: Reading) -> bool:
    """Return whether the reader takes some answer for more probable than none, though it spreads over
    several.
    """
    together = sum(candidate.probability for candidate in reading.candidates)
    return reading.answerable is not None and together > 1.0 - reading.answerable
