"""The answer that is computed from the chain and, if that lacks a value, from other passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.engine.search import Search
from probative.scope.compute.decide import (
    Decision,
    as_limit,
    decide_age,
    decide_amount,
    decide_difference,
    decide_limit,
    decide_order,
    decide_same,
    decide_total,
)
from probative.scope.compute.evidence import ChainEvidence, SentenceValue, chain_evidence
from probative.scope.compute.mentions import ComputedAnswer, decide_by_mention, shown_value
from probative.scope.compute.subjects import Subject, find_options, find_subjects
from probative.scope.compute.values import read_values
from probative.scope.result import ComputedValue
from probative.scope.run import Run
from probative.text import english
from probative.text.analysis import Attribute, Decomposition
from probative.text.dates import Date, lived_longer
from probative.text.names import mentions
from probative.text.quantities import spelled
from probative.text.words import words

# Passages outside the chain that are looked at, in their order.
MAX_MORE = 12


def compute_with_more(
    run: Run, chain: Sequence[int]
) -> Search[tuple[ComputedAnswer | None, tuple[int, ...]]]:
    """Return what is computed, and the passages outside the chain that it needed.

    The evidence policy stops at what it takes for enough; a comparison needs a value for every option.
    """
    computed = yield from compute_answer(run, chain)
    if run.question.parsed.decomposition is None or (computed is not None and computed.answer is not None):
        return computed, ()
    more = _passages_about_options(run, chain)
    if not more:
        return computed, ()
    again = yield from compute_answer(run, (*chain, *more))
    if again is None or (
        again.answer is None and computed is not None and len(again.missing) >= len(computed.missing)
    ):
        return computed, ()
    return again, tuple(index for index in more if index in again.citations)


def _passages_about_options(run: Run, chain: Sequence[int]) -> list[int]:
    """Return the judged passages outside the chain about an option or, for a role, about someone whom those
    name.
    """
    parts = run.question.parsed.decomposition
    assert parts is not None
    evidence = chain_evidence(run, run.pool.judged)
    about = [entry for option in find_options(run, parts, evidence) for entry in evidence.about(option)]
    indexes = {entry.index for entry in about}
    if parts.role is not None:
        for index, passage in evidence.passages:
            name = english.subject_name(passage)
            if name and any(mentions(entry.text, name) for entry in about):
                indexes.add(index)
    if parts.limit_question:
        indexes.update(run.pool.judged)
    return [index for index in run.pool.judged if index in indexes and index not in chain][:MAX_MORE]


_FEWEST = {"age": 1, "limit": 1, "amount": 1}


def compute_answer(run: Run, chain: Sequence[int]) -> Search[ComputedAnswer | None]:
    """Return the computed answer, or which value is missing for it; None if the question asks for no
    computation, or the chain does not name what is compared.
    """
    parts = run.question.parsed.decomposition
    if parts is None:
        return decide_by_mention(run, chain_evidence(run, chain))
    evidence = chain_evidence(run, chain)
    options = find_options(run, parts, evidence)
    if len(options) < _FEWEST.get(parts.task, 2) or not _all_named(options, evidence):
        return None
    subjects = yield from find_subjects(run, parts, options, evidence)
    if parts.role is not None and not all(subject.sentences for subject in subjects):
        return None
    if parts.task == "age":
        return (yield from _age(run, parts, subjects[0]))
    if parts.task == "lives":
        return (yield from decide_lives(run, parts, subjects))
    return (yield from _by_attribute(run, parts, subjects, evidence))


def _all_named(options: Sequence[str], evidence: ChainEvidence) -> bool:
    """Return whether the chain says something about at least one of the options."""
    return any(evidence.about(option) for option in options)


def _by_attribute(
    run: Run, parts: Decomposition, subjects: Sequence[Subject], evidence: ChainEvidence
) -> Search[ComputedAnswer | None]:
    """Return the decision by the first attribute that every subject has; otherwise what is missing of the
    attribute that most of them have.
    """
    best: tuple[Attribute, list[SentenceValue | None]] | None = None
    for attribute in parts.attributes:
        values = yield from read_values(run, attribute, subjects)
        if parts.task == "amount" and not (values[0] is not None and values[0].derived):
            return None  # what stands in a sentence is left to the reader
        if all(value is not None for value in values):
            return (yield from _decide(run, parts, attribute, subjects, values, evidence))
        if best is None or _count(values) > _count(best[1]):
            best = attribute, values
    assert best is not None
    return _missing(best[0], subjects, best[1])


def _decide(
    run: Run,
    parts: Decomposition,
    attribute: Attribute,
    subjects: Sequence[Subject],
    values: Sequence[SentenceValue | None],
    evidence: ChainEvidence,
) -> Search[ComputedAnswer | None]:
    known = [value for value in values if value is not None]
    options = [subject.option for subject in subjects]
    extra: list[ComputedValue] = []
    if parts.task == "limit" and len(known) == 1:
        limit = yield from _limit(run, parts, attribute, evidence)
        if isinstance(limit, ComputedAnswer):
            return limit
        decision = decide_limit(parts, attribute, known[0], limit)
        if limit.index >= 0:
            asking = Attribute("limit", parts.limit_question, "quantity")
            extra.append(shown_value("limit", "limit", asking, limit))
    else:
        decision = _decision(run, parts, attribute, options, known)
    return _computed(decision, attribute, subjects, values, extra)


def _decision(
    run: Run,
    parts: Decomposition,
    attribute: Attribute,
    options: Sequence[str],
    known: Sequence[SentenceValue],
) -> Decision:
    if parts.task == "limit":
        return decide_limit(parts, attribute, known[0], known[1])
    if parts.task == "same":
        return decide_same(parts, attribute, known)
    if parts.task == "difference":
        return decide_difference(parts, known)
    if parts.task == "total":
        return decide_total(known)
    if parts.task == "amount":
        return decide_amount(known[0])
    return decide_order(parts, attribute, options, known)


def _limit(
    run: Run, parts: Decomposition, attribute: Attribute, evidence: ChainEvidence
) -> Search[SentenceValue | ComputedAnswer]:
    """Return the limit that the question gives or asks for, or that it is missing."""
    if parts.limit is not None:
        return SentenceValue(parts.limit, spelled(parts.limit), -1)
    name = parts.limit_question.removeprefix("What is ").removesuffix("?")
    stating = tuple(entry for entry in evidence.sentences if english.states_limit(entry.text))
    subject = Subject(name, name, stating or evidence.sentences)
    asking = attribute._replace(question=parts.limit_question, cues=frozenset(words(name)))
    values = yield from read_values(run, asking, [subject])
    return as_limit(values[0]) if values[0] is not None else _missing(attribute, [subject], values)


def _age(run: Run, parts: Decomposition, subject: Subject) -> Search[ComputedAnswer | None]:
    """Return the age of the only option at an event."""
    first, second = parts.attributes
    (birth,) = yield from read_values(run, first, [subject])
    (event,) = yield from read_values(run, second, [subject])
    if birth is not None and event is not None:
        computed = _computed(decide_age(birth, event), first, [subject], [birth])
        return ComputedAnswer(
            computed.answer,
            computed.reason,
            (*computed.values, _value(subject, second, event)),
            supporting=computed.supporting,
        )
    missing = first if birth is None else second
    return _missing(missing, [subject], [None])


def _computed(
    decision: Decision,
    attribute: Attribute,
    subjects: Sequence[Subject],
    values: Sequence[SentenceValue | None],
    extra: Sequence[ComputedValue] = (),
) -> ComputedAnswer:
    shown = [_value(subject, attribute, value) for subject, value in zip(subjects, values, strict=True)]
    leading = tuple(index for subject in subjects for index in subject.leading)
    return ComputedAnswer(decision.answer, decision.rule, (*shown, *extra), supporting=leading)


def _missing(
    attribute: Attribute, subjects: Sequence[Subject], values: Sequence[SentenceValue | None]
) -> ComputedAnswer:
    """Return which value of which subject the chain does not give."""
    names = [subject.name for subject, value in zip(subjects, values, strict=True) if value is None]
    shown = tuple(_value(subject, attribute, value) for subject, value in zip(subjects, values, strict=True))
    reason = f"the chain does not give the {attribute.name} of {' and '.join(names)}"
    return ComputedAnswer(None, reason, shown, tuple(f"{attribute.name}: {name}" for name in names))


def _value(subject: Subject, attribute: Attribute, value: SentenceValue | None) -> ComputedValue:
    name = subject.option if subject.name == subject.option else f"{subject.option} ({subject.name})"
    return shown_value(name, subject.name, attribute, value)


def _count(values: Sequence[SentenceValue | None]) -> int:
    return sum(value is not None for value in values)


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
