"""From rows to examples: the requests to the reader, and their targets.

Questions over several pages are few and are shown in several settings (other distractors, another order);
questions about one text are shown once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from probative.models.task_prompts import UNKNOWN
from probative.types import Passage
from training.reader.carries import carried
from training.reader.example import Example, Form, Message, Task, draws
from training.reader.features import features_of, lines_of, write_features
from training.reader.prompts import (
    ask_answer,
    ask_carries,
    ask_features,
    ask_judge,
    ask_judge_alone,
    claim_after,
    evidence_after,
)
from training.reader.rows import Claim, Row, stands_in
from training.splits import Part

# How many distractors a multi-hop question may have in training; gold alone is the commonest.
NOISE = (0, 0, 0, 1, 2, 3, 4, 6, 8)
INVENTED = ("2wiki_triples", "2wiki_pages")
# How often a question, an invented one or another, is also asked without one of its pages.
LACKING = {True: 0.15, False: 0.6}
# Settings of one multi-hop question in training; of an invented one, of which there are thousands, one.
SETTINGS = 4
# The share of questions that are also asked with the prompts that every model gets.
PLAIN_SHARE = 0.15
# Of plain questions about one text, the share that is shown as one passage, not as numbered sentences.
WHOLE_SHARE = 0.4
# Sentences of a text that are shown around the one that holds the answer.
WINDOW = 6


def answer_examples(row: Row, seed: int, pool: Sequence[Row]) -> Iterator[Example]:
    """Yield the question with enough evidence, and with too little; `pool` lends evidence of other
    questions.
    """
    rng = draws(seed, "answer", row.source, row.question)
    if row.prose:
        yield from _about_a_text(row, rng, pool)
        return
    chosen = row.part in ("train", "test")
    settings = [rng.choice(NOISE) for _ in range(SETTINGS)] if chosen else [0, 4]
    if row.source in INVENTED:
        settings = settings[:1]
    assert row.answer is not None
    for noise in settings:
        distractors = _some(row.others or _lent(row, pool, rng), noise, rng)
        yield from _asked(row, [*row.evidence, *distractors], row.answer, "answer", len(distractors), rng)
    if rng.random() < (1.0 if row.part == "report" else LACKING[row.source in INVENTED]):
        yield from _lacking(row, rng, settings[-1])
    if rng.random() < (0.04 if row.source in INVENTED else 0.2) and pool:
        other = _other(row, pool, rng)
        if other is not None and not stands_in(row.answer, other) and row.answer not in ("yes", "no"):
            yield from _asked(row, list(other), UNKNOWN, "unknown", 0, rng)


def _lacking(row: Row, rng: random.Random, noise: int) -> Iterator[Example]:
    """Yield the question without one of its gold pages, only where the other passages cannot contain the
    answer.
    """
    titles = list(dict.fromkeys(passage.title for passage in row.evidence if passage.title))
    rng.shuffle(titles)
    for title in titles:
        left = tuple(passage for passage in row.evidence if passage.title != title)
        pages = {passage.title for passage in row.evidence}
        distractors = _some(
            [passage for passage in row.others if passage.title not in pages], max(noise, 1), rng
        )
        rest = (*left, *distractors)
        assert row.answer is not None
        gone = row.answer not in ("yes", "no") and not stands_in(row.answer, rest)
        if rest and (gone or row.needs_all):
            yield from _asked(row, list(rest), UNKNOWN, "unknown", len(distractors), rng)
            return


def _about_a_text(row: Row, rng: random.Random, pool: Sequence[Row]) -> Iterator[Example]:
    """Yield the question with its text as one passage, or as sentences in their order, with or without a
    foreign passage.
    """
    answer = row.answer or UNKNOWN
    task: Task = "answer" if row.answer else "unknown"
    if rng.random() < WHOLE_SHARE or row.source == "boolq":
        text = " ".join(passage.text for passage in row.sentences)
        passages = [Passage(text=text, title=row.sentences[0].title if rng.random() < 0.7 else None)]
    else:
        centre = row.gold[0] if row.gold else rng.randrange(len(row.sentences))
        first = max(0, centre - rng.randint(0, WINDOW)) if row.answer else 0
        last = first + WINDOW + 1 if row.answer else len(row.sentences)
        passages = list(row.sentences[first : max(last, centre + 1)])
    noise = 0
    if rng.random() < 0.25 and (foreign := _other(row, pool, rng)) is not None:
        distractors = [
            passage for passage in foreign[:2] if not row.answer or not stands_in(row.answer, (passage,))
        ]
        noise = len(distractors)
        passages = [*passages, *distractors] if rng.random() < 0.5 else [*distractors, *passages]
    yield from _asked(row, passages, answer, task, noise, None)
    if row.answer not in (None, "yes", "no") and rng.random() < 0.15:
        other = _other(row, pool, rng)
        if other is not None and not stands_in(str(row.answer), other):
            yield from _asked(row, list(other), UNKNOWN, "unknown", 0, None)


def _asked(
    row: Row, passages: list[Passage], answer: str, task: Task, noise: int, rng: random.Random | None
) -> Iterator[Example]:
    """Yield the question over these passages, shuffled if they are not prose, in each form."""
    if rng is not None:
        rng.shuffle(passages)
    forms: list[Form] = ["around"]
    if draws(0, "plain", row.question, str(noise)).random() < PLAIN_SHARE:
        forms.append("plain")
    for form in forms:
        messages = ask_answer(row.question, passages, form)
        yield Example(messages, answer, task, form, row.source, row.part, row.kind, noise)


def feature_examples(row: Row) -> Iterator[Example]:
    """Yield the features of the question, where they are known."""
    features = features_of(row)
    if features is not None:
        messages = ask_features(row.question)
        target = write_features(lines_of(features))
        yield Example(messages, target, "features", "after", row.source, row.part, row.kind)


def carries_examples(row: Row, seed: int) -> Iterator[Example]:
    """Yield whether sentences carry the features of the question."""
    rng = draws(seed, "carries form", row.question)
    for pair in carried(row, seed):
        form: Form = "plain" if rng.random() < PLAIN_SHARE else "after"
        messages = ask_carries(pair.kind, pair.feature, pair.passage, form)
        yield Example(messages, _yes(pair.carries), "carries", form, row.source, row.part, pair.kind)


def judge_examples(claim: Claim, seed: int, pool: Sequence[Claim]) -> Iterator[Example]:
    """Yield the claim with its own evidence, and with evidence of another claim, which decides nothing."""
    rng = draws(seed, "judge", claim.text)
    evidence = list(claim.evidence)
    rng.shuffle(evidence)
    foreign = _foreign(claim, pool, rng)
    mixed = [*evidence, *foreign[: rng.randint(0, 2)]]
    rng.shuffle(mixed)
    yield _judged(claim, mixed, claim.label)
    if claim.distractors and rng.random() < 0.7:
        yield _judged(claim, _some(claim.distractors, rng.randint(1, 2), rng), "maybe")
    elif foreign and rng.random() < 0.5:
        yield _judged(claim, foreign, "maybe")


def judged_question(row: Row) -> Example:
    """Return a yes/no question about a text as a statement to judge."""
    text = " ".join(passage.text for passage in row.sentences)
    messages = ask_judge(row.question, [Passage(text=text, title=row.sentences[0].title)])
    return Example(messages, row.answer or "maybe", "judge", "after", row.source, row.part, row.kind)


def keep_examples(claim: Claim, seed: int, pool: Sequence[Claim]) -> Iterator[Example]:
    """Yield texts that mcse and give ask the same model to score, on which it must stay near the plain one;
    they have no label.
    """
    rng = draws(seed, "keep", claim.text)
    foreign = _foreign(claim, pool, rng)
    shown = foreign if foreign and rng.random() < 0.4 else claim.evidence
    evidence = " ".join(one.text for one in shown)
    before, after = claim_after(evidence, claim.text)
    yield _kept(claim, (Message("text", before),), after, "text", "claim")
    if rng.random() < 0.3:
        before, after = evidence_after(claim.text, claim.evidence[0].text)
        yield _kept(claim, (Message("text", before),), after, "text", "evidence")
    if rng.random() < 0.3:
        yield _kept(claim, ask_judge_alone(claim.text), claim.label, "plain", "statement")


def _kept(claim: Claim, messages: tuple[Message, ...], target: str, form: Form, kind: str) -> Example:
    return Example(messages, target, "keep", form, claim.source, claim.part, kind)


def _judged(claim: Claim, evidence: Sequence[Passage], label: str) -> Example:
    messages = ask_judge(claim.text, evidence)
    return Example(messages, label, "judge", "after", claim.source, claim.part, label)


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _some(passages: Sequence[Passage], number: int, rng: random.Random) -> list[Passage]:
    return rng.sample(list(passages), min(number, len(passages)))


def _lent(row: Row, pool: Sequence[Row], rng: random.Random) -> tuple[Passage, ...]:
    """Return evidence of another question as distractors, for a row that has none of its own."""
    return _other(row, pool, rng) or ()


def _other(row: Row, pool: Sequence[Row], rng: random.Random) -> tuple[Passage, ...] | None:
    """Return the evidence of another question, about another page."""
    pages = {passage.title for passage in row.sentences}
    for _ in range(4):
        other = rng.choice(pool) if pool else row
        evidence = other.evidence or other.sentences[:3]
        shared = pages & {passage.title for passage in evidence if passage.title}
        if other.question != row.question and evidence and not shared:
            return evidence[:6]
    return None


def _foreign(claim: Claim, pool: Sequence[Claim], rng: random.Random) -> list[Passage]:
    for _ in range(4):
        other = rng.choice(pool)
        if other.topic != claim.topic and other.source == claim.source:
            return list(other.evidence[:4])
    return []


def part_pools(rows: Sequence[Row]) -> dict[tuple[Part, bool], list[Row]]:
    """Return the rows by part and by whether they are prose: evidence is lent only within a part."""
    pools: dict[tuple[Part, bool], list[Row]] = {}
    for row in rows:
        pools.setdefault((row.part, row.prose), []).append(row)
    return pools
