"""Passages that deny the answer, in any words: by the verdict model.

A sentence of another passage is asked about only if it names what the sentence with the answer names. It
contradicts the answer if the verdict model denies the answer by it, and denies each of the two sentences by
the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from probative.engine.search import Search, judge
from probative.errors import WeightsError
from probative.models.verdict import VerdictItem
from probative.scope.conclude.contradictions import MIN_DENIED, exclude_each_other, same_words
from probative.scope.finding import Contradiction, Finding
from probative.scope.run import Run
from probative.scope.sentences import (
    PassageSentence,
    name_the_same,
    passage_sentences,
    rows_with,
    same_answer,
)
from probative.text import english
from probative.text.analysis import topic_at
from probative.text.names import mentions
from probative.text.quantities import dimension_of, order
from probative.text.words import words
from probative.verdict.claim import statement

# Sentences that are asked about, and sentences of the chain that are shown with each.
MAX_RIVALS = 3
MAX_CONTEXT = 2
# The share of the question's words that a sentence must have which denies a yes or no.
MIN_SHARE = 0.4
# The kinds of questions whose answers are values that a sentence can give.
KINDS = ("person", "place", "date", "number", "name")


class Rival(NamedTuple):
    """A sentence, what it says instead of the answer, and how many words it shares with the question."""

    sentence: PassageSentence
    value: str
    common: int


def contradictions_of_answer(run: Run, finding: Finding, answer: str) -> Search[tuple[Contradiction, ...]]:
    """Return the sentences of other passages that deny the answer, each against the one that holds it."""
    if finding.computed or not run.options.conflicts:
        return ()
    chain = passage_sentences(run, finding.indexes)
    polar = answer.strip().lower() if run.question.kind == "yes-no" else ""
    if polar:
        held = list(finding.support.deciding[:1]) if finding.support is not None else []
    else:
        held = rows_with(run, answer, chain)
    if not held:
        return ()
    holder = chain[held[0]]
    rivals = _denials(run, holder, polar) if polar else _other_values(run, holder, answer)
    ranked = sorted(rivals, key=lambda rival: -rival.common)[:MAX_RIVALS]
    context = tuple(sentence.whole for row, sentence in enumerate(chain) if row not in held)[:MAX_CONTEXT]
    try:
        confirmed = yield from _confirmed(run, ranked, holder, answer, () if polar else context)
    except WeightsError:
        return ()
    return tuple(
        Contradiction(
            holder.index, rival.sentence.index, "value", answer, rival.value, holder.text, rival.sentence.text
        )
        for rival in confirmed
    )


def _confirmed(
    run: Run, rivals: Sequence[Rival], holder: PassageSentence, answer: str, context: tuple[str, ...]
) -> Search[list[Rival]]:
    """Return the rivals that deny the answer, and that the sentence with the answer excludes."""
    if not rivals:
        return []
    claim = statement(run.question.text, answer)
    scores = yield from judge(
        [VerdictItem(claim, (rival.sentence.whole, *context)) for rival in rivals], step="conflicts"
    )
    left = [rival for rival, score in zip(rivals, scores, strict=True) if score.contradicted >= MIN_DENIED]
    exclusive = yield from exclude_each_other([_sides(holder, rival.sentence) for rival in left])
    return [rival for rival, holds in zip(left, exclusive, strict=True) if holds]


def _sides(holder: PassageSentence, other: PassageSentence) -> tuple[str, str]:
    """Return two sentences about the same thing, with their titles if only one has one: two titles differ in
    what does not matter ("edition 4" and "edition 5").
    """
    return (holder.text, other.text) if holder.title and other.title else (holder.whole, other.whole)


def _denials(run: Run, holder: PassageSentence, answer: str) -> Iterator[Rival]:
    """Yield the sentences about what a yes-or-no question is about."""
    asked = run.question.parsed.words
    for sentence in _about_same(run, holder, answer):
        common = len(asked & set(words(sentence.text)))
        if common >= MIN_SHARE * len(asked):
            yield Rival(sentence, "no" if answer == "yes" else "yes", common)


def _other_values(run: Run, holder: PassageSentence, answer: str) -> Iterator[Rival]:
    """Yield the sentences with a value of the kind that is asked for, but without the answer."""
    content = (run.question.parsed.words | set(words(holder.text))) - set(words(answer))
    for sentence in _about_same(run, holder, answer):
        values = _values(run, sentence, answer)
        if any(same_answer(value, answer) or _same_amount(value, answer) for value in values):
            continue
        value = next((value for value in values if not set(words(value)) <= set(words(holder.text))), None)
        if value is not None and _same_part(run, holder, answer, sentence, value):
            yield Rival(sentence, value, len(content & set(words(sentence.whole))))


def _values(run: Run, sentence: PassageSentence, answer: str) -> list[str]:
    """Return what a sentence may say instead of the answer: amounts of its unit, or values of its kind."""
    spans = english.quantities_in(answer)
    if len(spans) == 1 and spans[0].quantity.unit:
        return [
            span.text
            for span in english.quantities_in(sentence.text)
            if dimension_of(span.quantity.unit) == dimension_of(spans[0].quantity.unit)
        ]
    if run.question.kind not in KINDS:
        return []
    return english.answer_candidates([sentence.text], run.question.parsed)


def _about_same(run: Run, holder: PassageSentence, answer: str) -> Iterator[PassageSentence]:
    """Yield the sentences of other passages that name what the sentence with the answer names."""
    origin = run.pool.origins[holder.index]
    others = [index for index in run.pool.judged if run.pool.origins[index] != origin]
    for sentence in passage_sentences(run, others):
        if not same_words(holder.text, sentence.text) and _is_about_same(run, holder, answer, sentence):
            yield sentence


def _is_about_same(run: Run, holder: PassageSentence, answer: str, sentence: PassageSentence) -> bool:
    """Return whether two sentences name the same names of the question. If the first names none, the second
    must name its subject (whatever its number: editions of rules contradict each other) or, without one, have
    two thirds of the question's words that the first one has.
    """
    if not name_the_same(run, holder.whole, sentence.whole):
        return False
    if any(mentions(holder.whole, name) for name in run.question.names):
        return True
    stated = set(words(sentence.whole))
    named = english.subject(run.pool.passages[holder.index]).split()
    subject = {word for word in named if not word.isdecimal()} - set(words(answer))
    asked = run.question.parsed.words & set(words(holder.whole))
    return subject <= stated if subject else 3 * len(asked & stated) >= 2 * len(asked)


def _same_part(run: Run, holder: PassageSentence, answer: str, sentence: PassageSentence, value: str) -> bool:
    """Return whether a value is not that of a part of what the answer is about: the museum opened, and "the
    new wing of the museum opened". In other words ("the owner of the inn is …"), it is no part.
    """
    names = run.question.names
    named = {word for name in names for word in words(name)}
    stated = run.question.parsed.words | set(words(holder.text))
    parts = [
        part - stated - set(words(value))
        for name in names
        if (part := _part(run, sentence.text, name, value) - _part(run, holder.text, name, answer))
    ]
    shared = set(words(holder.text)) & set(words(sentence.text)) - named
    return not shared or not any(parts)


def _part(run: Run, text: str, name: str, value: str) -> frozenset[str]:
    """Return the part of a name that a text is about where a value stands; none for the name itself."""
    position = text.find(value)
    if position < 0 or not mentions(text, name):
        return frozenset()
    kinds = english.asked_kinds(run.question.text)
    topic = topic_at(english.topics_of(text, name, kinds), position)
    return topic.part if topic.kind == "part" else frozenset()


def _same_amount(value: str, answer: str) -> bool:
    """Return whether two values are one amount in two units: 4.2 km and 4,200 metres."""
    first, second = english.quantities_in(value), english.quantities_in(answer)
    return len(first) == len(second) == 1 and order(first[0].quantity, second[0].quantity) == 0
