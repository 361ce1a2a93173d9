"""Questions over invented documents in many genres, answerable and not.

Everything is our own words (`kinds/`). The part follows from the name of the entity that is asked about.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from probative.models.task_prompts import UNKNOWN
from probative.types import Passage
from training.reader.example import Example, draws
from training.reader.genres.cases import TWINS, Case, Subject
from training.reader.genres.entity import Fact
from training.reader.genres.kind import kinds
from training.reader.genres.passages import as_chunks, as_document, as_sentences
from training.reader.rows import stands_in
from training.splits import Part, reader_part

SOURCE = "invented_genres"
# Questions about one invented entity.
QUESTIONS = 4
# The share of questions that also have an unanswerable twin: four unknown for six answers.
TWINNED = 0.72
# The share of examples that is left out by a draw; without the draws, a seed would give other examples.
LEFT_OUT = 0.12
# The share of questions that name their entity shortly, over texts about that entity alone.
SHORTLY = 0.3
SHAPES = ("sentences", "sentences", "chunks", "chunks", "document")
# About what fits into a prompt of 512 tokens, with the question twice.
MAX_CHARACTERS = 1750


def genre_examples(seed: int, n: int) -> Iterator[Example]:
    """Yield most of about n examples, the same for the same seed, evenly over the kinds of documents."""
    made, number = 0, 0
    names = sorted(kinds())
    while made < n:
        rng = draws(seed, "genres", str(number))
        subject = Subject(kinds()[names[number % len(names)]], rng)
        number += 1
        part = reader_part(subject.entity.bare)
        seen: set[str] = set()
        for _ in range(QUESTIONS):
            case = subject.case()
            if case is None or case.question in seen:
                continue
            seen.add(case.question)
            for example in _pair(case, subject, part, rng):
                made += 1
                if rng.random() >= LEFT_OUT:
                    yield example


def _pair(case: Case, subject: Subject, part: Part, rng: random.Random) -> Iterator[Example]:
    """Yield the question with enough evidence, and often its twin without."""
    shape = rng.choice(SHAPES)
    # A swapped entity must not be one whose own questions belong to another part.
    strange = case.absent is not None and reader_part(case.absent.bare) != part
    others = rng.sample(case.others, min(len(case.others), _width(shape, rng)))
    if case.type in ("span", "yes-no") and rng.random() < SHORTLY:
        case, others, strange = _asked_shortly(case, subject, rng), _own(others, subject), True
    passages = _passages([*case.gold, *others], shape, rng)
    if passages is not None and _holds(case, passages):
        yield Example(case.question, tuple(passages), case.answer, SOURCE, part)
    if rng.random() > TWINNED:
        return
    twins = [name for name in TWINS if name == "removed" or getattr(case, name)]
    twin = rng.choice([name for name in twins if not (strange and name == "swapped")])
    question, gold = case.question, list(case.gold)
    if twin == "removed":
        gold.remove(rng.choice(gold[-1:] * 2 + gold))
        others = _with_look_alike(case, others)
        if any(fact.answer.lower() == case.answer.lower() for fact in others) and case.type == "span":
            return
    else:
        question = getattr(case, twin)
    passages = _passages([*gold, *others], shape, rng)
    if passages is not None:
        yield Example(question, tuple(passages), UNKNOWN, SOURCE, part)


def _asked_shortly(case: Case, subject: Subject, rng: random.Random) -> Case:
    """Return the case with a question that says "the lease" where the text is about one lease."""
    short = subject.entity.mention(rng, subject=False)
    question, near = (text.replace(subject.entity.full, short) for text in (case.question, case.near))
    return replace(case, question=question, near=near, others=_own(case.others, subject))


def _own(facts: Sequence[Fact], subject: Subject) -> list[Fact]:
    return [fact for fact in facts if fact.entity is subject.entity]


def _with_look_alike(case: Case, others: list[Fact]) -> list[Fact]:
    """Return the facts beside the question, with one of the same attribute about another entity if there is
    one: what makes a reader guess.
    """
    last = case.gold[-1]
    alike = [fact for fact in case.others if fact.attribute is last.attribute and fact not in others]
    return [*others, *alike[:1]]


def _width(shape: str, rng: random.Random) -> int:
    """Return how many facts stand beside the gold ones."""
    if shape == "sentences":
        return rng.choice((0, 1, 2, 3, 4, 6, 8))
    return rng.choice((1, 2, 4, 6, 8)) if shape == "chunks" else rng.randint(6, 16)


def _passages(facts: list[Fact], shape: str, rng: random.Random) -> list[Passage] | None:
    """Return the facts as passages in random order; None where there are none, or too many."""
    if not facts:
        return None
    facts = list(facts)
    rng.shuffle(facts)
    if shape == "sentences":
        passages = as_sentences(facts, rng)
    elif shape == "chunks":
        passages = as_chunks(facts, rng)
    else:
        passages = as_document(facts, rng, rng.randint(10, 25))
    rng.shuffle(passages)
    return passages if sum(len(passage.whole) for passage in passages) < MAX_CHARACTERS else None


def _holds(case: Case, passages: Sequence[Passage]) -> bool:
    """Return whether the answer stands in the passages; a compared entity may be named there shortly."""
    return case.type in ("comparison", "which") or stands_in(case.answer, tuple(passages))
