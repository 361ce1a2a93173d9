"""Passages that give another value for the asked one, in any words: by the verdict model.

A sentence is asked about only if it names what the question or the sentence with the answer names, and
contains something of the kind that is asked for. It is a rival if, put in the place of the sentence with the
answer, it makes the verdict model support its own value and no longer the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from probative.engine.search import Search, judge
from probative.errors import WeightsError
from probative.models.verdict import VerdictItem
from probative.scope.conflicts import Contradiction
from probative.scope.finding import Finding
from probative.scope.run import Run
from probative.scope.second_reading import same_answer
from probative.scope.sentences import PassageSentence, passage_sentences, rows_with
from probative.text.words import words
from probative.verdict.statement import statement

# Sentences that are asked about, and sentences of the chain that are shown with each.
MAX_RIVALS = 3
MAX_CONTEXT = 2
# How surely the verdict model must support the other value, and deny the answer.
MIN_SUPPORTED = 0.8
MIN_DENIED = 0.5
# The kinds of questions whose answers are values that a sentence can give.
KINDS = ("person", "place", "date", "number", "name")


class Rival(NamedTuple):
    """A sentence, and the value in it that may be another answer."""

    sentence: PassageSentence
    value: str
    common: int


def find_rivals(run: Run, finding: Finding, answer: str) -> Search[tuple[Contradiction, ...]]:
    """Return the passages that give another value than the answer, as contradictions of the chain."""
    chain = passage_sentences(run, finding.indexes)
    held = rows_with(run, answer, chain)
    if run.question.kind not in KINDS or not held or not run.options.conflicts:
        return ()
    own = chain[held[0]]
    rivals = possible_rivals(run, own, answer)
    if not rivals:
        return ()
    context = tuple(sentence.whole for row, sentence in enumerate(chain) if row not in held)[:MAX_CONTEXT]
    try:
        confirmed = yield from _confirmed(run, rivals, answer, context)
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


def _confirmed(
    run: Run, rivals: Sequence[Rival], answer: str, context: tuple[str, ...]
) -> Search[list[Rival]]:
    """Return the rivals whose value the verdict model supports and with which it denies the answer. The
    second question is asked only about those that pass the first.
    """
    own = [(rival, statement(run.question.text, rival.value)) for rival in rivals]
    scores = yield from judge(_items(own, context), step="conflicts")
    left = [rival for rival, score in zip(rivals, scores, strict=True) if score.supported >= MIN_SUPPORTED]
    if not left:
        return []
    claim = statement(run.question.text, answer)
    scores = yield from judge(_items([(rival, claim) for rival in left], context), step="conflicts")
    return [rival for rival, score in zip(left, scores, strict=True) if score.contradicted >= MIN_DENIED]


def _items(claims: Sequence[tuple[Rival, str]], context: tuple[str, ...]) -> list[VerdictItem]:
    """Return a window for each rival: its sentence in the place of the one with the answer."""
    return [VerdictItem(claim, (rival.sentence.whole, *context)) for rival, claim in claims]


def possible_rivals(run: Run, own: PassageSentence, answer: str) -> list[Rival]:
    """Return the sentences of other passages that may give another value, those most like the question and
    the sentence with the answer first.
    """
    origin = run.pool.origins[own.index]
    others = [index for index in run.pool.judged if run.pool.origins[index] != origin]
    ranked = sorted(_rivals(run, own, answer, others), key=lambda rival: -rival.common)
    return ranked[:MAX_RIVALS]


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
        if any(same_answer(run, value, answer) for value in values):
            continue
        value = next((value for value in values if not set(words(value)) <= set(words(own.text))), None)
        if value is not None:
            yield Rival(sentence, value, len(wanted & content))
