"""The answer that is computed from the chain and, if that lacks a value, from other passages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.engine.search import Search
from probative.scope.compute.decide import DECIDERS, Comparison, as_limit, decide_age, longest_life
from probative.scope.compute.evidence import (
    ChainEvidence,
    ChainSentence,
    ComputedAnswer,
    SentenceValue,
    chain_evidence,
)
from probative.scope.compute.subjects import Subject, find_options, find_subjects
from probative.scope.compute.values import read_values
from probative.scope.result import MENTIONED, ComputedValue
from probative.scope.run import Run
from probative.text import english
from probative.text.analysis import Attribute, Decomposition
from probative.text.dates import in_words
from probative.text.names import mentions
from probative.text.quantities import spelled
from probative.text.words import words

# Passages outside the chain that are looked at, in their order.
MAX_MORE = 12
Values = Sequence[SentenceValue | None]


def compute_with_more(
    run: Run, chain: Sequence[int]
) -> Search[tuple[ComputedAnswer | None, tuple[int, ...]]]:
    """Return what is computed, and the passages outside the chain that it needed.

    The evidence policy stops when the chain seems complete; a comparison needs a value for every option.
    """
    computed = yield from compute_answer(run, chain)
    if run.question.parsed.decomposition is None or (computed is not None and computed.answer is not None):
        return computed, ()
    more = _passages_about_options(run, chain, run.question.parsed.decomposition)
    if not more:
        return computed, ()
    again = yield from compute_answer(run, (*chain, *more))
    if again is None or (
        again.answer is None and computed is not None and len(again.missing) >= len(computed.missing)
    ):
        return computed, ()
    return again, tuple(index for index in more if index in again.citations)


def _passages_about_options(run: Run, chain: Sequence[int], parts: Decomposition) -> list[int]:
    """Return the judged passages outside the chain about an option, or about someone whom those name."""
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


def compute_answer(run: Run, chain: Sequence[int]) -> Search[ComputedAnswer | None]:
    """Return the computed answer, or which value is missing for it; None if the question asks for no
    computation, or the chain does not name what is compared.
    """
    parts = run.question.parsed.decomposition
    evidence = chain_evidence(run, chain)
    if parts is None:
        return decide_by_mention(run, evidence)
    options = find_options(run, parts, evidence)
    fewest = 1 if parts.task in ("age", "limit", "amount") else 2
    if len(options) < fewest or not any(evidence.about(option) for option in options):
        return None
    subjects = yield from find_subjects(run, parts, options, evidence)
    if parts.role is not None and not all(subject.sentences for subject in subjects):
        return None
    if parts.task == "age":
        return (yield from _age(run, parts, subjects[0]))
    if parts.task == "lives":
        return (yield from _lives(run, parts, subjects))
    return (yield from _by_attribute(run, parts, subjects, evidence))


def _by_attribute(
    run: Run, parts: Decomposition, subjects: Sequence[Subject], evidence: ChainEvidence
) -> Search[ComputedAnswer | None]:
    """Return the decision by the first attribute that every subject has, or what is missing for one."""
    missing: tuple[int, ComputedAnswer] | None = None
    for attribute in parts.attributes:
        values = yield from read_values(run, attribute, subjects)
        if parts.task == "amount" and not (values[0] is not None and values[0].derived):
            return None  # what stands in a sentence is left to the reader
        given = [value for value in values if value is not None]
        if len(given) == len(values):
            return (yield from _decide(run, parts, attribute, subjects, given, evidence))
        if missing is None or len(given) > missing[0]:
            missing = len(given), _missing(attribute, subjects, values)
    assert missing is not None
    return missing[1]


def _decide(
    run: Run,
    parts: Decomposition,
    attribute: Attribute,
    subjects: Sequence[Subject],
    values: list[SentenceValue],
    evidence: ChainEvidence,
) -> Search[ComputedAnswer | None]:
    shown = _shown(attribute, subjects, values)
    if parts.task == "limit" and len(values) == 1:
        limit = yield from _limit(run, parts, attribute, evidence)
        if isinstance(limit, ComputedAnswer):
            return limit
        values = [*values, limit]
        if limit.index >= 0:
            asking = Attribute("limit", parts.limit_question, "quantity")
            shown.append(_shown_value("limit", "limit", asking, limit))
    options = [subject.option for subject in subjects]
    answer, rule = DECIDERS[parts.task](Comparison(parts, attribute, options, values))
    return ComputedAnswer(answer, rule, tuple(shown), supporting=_leading(subjects))


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


def _age(run: Run, parts: Decomposition, subject: Subject) -> Search[ComputedAnswer]:
    """Return the age of the only option at an event."""
    born, happened = parts.attributes
    (birth,) = yield from read_values(run, born, [subject])
    (event,) = yield from read_values(run, happened, [subject])
    if birth is None or event is None:
        return _missing(born if birth is None else happened, [subject], [None])
    answer, rule = decide_age(birth, event)
    shown = (*_shown(born, [subject], [birth]), *_shown(happened, [subject], [event]))
    return ComputedAnswer(answer, rule, shown, supporting=_leading([subject]))


def _lives(run: Run, parts: Decomposition, subjects: Sequence[Subject]) -> Search[ComputedAnswer]:
    """Return whose life was longer (or shorter), or which date is missing."""
    shown: list[ComputedValue] = []
    missing: list[str] = []
    dates: list[list[SentenceValue]] = [[] for _ in subjects]
    for attribute in parts.attributes:
        values = yield from read_values(run, attribute, subjects)
        for subject, value, life in zip(subjects, values, dates, strict=True):
            shown.append(_shown_value(subject.option, subject.name, attribute, value))
            if value is None:
                missing.append(f"{attribute.name}: {subject.name}")
            else:
                life.append(value)
    if missing:
        reason = f"the chain does not give {'; '.join(missing)}"
        return ComputedAnswer(None, reason, tuple(shown), tuple(missing))
    best = longest_life(dates, longest=parts.largest)
    rule = ", ".join(
        f"{subject.option}: {birth.shown} to {death.shown}"
        for subject, (birth, death) in zip(subjects, dates, strict=True)
    )
    answer = None if best is None else subjects[best].option
    return ComputedAnswer(answer, rule, tuple(shown), supporting=_leading(subjects))


def _missing(attribute: Attribute, subjects: Sequence[Subject], values: Values) -> ComputedAnswer:
    """Return which value of which subject the chain does not give."""
    names = [subject.name for subject, value in zip(subjects, values, strict=True) if value is None]
    reason = f"the chain does not give the {attribute.name} of {' and '.join(names)}"
    missing = tuple(f"{attribute.name}: {name}" for name in names)
    return ComputedAnswer(None, reason, tuple(_shown(attribute, subjects, values)), missing)


def _leading(subjects: Sequence[Subject]) -> tuple[int, ...]:
    return tuple(index for subject in subjects for index in subject.leading)


def _shown(attribute: Attribute, subjects: Sequence[Subject], values: Values) -> list[ComputedValue]:
    """Return the values as a result shows them, with the name of who has the role in an option."""
    return [
        _shown_value(
            subject.option if subject.name == subject.option else f"{subject.option} ({subject.name})",
            subject.name,
            attribute,
            value,
        )
        for subject, value in zip(subjects, values, strict=True)
    ]


def _shown_value(name: str, subject: str, attribute: Attribute, value: SentenceValue | None) -> ComputedValue:
    """Return a value as a result shows it: whose it is, its sentence, and the question that asks for it."""
    if value is None:
        return ComputedValue(name=name, attribute=attribute.name)
    return ComputedValue(
        name=name,
        attribute=attribute.name,
        value=value.shown,
        index=value.index,
        sentence=value.text or None,
        question=attribute.ask(subject),
        read=value.read,
        # A reader of the sentence knows no "1900-05-05".
        stated=in_words(value.value) if isinstance(value.value, tuple) else value.stated or None,
    )


def decide_by_mention(run: Run, evidence: ChainEvidence) -> ComputedAnswer | None:
    """Return the offered option that alone is mentioned with the names and numbers of the question."""
    question = run.question.parsed
    pair = english.offered_pair(question, evidence.titles)
    if pair is None or not english.asks_which(question.text):
        return None
    without_pair = re.sub("|".join(map(re.escape, pair)), " ", question.text, flags=re.IGNORECASE)
    named = english.names_and_numbers(without_pair)
    content = set(words(" ".join(named)))
    about = [evidence.about(name, [other for other in pair if other != name]) for name in pair]
    if not content or not all(about):
        return None
    for option, sentences, others in zip(pair, about, reversed(about), strict=True):
        only_here = content <= _words(sentences) and content.isdisjoint(_words(others))
        if only_here and not english.is_denied(" ".join(entry.text for entry in sentences)):
            mentioned = ", ".join(dict.fromkeys(named))
            entry = next(entry for entry in sentences if content & set(words(entry.text)))
            # A mention proves nothing: the verdict model must find the answer itself.
            value = ComputedValue(
                name=option,
                attribute=MENTIONED,
                value=mentioned,
                index=entry.index,
                sentence=entry.text,
                question=without_options(question.text, pair),
                read=True,
            )
            return ComputedAnswer(option, f"of the two only {option} with {mentioned}", (value,))
    return None


def without_options(question: str, options: Sequence[str]) -> str:
    """Return a question without the options at its end, so that an option can be put as its answer.

    >>> without_options("Which town lies on the Orra, Velm or Tassby?", ("Velm", "Tassby"))
    'Which town lies on the Orra?'
    >>> without_options("Does Velm or Tassby lie on the Orra?", ("Velm", "Tassby"))
    'Does Velm or Tassby lie on the Orra?'
    """
    named = "|".join(rf"(?:the )?{re.escape(option)}" for option in options)
    return re.sub(rf"\s*[,;:—-]?\s*(?:{named}),? or (?:{named})\s*\?$", "?", question, flags=re.IGNORECASE)


def _words(sentences: Sequence[ChainSentence]) -> set[str]:
    return {word for entry in sentences for word in words(entry.text)}
