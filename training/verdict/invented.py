"""Claims about invented documents in many genres: leases, leaflets, mails, minutes and others.

The documents are the reader's (`training.reader.genres`). A claim is a question with an answer, or a fact in
other words; it is supported, has another value, or is about something that the document does not say.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from probative.text.sentences import split_sentences
from probative.types import Passage
from probative.verdict.lines import statement
from training.reader.genres.cases import Case, Subject
from training.reader.genres.entity import Fact, state
from training.reader.genres.kind import kinds
from training.reader.genres.passages import as_chunks, as_document, as_sentences
from training.verdict.example import Judged, Label

SOURCE = "invented"
SHAPES = ("sentences", "sentences", "chunks", "document")
# Claims made of one invented entity.
CLAIMS = 5
# The share of claims about a single fact that are sentences, and not a question with its answer.
SENTENCES = 0.5


def invented(number: int, rng: random.Random) -> Iterator[Judged]:
    """Yield `number` claims, evenly over the kinds of documents."""
    yield from itertools.islice(_all(rng), number)


def _all(rng: random.Random) -> Iterator[Judged]:
    for name in itertools.cycle(sorted(kinds())):
        subject = Subject(kinds()[name], rng)
        for _ in range(CLAIMS):
            case = subject.case()
            row = None if case is None else _row(case, rng)
            if row is not None:
                yield row


def _row(case: Case, rng: random.Random) -> Judged | None:
    kind = rng.random()
    if kind < 0.38:
        return _judged(case, _claim(case, case.gold[-1], case.answer, rng), "supported", case.gold, rng)
    if kind < 0.68:
        wrong = _wrong(case, rng)
        return None if wrong is None else _judged(case, wrong, "contradicted", case.gold, rng)
    return _unsaid(case, rng)


def _claim(case: Case, fact: Fact, answer: str, rng: random.Random) -> str:
    """Return the claim that the answer is right: as a question with it, or as a sentence."""
    if case.type == "span" and rng.random() < SENTENCES:
        return _said(fact, rng)
    return statement(case.question, answer)


def _said(fact: Fact, rng: random.Random) -> str:
    """Return a sentence that states a fact, often in other words than the document."""
    return replace(fact, template=rng.choice(fact.attribute.texts("say"))).say(rng, short=False)


def _wrong(case: Case, rng: random.Random) -> str | None:
    """Return a claim with another value: that of another entity in the document if there is one."""
    fact = case.gold[-1]
    if case.type == "yes-no":
        return statement(case.question, "no" if case.answer == "yes" else "yes")
    if case.type == "comparison":
        other = next(one for one in case.gold if one.entity.bare != case.answer)
        return statement(case.question, other.entity.bare)
    if case.type == "which":
        others = [one.entity.bare for one in case.others if one.entity.bare != case.answer]
        return statement(case.question, rng.choice(others)) if others else None
    alike = [
        one
        for one in case.others
        if one.attribute is fact.attribute and one.answer.lower() != fact.answer.lower()
    ]
    other = (
        rng.choice(alike) if alike and rng.random() < 0.7 else state(fact.entity, fact.attribute, rng, fact)
    )
    if other.answer.lower() == case.answer.lower():
        return None
    changed = replace(fact, shown=other.shown, answer=other.answer, target=other.target)
    return _claim(case, changed, other.answer, rng)


def _unsaid(case: Case, rng: random.Random) -> Judged | None:
    """Return a claim that the document neither states nor denies."""
    twins = ["removed", *(name for name in ("swapped", "near") if getattr(case, name))]
    twin = rng.choice(twins)
    if twin == "removed":
        missing = rng.choice(case.gold)
        claim = _claim(case, case.gold[-1], case.answer, rng)
        return _judged(case, claim, "insufficient", [fact for fact in case.gold if fact is not missing], rng)
    answer = case.answer
    if twin == "near" and case.type == "span" and rng.random() < 0.3 and case.others:
        answer = rng.choice(case.others).answer
    return _judged(case, statement(getattr(case, twin), answer), "insufficient", case.gold, rng)


def _judged(
    case: Case, claim: str, label: Label, stated: Sequence[Fact], rng: random.Random
) -> Judged | None:
    """Return the claim with a document that states some facts, and others beside them."""
    shape = rng.choice(SHAPES)
    most = min(len(case.others), {"sentences": 6, "chunks": 6, "document": 12}[shape])
    facts = [*stated, *rng.sample(case.others, rng.randint(0, most))]
    if not facts:
        return None
    rng.shuffle(facts)
    if shape == "sentences":
        passages = as_sentences(facts, rng)
    elif shape == "chunks":
        passages = as_chunks(facts, rng)
    else:
        passages = as_document(facts, rng, rng.randint(8, 22))
    evidence = tuple(line for passage in passages for line in lines(passage))
    gold = () if label == "insufficient" else tuple(_stating(stated, evidence))
    return Judged(claim, evidence, label, f"{SOURCE}_{case.type.replace(' ', '_')}", gold)


def lines(passage: Passage) -> list[str]:
    """Return the sentences of a passage, with its title before the first.

    >>> lines(Passage(text="It is red. It is old.", title="The mill"))
    ['The mill: It is red.', 'It is old.']
    """
    first, *rest = (sentence.text for sentence in split_sentences(passage.text, "en"))
    return [f"{passage.title}: {first}" if passage.title else first, *rest]


def _stating(facts: Sequence[Fact], evidence: Sequence[str]) -> Iterator[int]:
    """Yield the indexes of the sentences that state the facts, where it is clear which they are."""
    for fact in facts:
        held = [index for index, line in enumerate(evidence) if fact.shown and fact.shown in line]
        if len(held) == 1:
            yield held[0]
