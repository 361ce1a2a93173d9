"""Passages that give another value for the asked one, in any words: by the verdict model.

A sentence is asked about only if it names what the question or the sentence with the answer names, and
contains something of the kind that is asked for. It is a rival if, put in the place of the sentence with the
answer, it makes the verdict model support its own value, and the sentence with the answer denies that value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from probative.engine.search import Search, judge
from probative.errors import WeightsError
from probative.models.verdict import VerdictItem
from probative.scope.conflicts import Contradiction
from probative.scope.finding import Finding
from probative.scope.measured_rivals import measured_rivals, part_of
from probative.scope.polar_rivals import polar_rivals
from probative.scope.run import Run
from probative.scope.second_reading import same_answer
from probative.scope.sentences import PassageSentence, passage_sentences, rows_with
from probative.text.quantities import order
from probative.text.words import words
from probative.verdict.statement import statement

# Sentences that are asked about, and sentences of the chain that are shown with each.
MAX_RIVALS = 3
MAX_CONTEXT = 2
# How surely the verdict model must support the other value beside its own sentence, and how surely deny it
# beside the sentence with the answer. Of sentences with another value it says "insufficient" more often than
# "contradicted", so little denial is enough: two authors of one book are not denied (0.01), two founders of a
# harbour are (0.47).
MIN_SUPPORTED = 0.9
MIN_DENIED = 0.1
# The kinds of questions whose answers are values that a sentence can give.
KINDS = ("person", "place", "date", "number", "name")


class Rival(NamedTuple):
    """A sentence, and the value in it that may be another answer."""

    sentence: PassageSentence
    value: str
    common: int


def find_rivals(run: Run, finding: Finding, answer: str) -> Search[tuple[Contradiction, ...]]:
    """Return the passages that give another value than the answer, as contradictions of the chain."""
    if finding.computed or not run.options.conflicts:
        return ()
    chain = passage_sentences(run, finding.indexes)
    if run.question.kind == "yes-no":
        return (yield from _opposites(run, finding, answer))
    held = rows_with(run, answer, chain)
    if not held:
        return ()
    own = chain[held[0]]
    confirmed: list[Rival] = [
        Rival(rival.sentence, rival.value, 0)
        for rival in measured_rivals(run, own, answer, _other_passages(run, own))
    ]
    by_model = not confirmed and run.question.kind in KINDS
    rivals = possible_rivals(run, own, answer) if by_model else []
    if not rivals and not confirmed:
        return ()
    context = tuple(sentence.whole for row, sentence in enumerate(chain) if row not in held)[:MAX_CONTEXT]
    try:
        confirmed += yield from _confirmed(run, rivals, own, context)
    except WeightsError:
        return ()
    return tuple(
        Contradiction(
            index=own.index,
            other=rival.sentence.index,
            kind="value",
            says=answer,
            instead=rival.value,
            text=own.text,
            other_text=rival.sentence.text,
        )
        for rival in confirmed
    )


def _opposites(run: Run, finding: Finding, answer: str) -> Search[tuple[Contradiction, ...]]:
    """Return the passages that say the opposite of a yes or no, each against the sentence that decided."""
    support = finding.support
    if support is None or not support.deciding or answer.strip().lower() not in ("yes", "no"):
        return ()
    own = support.sentences[min(support.deciding)]
    taken = set(finding.indexes)
    others = [index for index in run.pool.judged if index not in taken]
    try:
        denying = yield from polar_rivals(run, answer, others)
    except WeightsError:
        return ()
    instead = "no" if answer.strip().lower() == "yes" else "yes"
    return tuple(
        Contradiction(own.index, sentence.index, "value", answer, instead, own.text, sentence.text)
        for sentence in denying
    )


def _confirmed(
    run: Run, rivals: Sequence[Rival], own: PassageSentence, context: tuple[str, ...]
) -> Search[list[Rival]]:
    """Return the rivals whose value the verdict model supports beside their sentence and denies beside the
    sentence with the answer. The second question is asked only about those that pass the first.
    """
    scores = yield from judge(
        [_item(run, rival.value, (rival.sentence.whole, *context)) for rival in rivals], step="conflicts"
    )
    left = [rival for rival, score in zip(rivals, scores, strict=True) if score.supported >= MIN_SUPPORTED]
    if not left:
        return []
    scores = yield from judge(
        [_item(run, rival.value, (own.whole, *context)) for rival in left], step="conflicts"
    )
    return [rival for rival, score in zip(left, scores, strict=True) if score.contradicted >= MIN_DENIED]


def _item(run: Run, value: str, evidence: tuple[str, ...]) -> VerdictItem:
    return VerdictItem(statement(run.question.text, value), evidence)


def possible_rivals(run: Run, own: PassageSentence, answer: str) -> list[Rival]:
    """Return the sentences of other passages that may give another value, those most like the question and
    the sentence with the answer first.
    """
    others = _other_passages(run, own)
    ranked = sorted(_rivals(run, own, answer, others), key=lambda rival: -rival.common)
    return ranked[:MAX_RIVALS]


def _other_passages(run: Run, own: PassageSentence) -> list[int]:
    """Return the passages that are no part of the passage of a sentence."""
    origin = run.pool.origins[own.index]
    return [index for index in run.pool.judged if run.pool.origins[index] != origin]


def _rivals(run: Run, own: PassageSentence, answer: str, others: Sequence[int]) -> Iterator[Rival]:
    question = run.question.parsed
    named = {word for name in question.names for word in words(name)}
    subject = run.analyzer.subject(run.pool.passages[own.index])
    named |= set(subject.split()) - set(words(answer))
    wanted = (question.words | set(words(own.text))) - set(words(answer))
    for sentence in passage_sentences(run, others):
        content = set(words(sentence.whole))
        if not named & content:
            continue
        values = run.analyzer.answer_candidates([sentence.text], question)
        if any(same_answer(run, value, answer) or _same_amount(run, value, answer) for value in values):
            continue
        value = next((value for value in values if not set(words(value)) <= set(words(own.text))), None)
        if value is not None and _is_about_same(run, own, answer, sentence, value):
            yield Rival(sentence, value, len(wanted & content))


def _is_about_same(
    run: Run, own: PassageSentence, answer: str, sentence: PassageSentence, value: str
) -> bool:
    """Return whether a value is not that of a part ("the new wing") of what the answer is about."""
    return all(
        part_of(run, sentence, name, sentence.text.find(value))
        <= part_of(run, own, name, own.text.find(answer))
        for name in run.question.parsed.names
    )


def _same_amount(run: Run, value: str, answer: str) -> bool:
    """Return whether two values are one amount in two units: 4.2 km and 4,200 metres."""
    first, second = run.analyzer.quantities_in(value), run.analyzer.quantities_in(answer)
    return len(first) == len(second) == 1 and order(first[0].quantity, second[0].quantity) == 0
