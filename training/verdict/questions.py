"""Questions with an answer, read as claims: "question answer" is what `ask` has judged.

The right answer is supported; another value of the same kind from the same text is not; and without the
sentence that carries the answer, the text is not enough.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from probative.bench.data.claims import plain
from probative.bench.data.splits import question_key
from probative.text import english
from probative.verdict.lines import statement
from training.reader import hops, prose
from training.reader.rows import Row, stands_in
from training.verdict.claims import around
from training.verdict.example import Judged

MULTIHOP = (hops.hotpotqa, hops.two_wiki)
PROSE = (prose.squad, prose.squad2, prose.natural_questions)
# The largest number of rows of a source.
MAX_ROWS = {"squad": 6000, "squad2": 4000, "boolq": 6000, "nq": 2600}
# The sentences shown with a question over several pages.
MOST = 14


def questions(data: Path, rng: random.Random, reported: frozenset[str] = frozenset()) -> Iterator[Judged]:
    """Yield the claims made of the questions that may be trained on."""
    for row in asked_rows(data, reported):
        if not row.prose:
            yield from _multihop(row, rng)
        elif row.source == "boolq":
            yield from _yes_or_no(row, rng)
        else:
            yield from _prose(row, rng)


def asked_rows(data: Path, reported: frozenset[str] = frozenset()) -> Iterator[Row]:
    """Yield the questions that claims are made of, without those whose key is in `reported`."""
    counts: dict[str, int] = {}
    for read in (*MULTIHOP, *PROSE, prose.boolq):
        for row in read(data):
            counts[row.source] = counts.get(row.source, 0) + 1
            if row.part != "train" or question_key(row.question) in reported:
                continue
            if read in MULTIHOP:
                if row.answer and len(row.gold) <= 6:
                    yield row
            elif counts[row.source] <= MAX_ROWS[row.source]:
                yield row


def _multihop(row: Row, rng: random.Random) -> Iterator[Judged]:
    assert row.answer is not None
    texts = tuple(passage.whole for passage in row.sentences)
    shown, gold = around(texts, row.gold, rng, MOST)
    source = f"{row.source}_statement"
    yield Judged(statement(row.question, row.answer), shown, "supported", source, gold)
    wrong = wrong_answer(row.question, row.answer, [texts[index] for index in row.gold], rng)
    if wrong is not None:
        shown, _ = around(texts, row.gold, rng, MOST)
        yield Judged(statement(row.question, wrong), shown, "contradicted", source, binary=True)
    if len(row.gold) >= 2:
        missing = rng.choice(row.gold)
        rest = [index for index in row.gold if index != missing]
        others = [index for index in range(len(texts)) if index not in row.gold]
        kept = sorted([*rest, *rng.sample(others, min(len(others), rng.choice((2, 5, 9))))])
        shown = tuple(texts[index] for index in kept)
        same_page = any(
            row.sentences[index].title == row.sentences[missing].title and index != missing for index in rest
        )
        if not same_page:
            yield Judged(statement(row.question, row.answer), shown, "insufficient", f"{source}_without")


def _prose(row: Row, rng: random.Random) -> Iterator[Judged]:
    texts = tuple(passage.text for passage in row.sentences)
    title = row.sentences[0].title if row.sentences else ""
    source = f"{row.source}_statement"
    if row.answer is None:
        wrong = wrong_answer(row.question, "", texts, rng)
        if wrong is not None:
            yield Judged(statement(row.question, wrong), _titled(title, texts[:MOST]), "insufficient", source)
        return
    shown, gold = around(texts, row.gold, rng, MOST)
    kind = rng.random()
    if kind < 0.45:
        yield Judged(statement(row.question, row.answer), _titled(title, shown), "supported", source, gold)
    elif kind < 0.8:
        wrong = wrong_answer(row.question, row.answer, shown, rng)
        if wrong is not None:
            yield Judged(statement(row.question, wrong), _titled(title, shown), "contradicted", source, gold)
    else:
        rest = tuple(text for index, text in enumerate(texts) if index not in row.gold)
        if len(rest) >= 2 and not stands_in(row.answer, tuple(row.others)):
            shown, _ = around(rest, (), rng, MOST)
            claim = statement(row.question, row.answer)
            yield Judged(claim, _titled(title, shown), "insufficient", f"{source}_without")


def _yes_or_no(row: Row, rng: random.Random) -> Iterator[Judged]:
    texts = tuple(passage.text for passage in row.sentences)[:MOST]
    said = rng.choice(("yes", "no"))
    label = "supported" if said == row.answer else "contradicted"
    title = row.sentences[0].title if row.sentences else ""
    yield Judged(statement(row.question, said), _titled(title, texts), label, "boolq_statement")


def _titled(title: str | None, texts: Sequence[str]) -> tuple[str, ...]:
    first = f"{title}: {texts[0]}" if title and texts else texts[0] if texts else ""
    return tuple(plain(text) for text in (first, *texts[1:]))


def wrong_answer(question: str, answer: str, texts: Sequence[str], rng: random.Random) -> str | None:
    """Return another value of the texts of the same kind as the answer, or None.

    >>> wrong_answer("When did it open?", "1890", ["It opened in 1890 and burnt in 1911."], random.Random(1))
    '1911'
    >>> wrong_answer("Did it open?", "yes", [], random.Random(1))
    'no'
    """
    low = answer.lower().strip()
    if low in ("yes", "no"):
        return "no" if low == "yes" else "yes"
    values = english.values_in(" ".join(texts))
    dates, numbers, names = sorted(values.dates), sorted(values.numbers), list(dict.fromkeys(values.names))
    if not answer:
        kinds = (dates or numbers) if re.search(r"\b(?:when|year|how)\b", question.lower()) else names
    elif re.search(r"\d", answer):
        kinds = dates if re.search(r"\b\d{4}\b", answer) else numbers
    else:
        kinds = names
    wrong = [
        value
        for value in kinds
        if not (low and (value.lower() in low or low in value.lower()))
        and value.lower() not in question.lower()
    ]
    return rng.choice(wrong) if wrong else None
