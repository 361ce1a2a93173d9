"""Passages that contradict each other, and passages that contradict the answer.

Two passages may contradict each other if they have nearly the same sentence about the same thing with another
value. A passage may contradict the answer, in any words, if it names what the sentence with the answer names.
Rules find both kinds. The verdict model confirms them: it must deny each of the two sentences by the other
and, for an answer, the answer by the other sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from probative.engine.search import Search, judge
from probative.errors import WeightsError
from probative.models.verdict import VerdictItem
from probative.scope.finding import ConflictKind, Contradiction, Finding
from probative.scope.run import Run
from probative.scope.sentences import (
    PassageSentence,
    evidence_item,
    name_the_same,
    passage_sentences,
    rows_with,
    same_answer,
    titled,
)
from probative.text import english
from probative.text.analysis import topic_at
from probative.text.labels import passage_label
from probative.text.names import mentions
from probative.text.quantities import dimension_of, order
from probative.text.sentences import sentences_of
from probative.text.words import words
from probative.types import Passage
from probative.verdict.claim import statement

# The share of the longer sentence's words, values apart, that the other must contain.
MIN_SHARE = 0.7
# Fewer common words than this, the subject apart, say nothing.
MIN_COMMON = 1
# Sentences about other subjects, or none, must be the same nearly word for word.
MIN_SHARE_OTHER_SUBJECT = 0.9
MIN_COMMON_OTHER_SUBJECT = 5
# With more values that differ, two sentences are about different things.
MAX_VALUES = 2
MAX_CONFLICTS = 20
Pair = tuple[str, str]
# How surely each of two sentences must be denied by the other. Of the 50 pairs of our own that cannot both
# hold, 47 reach it; of the 68 that can, 14 do, most of them parts of a thing or events that may have happened
# twice. It was chosen on these pairs.
MIN_DENIED = 0.7
# Sentences that are asked about, and sentences of the chain that are shown with each.
MAX_RIVALS = 3
MAX_CONTEXT = 2
# The share of the question's words that a sentence must have which denies a yes or no.
MIN_ASKED_SHARE = 0.4
# The kinds of questions whose answers are values that a sentence can give.
KINDS = ("person", "place", "date", "number", "name")


class Statement(NamedTuple):
    """A sentence of a passage: its words without values and subject, its values, and what it is about."""

    text: str
    words: frozenset[str]
    dates: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    negated: bool
    subject: str
    subject_name: str


class Difference(NamedTuple):
    """The values by which two statements differ."""

    kind: ConflictKind
    says: str
    instead: str


class Rival(NamedTuple):
    """A sentence, what it says instead of the answer, and how many words it shares with the question."""

    sentence: PassageSentence
    value: str
    common: int


def contradictions_of(run: Run, indexes: Sequence[int]) -> tuple[Contradiction, ...]:
    """Return what may contradict these passages, unless the options say not to look."""
    if not run.options.conflicts:
        return ()
    origins = run.pool.origins
    return tuple(
        entry
        for entry in find_conflicts(indexes, run.pool.passages)
        if origins[entry.index] != origins[entry.other]  # parts of one passage
        and name_the_same(run, *sides(run, entry))
    )


def describe(run: Run, entry: Contradiction) -> str:
    """Return both sides of a contradiction in words."""
    first, second = (passage_label(run.pool.origins[index]) for index in (entry.index, entry.other))
    return f"the passages contradict one another: {first} says {entry.says}, {second} says {entry.instead}"


def sides(run: Run, entry: Contradiction) -> tuple[str, str]:
    """Return both sentences of a contradiction with the titles of their passages."""
    titles = (run.pool.passages[index].title for index in (entry.index, entry.other))
    first, second = map(titled, titles, (entry.text, entry.other_text))
    return first, second


def serious_contradictions(run: Run, finding: Finding) -> list[Contradiction]:
    """Return the contradictions that may change the answer: of passages that carry a node of the question."""
    row_of = {index: row for row, index in enumerate(run.pool.judged)}
    names = finding.chain.judgements.names
    return [
        entry
        for entry in finding.contradictions
        if entry.touches_answer(run.question)
        and entry.index in row_of
        and any(name.startswith("node: ") for name in names(row_of[entry.index]))
    ]


def confirmed(run: Run, finding: Finding) -> Search[tuple[Contradiction, ...]]:
    """Return the contradictions of a finding that the verdict model confirms, one for each pair of passages.

    Without the verdict model, all of them: what differs in a value is shown rather than left out.
    """
    by_words = finding.contradictions
    try:
        exclusive = yield from exclude_each_other([sides(run, entry) for entry in by_words])
    except WeightsError as error:
        run.note(f"contradictions are found by words alone: {error.what}")
        exclusive = [True] * len(by_words)
    first: dict[tuple[int, int], Contradiction] = {}
    for entry, holds in zip(by_words, exclusive, strict=True):
        if holds:
            first.setdefault((entry.index, entry.other), entry)
    return tuple(first.values())


def exclude_each_other(pairs: Sequence[Pair]) -> Search[list[bool]]:
    """Return for each pair of sentences whether the verdict model denies each of them by the other one."""
    if not pairs:
        return []
    items = [
        VerdictItem(claim, (evidence,))
        for first, second in pairs
        for claim, evidence in ((first, second), (second, first))
    ]
    scores = yield from judge(items, step="conflicts")
    return [
        min(scores[row].contradicted, scores[row + 1].contradicted) >= MIN_DENIED
        for row in range(0, len(scores), 2)
    ]


def find_conflicts(chain: Sequence[int], passages: Sequence[Passage]) -> list[Contradiction]:
    """Return where a passage of the chain and another passage may contradict each other.

    >>> texts = ["The Lark was built in Bergen in 1842.", "The Lark was built in Bergen in 1824."]
    >>> conflict, = find_conflicts([0], [Passage(text=text) for text in texts])
    >>> conflict.says, conflict.instead
    ('1842', '1824')
    """
    statements = [_statements(passage) for passage in passages]
    pairs = (
        (index, other)
        for position, index in enumerate(chain)
        for other in range(len(passages))
        if other not in (*chain[:position], index)
    )
    conflicts = (
        Contradiction(index, other, *difference, first.text, second.text)
        for index, other in pairs
        for first in statements[index]
        for second in statements[other]
        if (difference := _difference(first, second)) is not None
    )
    return list(islice(conflicts, MAX_CONFLICTS))


def same_words(first: str, second: str) -> bool:
    """Return whether two sentences have the same words in the same order, whatever their case.

    >>> same_words("THE MILL opened.", "The mill opened!")
    True
    """
    return re.findall(r"\w+", first.lower()) == re.findall(r"\w+", second.lower())


def _difference(first: Statement, second: Statement) -> Difference | None:
    """Return the values by which two statements differ that say nearly the same of the same thing."""
    if same_words(first.text, second.text) or not _comparable(first, second):
        return None
    if first.subject != second.subject:
        # Who it was is the difference: everything else must be equal.
        names = first.subject_name, second.subject_name
        first_words, second_words = (set(words(name)) for name in names)
        neither_contains = first_words - second_words and second_words - first_words
        differ = neither_contains and _values(first) == _values(second)
        return Difference("name", *names) if differ else None
    if first.dates != second.dates and first.numbers != second.numbers:
        return None  # another number at another time
    if first.negated or second.negated:
        return _other_polarity(first, second)  # "not built in 1900" gives no other year than 1842
    return _other_value(first, second)


def _comparable(first: Statement, second: Statement) -> bool:
    """Return whether two statements have enough words in common to be about the same thing."""
    common = first.words & second.words
    share = len(common) / max(1, len(first.words), len(second.words))
    same_names = bool(set(first.names) & set(second.names))  # "the ferry Lark" begins with no name
    if first.subject == second.subject and (first.subject or same_names):
        return len(common) >= MIN_COMMON and share >= MIN_SHARE
    agreeing = len(common) + sum(
        len(values & others) for values, others in zip(_values(first), _values(second), strict=True)
    )
    return agreeing >= MIN_COMMON_OTHER_SUBJECT and share >= MIN_SHARE_OTHER_SUBJECT


def _values(statement: Statement) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    return statement.dates, statement.numbers, statement.names


def _other_value(first: Statement, second: Statement) -> Difference | None:
    """Return the first kind of value of which each statement has its own."""
    kinds: tuple[ConflictKind, ...] = ("date", "number", "name")
    for kind, values, others in zip(kinds, _values(first), _values(second), strict=True):
        apart = values - others, others - values
        if kind == "date":
            apart = _dates_apart(values, others)
        if all(apart) and (not values & others or max(map(len, apart)) <= MAX_VALUES):
            return Difference(kind, ", ".join(sorted(apart[0])), ", ".join(sorted(apart[1])))
    return None


def _other_polarity(first: Statement, second: Statement) -> Difference | None:
    """Return the difference of two statements of which only one is negated."""
    if first.negated == second.negated or _values(first) != _values(second):
        return None
    says, instead = ("not so", "so") if first.negated else ("so", "not so")
    return Difference("negation", says, instead)


def _statements(passage: Passage) -> list[Statement]:
    subject = english.subject(passage) if passage.title else ""
    return [_statement(text, subject) for text in sentences_of(passage)]


def _statement(text: str, passage_subject: str) -> Statement:
    sentence = Passage(text=text)
    own_subject = english.subject(sentence)
    values = english.values_in(text)
    names = frozenset(
        name for name in values.names if " ".join(words(name)) not in (own_subject, passage_subject)
    )
    apart = (*values.dates, *values.numbers, *names, own_subject, passage_subject)
    return Statement(
        text=text,
        words=frozenset(words(text)) - {word for value in apart for word in words(value)},
        dates=values.dates,
        numbers=values.numbers,
        names=names,
        negated=english.is_negated(text),
        subject=passage_subject or own_subject,
        subject_name=english.subject_name(sentence),
    )


def _dates_apart(dates: frozenset[str], others: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the dates that only one of the two has; "1901" and "3 May 1901" may be the same day."""
    return (
        frozenset(date for date in dates if not _fits(date, others)),
        frozenset(date for date in others if not _fits(date, dates)),
    )


def _fits(date: str, others: frozenset[str]) -> bool:
    """Return whether a date is one of the others, given more or less exactly."""
    parts = set(re.findall(r"\w+", date))
    return any(
        parts <= other_parts or other_parts <= parts
        for other_parts in (set(re.findall(r"\w+", other)) for other in others)
    )


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
    context = tuple(sentence for row, sentence in enumerate(chain) if row not in held)[:MAX_CONTEXT]
    try:
        confirmed = yield from _denying(run, ranked, holder, answer, () if polar else context)
    except WeightsError:
        return ()
    return tuple(
        Contradiction(
            holder.index, rival.sentence.index, "value", answer, rival.value, holder.text, rival.sentence.text
        )
        for rival in confirmed
    )


def _denying(
    run: Run,
    rivals: Sequence[Rival],
    holder: PassageSentence,
    answer: str,
    context: tuple[PassageSentence, ...],
) -> Search[list[Rival]]:
    """Return the rivals that deny the answer, and that the sentence with the answer excludes."""
    if not rivals:
        return []
    claim = statement(run.question.text, answer)
    items = [evidence_item(run, claim, (rival.sentence, *context)) for rival in rivals]
    scores = yield from judge(items, step="conflicts")
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
        if common >= MIN_ASKED_SHARE * len(asked):
            yield Rival(sentence, "no" if answer == "yes" else "yes", common)


def _other_values(run: Run, holder: PassageSentence, answer: str) -> Iterator[Rival]:
    """Yield the sentences with a value of the kind that is asked for, but without the answer."""
    content = (run.question.parsed.words | set(words(holder.text))) - set(words(answer))
    for sentence in _about_same(run, holder, answer):
        values = _alternatives(run, sentence, answer)
        if any(same_answer(value, answer) or _same_amount(value, answer) for value in values):
            continue
        value = next((value for value in values if not set(words(value)) <= set(words(holder.text))), None)
        if value is not None and _same_part(run, holder, answer, sentence, value):
            yield Rival(sentence, value, len(content & set(words(sentence.whole))))


def _alternatives(run: Run, sentence: PassageSentence, answer: str) -> list[str]:
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
    """Return False if a value belongs to a part of what the answer is about: "the new wing of the museum
    opened" does not say when the museum opened.
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
