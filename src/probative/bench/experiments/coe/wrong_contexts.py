"""Contexts that support a wrong answer of the same type and form."""

from __future__ import annotations

from pydantic import Field

from probative.bench.experiment import Case, Lab
from probative.bench.experiments.coe.forms import is_usable_wrong
from probative.bench.experiments.coe.mentions import mentions, replace_mentions
from probative.bench.experiments.coe.sample import Sample, open_builder
from probative.types import Value


class Wrong(Value):
    """A wrong answer and the contexts with it in place of the right one; or why there is none."""

    answer: str = ""
    contexts: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    left_out: str | None = None


def find_wrong(lab: Lab, case: Case, sample: Sample) -> Wrong:
    """Return a wrong answer for a sample.

    Every context must name the right answer: otherwise nothing in it can be replaced, as with yes and no.
    """
    candidate = sample.candidate
    for name, pieces in sample.contexts.items():
        if not any(mentions(candidate.accepted, piece) for piece in pieces):
            return Wrong(left_out=f"{name} does not name the answer")
    given = candidate.wrong
    if given is not None and is_usable_wrong(given, candidate.answer, candidate.pieces):
        wrong: str | None = given
    else:
        wrong = open_builder(lab, candidate).wrong_answer(candidate, lab.draws(case))
    if wrong is None:
        return Wrong(left_out="no wrong answer of the same form was found")
    contexts = {
        name: replace_mentions(candidate.accepted, wrong, pieces) for name, pieces in sample.contexts.items()
    }
    return Wrong(answer=wrong, contexts=contexts)
