"""Who lived longer: a birth and a death for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.engine.search import Search
from probative.scope.answer.compare.computed import ComputedAnswer, shown_value
from probative.scope.answer.compare.read import read_values
from probative.scope.answer.compare.resolve import Subject
from probative.scope.answer.compare.sentence_value import SentenceValue
from probative.scope.result import ComputedValue
from probative.scope.run import Run
from probative.text.analysis import Decomposition
from probative.text.dates import Date, lived_longer


class _Life(NamedTuple):
    subject: Subject
    birth: SentenceValue
    death: SentenceValue

    @property
    def dates(self) -> tuple[Date, Date]:
        return self.birth.value, self.death.value  # type: ignore[return-value]


def decide_lives(
    run: Run, parts: Decomposition, subjects: Sequence[Subject]
) -> Search[ComputedAnswer | None]:
    """Return whose life was longer (or shorter), or which date is missing."""
    births = yield from read_values(run, parts.attributes[0], subjects)
    deaths = yield from read_values(run, parts.attributes[1], subjects)
    shown: list[ComputedValue] = []
    missing: list[str] = []
    for attribute, values in zip(parts.attributes, (births, deaths), strict=True):
        for subject, value in zip(subjects, values, strict=True):
            shown.append(shown_value(subject.option, subject.name, attribute, value))
            if value is None:
                missing.append(f"{attribute.name}: {subject.name}")
    if missing:
        reason = f"the chain does not give {'; '.join(missing)}"
        return ComputedAnswer(None, reason, tuple(shown), tuple(missing))
    lives = [
        _Life(subject, birth, death)
        for subject, birth, death in zip(subjects, births, deaths, strict=True)
        if birth is not None and death is not None
    ]
    best = _longest(lives, longest=parts.largest)
    rule = ", ".join(f"{life.subject.option}: {life.birth.shown} to {life.death.shown}" for life in lives)
    leading = tuple(index for subject in subjects for index in subject.leading)
    return ComputedAnswer(None if best is None else best.subject.option, rule, tuple(shown), (), leading)


def _longest(lives: Sequence[_Life], *, longest: bool) -> _Life | None:
    """Return the life that is longer (shorter) than every other, if one is for certain."""
    for life in lives:
        others = [other for other in lives if other is not life]
        if all(lived_longer(life.dates, other.dates) is longest for other in others):
            return life
    return None
