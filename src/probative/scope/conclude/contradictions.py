"""Statements that contradict the answer, or that replace it.

Words align statements: a sentence of another passage may say something else if it is about what the sentence
with the answer is about and has another value of its kind. The verdict model decides in two rounds: the other
sentence must deny the question with the answer, and the sentence with the answer must deny the other one.
Which of two statements replaces the other is said by words or dates (`in_force`). A sentence of the chain
that only leads to the answer is held against others with nearly the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from probative.engine.search import Search, judge
from probative.errors import WeightsError
from probative.scope.conclude.computation import is_polar
from probative.scope.finding import Contradiction, Finding
from probative.scope.run import Run
from probative.scope.sentences import (
    InForce,
    PassageSentence,
    contains_span,
    evidence_item,
    in_force,
    name_the_same,
    passage_sentences,
    rows_with,
    same_answer,
)
from probative.text import dates, english
from probative.text.analysis import ParsedQuestion
from probative.text.labels import passage_label
from probative.text.quantities import comparable, dimension_of, order
from probative.text.sentences import ENGLISH, detect_language
from probative.text.words import words
from probative.verdict.languages import language_note
from probative.verdict.lines import statement

# How surely the other sentence must deny the question with the answer, and the sentence with the answer the
# other one. They were chosen on 68 pairs of our own: with them 44 of the 48 in
# tests/scope/contradictions.jsonl are right.
MIN_DENIED = 0.6
MIN_EXCLUDED = 0.8
# Pairs that are asked about, and sentences of the chain that are shown beside the other sentence.
MAX_PAIRS = 3
MAX_CONTEXT = 2
# The share of words that a sentence must have in common: of the question, or of a sentence of the chain.
MIN_ASKED = 0.5
MIN_SAME = 0.7
# The kinds of questions whose answers are values that a sentence can give.
KINDS = ("person", "place", "date", "number", "name")


class Anchor(NamedTuple):
    """A sentence that the answer rests on, the question that its value answers, and the value."""

    sentence: PassageSentence
    question: ParsedQuestion
    asked: str
    value: str


class Pair(NamedTuple):
    """Two sentences about the same thing: the claims that must be denied, by which sentences, and the share
    of their words that the two have in common.
    """

    own: PassageSentence
    other: PassageSentence
    says: str
    instead: str
    claim: str
    context: tuple[PassageSentence, ...] = ()
    newer: InForce | None = None
    alike: float = 0.0


def describe(run: Run, entry: Contradiction) -> str:
    """Return both sides of a contradiction in words."""
    first, second = (passage_label(run.pool.origins[index]) for index in (entry.index, entry.other))
    sides = f"{first} says {entry.says}, {second} says {entry.instead}"
    if entry.in_force is None:
        return f"the passages contradict one another: {sides}"
    return f"{first if entry.in_force == entry.index else second} is in force ({entry.reason}): {sides}"


def find_contradictions(run: Run, finding: Finding) -> Search[tuple[Contradiction, ...]]:
    """Return what contradicts or replaces the answer, or what leads to it; without an answer, what the chain
    says about what is asked. An entry blocks the answer unless the answer's own side is in force.
    """
    if not run.options.conflicts or not finding.indexes:
        return ()
    chain = passage_sentences(run, finding.indexes)
    anchors = _anchors(run, finding, chain)
    pairs = _ranked(pair for anchor in anchors for pair in _other_values(run, anchor, chain))
    beside = {frozenset((pair.own.index, pair.other.index)) for pair in pairs}
    held = {anchor.sentence for anchor in anchors}
    twins = _twins(run, finding, [sentence for sentence in chain if sentence not in held])
    pairs += _ranked(twin for twin in twins if frozenset((twin.own.index, twin.other.index)) not in beside)
    try:
        return (yield from _confirmed(run, pairs[:MAX_PAIRS]))
    except WeightsError as error:
        run.note(f"contradictions were not looked for: {error.what}")
        return ()


def _ranked(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the pairs that are most alike first, one for each two passages."""
    first: dict[tuple[int, int], Pair] = {}
    for pair in sorted(pairs, key=lambda pair: -pair.alike):
        first.setdefault((pair.own.index, pair.other.index), pair)
    return list(first.values())


def _confirmed(run: Run, pairs: Sequence[Pair]) -> Search[tuple[Contradiction, ...]]:
    """Return the pairs whose claim is denied by the other sentence, if each of the two excludes the other."""
    if not pairs:
        return ()
    languages = {"question": detect_language(run.question.text), "passages": _language(run, pairs[0].own)}
    if not language_note(run.tools.verdict.name, "question", languages).readable:
        return ()
    items = [
        evidence_item(run, pair.claim, (_with_subject(run, pair.other), *pair.context)) for pair in pairs
    ]
    scores = yield from judge(items, step="conflicts")
    denied = [pair for pair, score in zip(pairs, scores, strict=True) if score.contradicted >= MIN_DENIED]
    holds = yield from _excluded(run, denied)
    return tuple(
        Contradiction(
            index=pair.own.index,
            other=pair.other.index,
            says=pair.says,
            instead=pair.instead,
            text=pair.own.text,
            other_text=pair.other.text,
            blocking=pair.newer is None or pair.newer.passage != pair.own.index,
            in_force=None if pair.newer is None else pair.newer.passage,
            reason=None if pair.newer is None else pair.newer.reason,
        )
        for pair, hold in zip(denied, holds, strict=True)
        if hold
    )


def _excluded(run: Run, pairs: Sequence[Pair]) -> Search[list[bool]]:
    """Return for each pair whether its own sentence excludes the other one. It need not where words say which
    is in force, since these name the earlier value too. Of a yes or no, it must support the answer.
    """
    holds = [pair.newer is not None and pair.newer.by_words for pair in pairs]
    rows = [row for row, hold in enumerate(holds) if not hold]
    if not rows:
        return holds
    items = [
        evidence_item(
            run,
            pair.claim if is_polar(pair.says) else _beside(run, pair.other, pair.own),
            (_with_subject(run, pair.own),),
        )
        for pair in (pairs[row] for row in rows)
    ]
    scores = yield from judge(items, step="conflicts")
    for row, score in zip(rows, scores, strict=True):
        polar = is_polar(pairs[row].says)
        holds[row] = score.supported >= 0.5 if polar else score.contradicted >= MIN_EXCLUDED
    return holds


def _beside(run: Run, sentence: PassageSentence, other: PassageSentence) -> str:
    """Return a sentence as a claim, with its title if only one of two has one: two titles differ in what does
    not matter ("edition 4" and "edition 5").
    """
    subject = _with_subject(run, sentence)
    return subject.text if sentence.title and other.title else subject.whole


def _with_subject(run: Run, sentence: PassageSentence) -> PassageSentence:
    """Return a sentence that begins with a pronoun behind those before it, up to one that names its subject:
    "it" may be another thing in each of two passages.
    """
    text = run.pool.passages[sentence.index].text
    own = [entry for entry in passage_sentences(run, [sentence.index]) if entry.start <= sentence.start]
    named = [entry.start for entry in own[1:] if not english.needs_sentence_before(entry.text)]
    return replace(sentence, text=text[named[-1] if named else own[0].start : sentence.end])


def _anchors(run: Run, finding: Finding, chain: Sequence[PassageSentence]) -> list[Anchor]:
    """Return the sentence that holds the answer, or those of the values that it was computed from; of a yes
    or no, the two that share most words with the question; without an answer, none.
    """
    answer = finding.answer.text
    if answer is None:
        return []
    if finding.computed and finding.computation is not None:
        return [
            Anchor(sentence, english.parse_question(value.question), value.question, value.value)
            for value in finding.computation.values
            if value.question and value.value
            for sentence in chain
            if sentence.index == value.index and sentence.text == value.sentence
        ]
    question = run.question
    if is_polar(answer):
        rows = sorted(range(len(chain)), key=lambda row: -len(_common(question.parsed, chain[row])))[:2]
    else:
        rows = rows_with(run, answer, chain)
    return [Anchor(chain[row], question.parsed, question.text, answer) for row in rows]


def _alike(first: Set[str], second: Set[str]) -> float:
    """Return the share of the larger set that two sets have in common."""
    return len(first & second) / max(1, len(first), len(second))


def _common(question: ParsedQuestion, sentence: PassageSentence) -> frozenset[str]:
    return question.words & set(words(sentence.whole))


def _others(run: Run, own: PassageSentence) -> Iterator[PassageSentence]:
    """Yield the sentences of other passages that say something in other words, of the same names."""
    origins = run.pool.origins
    named = _naming(run, own)
    others = [index for index in run.pool.judged if origins[index] != origins[own.index]]
    for sentence in passage_sentences(run, others):
        same_words = re.findall(r"\w+", own.text.lower()) == re.findall(r"\w+", sentence.text.lower())
        if not same_words and name_the_same(run, named, _naming(run, sentence)):
            yield sentence


def _naming(run: Run, sentence: PassageSentence) -> str:
    """Return the text that names what a sentence is about: its passage, where it begins with a pronoun."""
    if english.needs_sentence_before(sentence.text):
        return run.pool.passages[sentence.index].whole
    return sentence.whole


def _other_values(run: Run, anchor: Anchor, chain: Sequence[PassageSentence]) -> Iterator[Pair]:
    """Yield the sentences that may give another value for the question of a sentence with the answer.

    Of two sentences with nearly the same words, the model sees more surely that one denies the other than
    that it denies the question with the answer; not where words say that one replaces the other.
    """
    own, answer = anchor.sentence, anchor.value
    polar = is_polar(answer)
    asked = (anchor.question.words if polar else _common(anchor.question, own)) - set(words(answer))
    context = () if polar else tuple(row for row in chain if row.index != own.index)[:MAX_CONTEXT]
    for sentence in _others(run, own):
        value = _instead(run, anchor, sentence)
        common = asked & set(words(sentence.whole))
        if value is None or not common or len(common) < MIN_ASKED * len(asked):
            continue
        newer = in_force(run, own, sentence, anchor.asked)
        alike = _alike(
            set(words(own.text)) - set(words(answer)), set(words(sentence.text)) - set(words(value))
        )
        pair = Pair(own, sentence, answer, value, _beside(run, own, sentence), newer=newer, alike=alike)
        if polar or alike < MIN_SAME or (newer is not None and newer.by_words):
            beside = tuple(row for row in context if row.index != sentence.index)
            pair = pair._replace(claim=statement(anchor.asked, answer), context=beside)
        yield pair


def _instead(run: Run, anchor: Anchor, sentence: PassageSentence) -> str | None:
    """Return what a sentence may say instead of the answer; None if nothing, or the same. Where one of two
    sentences replaces the other, it may name both values.
    """
    own, answer = anchor.sentence, anchor.value
    if is_polar(answer):
        return "no" if answer.strip().lower() == "yes" else "yes"
    if _language(run, sentence) != ENGLISH:  # rules find no values there: the model decides
        same = contains_span(english.normal_form(sentence.text), english.normal_form(answer))
        return None if same else sentence.text
    values = _values(anchor, sentence)
    others = (value for value in values if not same_answer(value, answer))
    newer = in_force(run, own, sentence, anchor.asked)
    if newer is not None and newer.by_words:
        return next(others, None)
    if _may_agree(answer, sentence.text) or any(same_answer(value, answer) for value in values):
        return "not so" if english.is_negated(sentence.text) != english.is_negated(own.text) else None
    held = set(words(own.text))
    return next((value for value in others if not set(words(value)) <= held), None)


def _language(run: Run, sentence: PassageSentence) -> str:
    """Return the language of a sentence's passage."""
    return detect_language(run.pool.passages[sentence.index].text, detect_language(run.question.text))


def _values(anchor: Anchor, sentence: PassageSentence) -> list[str]:
    """Return the amounts of a sentence in the answer's unit, or its values of the kind that is asked for."""
    spans = english.quantities_in(anchor.value)
    if len(spans) == 1 and spans[0].quantity.unit:
        kind = dimension_of(spans[0].quantity.unit)
        amounts = english.quantities_in(sentence.text)
        return [span.text for span in amounts if dimension_of(span.quantity.unit) == kind]
    if anchor.question.kind not in KINDS:
        return []
    return english.answer_candidates([sentence.text], anchor.question)


def _may_agree(answer: str, text: str) -> bool:
    """Return whether a text has the date or the amount of an answer in other words, or roughly.

    >>> _may_agree("41,873", "About 42,000 live there."), _may_agree("4.2 km", "It is 4,200 metres long.")
    (True, True)
    """
    days = english.dates_in(answer)
    if days:
        return any(dates.agree(day, days[0]) for day in english.dates_in(text))
    amounts = english.quantities_in(answer)
    return len(amounts) == 1 and any(
        comparable(span.quantity, amounts[0].quantity)
        and order(span.quantity, amounts[0].quantity) in (0, None)
        for span in english.quantities_in(text)
    )


def _twins(run: Run, finding: Finding, chain: Sequence[PassageSentence]) -> Iterator[Pair]:
    """Yield the sentences that have nearly the words of a sentence of the chain, with another value that may
    matter: of what leads to the answer or, without an answer, of the kind that is asked for.
    """
    for own in chain:
        own_words = set(words(own.text))
        if finding.answer.text is None and not own_words & run.question.parsed.words:
            continue
        for sentence in _others(run, own):
            other_words = set(words(sentence.text))
            if _alike(own_words, other_words) < MIN_ASKED:
                continue
            for kind, says, instead in _differences(own.text, sentence.text):
                alike = _alike(own_words - set(words(says)), other_words - set(words(instead)))
                if alike >= MIN_SAME and _matters(run, finding, kind, says):
                    yield Pair(own, sentence, says, instead, _beside(run, own, sentence), alike=alike)
                    break


def _differences(first: str, second: str) -> Iterator[tuple[str, str, str]]:
    """Yield the kinds of values by which two sentences differ, with those of each; or that one denies."""
    values = zip(("date", "number", "name"), english.values_in(first), english.values_in(second), strict=True)
    for kind, mine, theirs in values:
        apart = sorted(set(mine) - set(theirs)), sorted(set(theirs) - set(mine))
        if all(apart):
            yield kind, ", ".join(apart[0]), ", ".join(apart[1])
    if english.is_negated(first) != english.is_negated(second):
        yield "negation", *(("not so", "so") if english.is_negated(first) else ("so", "not so"))


def _matters(run: Run, finding: Finding, kind: str, says: str) -> bool:
    """Return whether a difference may change the answer: its kind is asked for, if there is no answer yet;
    or the question, what leads to the answer, or the answer names the value.
    """
    question, answer = run.question, finding.answer.text
    if question.kind == "choice" or says in question.text:
        return True
    if answer is None:
        asked = question.kind if question.kind in ("date", "number") else "name"
        return kind in ("negation", asked) or question.kind == "yes-no"
    leading = [node.text for node in finding.chain.judgements.features.nodes if node.inferred]
    targets = [english.normal_form(text) for text in (answer, *leading, *question.parsed.names)]
    values = [english.normal_form(value) for value in says.split(", ")]
    return any(
        contains_span(value, target) or contains_span(target, value) for value in values for target in targets
    )
