"""Unanswerable twins of questions over several pages: the chain looks right and lacks one of its facts.

Where triples are annotated, the sentence of one fact is replaced by a sentence that states the same relation
of something else, or the question names something else. Elsewhere the sentences of a gold page make way for
the distractors that are nearest in words, where these do not contain the answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from probative.bench.data.splits import plain_words
from probative.models.task_prompts import UNKNOWN
from probative.types import Passage
from training.reader.example import Example, draws
from training.reader.facts import bare
from training.reader.rows import Row, Triple, stands_in
from training.splits import Part, reader_part

SOURCE = "twins"
# The share of rows of each source that have a twin.
SHARES = {"hotpotqa": 0.9, "2wikimultihopqa": 0.9, "2wiki_triples": 0.3, "2wiki_pages": 0.14}
# The share of twins with a swapped entity, where both kinds are possible.
SWAPPED = 0.35
_LOOK_ALIKES = 2


@dataclass(frozen=True)
class Stated:
    """A fact of another question, and the sentence that states it."""

    triple: Triple
    sentence: Passage


def twin_examples(rows: Sequence[Row], seed: int) -> Iterator[Example]:
    """Yield a twin with the reply `unknown` for a share of the rows."""
    stated = _stated(rows)
    for row in rows:
        rng = draws(seed, "twins", row.source, row.question)
        if row.prose or row.answer is None or rng.random() > SHARES.get(row.source, 0.0):
            continue
        twin = _twin(row, stated, rng)
        if twin is not None:
            rng.shuffle(passages := list(twin.sentences))
            yield Example(twin.question, tuple(passages), UNKNOWN, SOURCE, row.part)


def _stated(rows: Sequence[Row]) -> dict[tuple[Part, str], list[Stated]]:
    """Return the annotated facts of each part by relation, with their sentences."""
    stated: dict[tuple[Part, str], list[Stated]] = {}
    for row in rows:
        for triple in row.triples:
            if triple.index >= 0:
                stated.setdefault((row.part, triple.relation), []).append(
                    Stated(triple, row.sentences[triple.index])
                )
    return stated


def _twin(row: Row, stated: dict[tuple[Part, str], list[Stated]], rng: random.Random) -> Row | None:
    if not row.triples:
        return _nearest_instead(row)
    if rng.random() < SWAPPED:
        return _swapped(row, stated, rng) or _replaced(row, stated, rng)
    return _replaced(row, stated, rng)


def _replaced(row: Row, stated: dict[tuple[Part, str], list[Stated]], rng: random.Random) -> Row | None:
    """Return the row with the sentence of one fact replaced by the same relation of something else.

    The fact is the last one, or any of a comparison: without the first of a chain, the answer still stands in
    the text.
    """
    candidates = [triple for triple in row.triples if triple.index >= 0]
    if not row.needs_all:
        candidates = candidates[-1:]
    if not candidates or len(row.triples) < 2:
        return None
    gone = rng.choice(candidates)
    left = [
        sentence
        for index, sentence in enumerate(row.sentences)
        if index in row.gold and index != gone.index and sentence.text != row.sentences[gone.index].text
    ]
    heads = {plain_words(bare(triple.head)) for triple in row.triples}
    alike = [
        other.sentence
        for other in rng.choices(stated[row.part, gone.relation], k=8)
        if plain_words(bare(other.triple.head)) not in heads and not _names(other.sentence, heads)
    ]
    shown = (*left, *alike[: rng.randint(1, _LOOK_ALIKES)])
    unanswered = row.needs_all or _gone(str(row.answer), shown)
    if not left or not alike or not unanswered or row.sentences[gone.index] in shown:
        return None
    return replace(row, sentences=shown)


def _swapped(row: Row, stated: dict[tuple[Part, str], list[Stated]], rng: random.Random) -> Row | None:
    """Return the row with another name in the question, of which the evidence says nothing."""
    asked = [triple for triple in row.triples if bare(triple.head).lower() in row.question.lower()]
    if not asked:
        return None
    triple = rng.choice(asked)
    known = stated.get((row.part, triple.relation), [])
    others = [other.triple for other in rng.choices(known, k=4)] if known else []
    start = row.question.lower().index(bare(triple.head).lower())
    end = start + len(bare(triple.head))
    for other in others:
        name = bare(other.head)
        question = row.question[:start] + name + row.question[end:]
        if not _names_any(row.evidence, {plain_words(name)}) and reader_part(question) == row.part:
            return replace(row, question=question, sentences=row.evidence)
    return None


def _nearest_instead(row: Row) -> Row | None:
    """Return the row without one gold page, with the distractors nearest to the question in its place."""
    pages = list(dict.fromkeys(passage.title for passage in row.evidence if passage.title))
    words = set(plain_words(row.question).split())
    others = [passage for passage in row.others if passage.title not in pages]
    nearest = sorted(others, key=lambda passage: -len(words & set(plain_words(passage.whole).split())))
    for page in pages:
        left = [passage for passage in row.evidence if passage.title != page]
        shown = (*left, *nearest[: _LOOK_ALIKES + 1])
        if left and nearest and _gone(str(row.answer), shown):
            return replace(row, sentences=shown)
    return None


def _gone(answer: str, passages: Sequence[Passage]) -> bool:
    """Return whether no long word of an answer stands in the passages: a person may be named otherwise."""
    named = {word for word in plain_words(answer).split() if len(word) > 3}
    whole = {answer} if answer not in ("yes", "no") else set()
    return bool(whole) and not any(stands_in(text, tuple(passages)) for text in named | whole)


def _names(passage: Passage, names: set[str]) -> bool:
    return any(f" {name} " in f" {plain_words(passage.whole)} " for name in names if name)


def _names_any(passages: Sequence[Passage], names: set[str]) -> bool:
    return any(_names(passage, names) for passage in passages)
