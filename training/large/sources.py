"""The rows of all tasks: to train on, without anything that figures are reported on; and to measure.

Claims come from `training.verdict`, questions from `training.reader`; both leave out every question and claim
that is reported on, and `prepare` checks it again. Only their parts for training are used.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from probative.bench.data.claims import read_verdict_rows
from probative.bench.data.splits import question_key
from probative.models.task_prompts import UNKNOWN, Line
from probative.text.prompts import fenced
from probative.types import Passage
from training.large.bundles import bundle_rows, kept_rows, training_bundles
from training.large.claims import claim_row, claims
from training.large.rows import LABELS, Row
from training.large.windows import windows
from training.reader import data as reader_data
from training.reader import hops
from training.reader.example import Example, draws
from training.reader.features import features_of, lines_of, write_features
from training.reader.genres.examples import genre_examples
from training.reader.rows import Row as Question
from training.reader.rows import stands_in
from training.reader.twins import twin_examples
from training.verdict import data as verdict_data
from training.verdict.example import Judged
from training.verdict.published import as_judged

SEED = 20261117
# The most questions of a source; those over several pages are few, and are drawn several times.
MAX_QUESTIONS = {"squad": 3000, "squad2": 3000, "nq": 2000, "boolq": 2000, "drop": 1500}
# Of invented questions, the most of a kind: those that lead from page to page are the hard ones.
MAX_OF_A_KIND = {"comparison": 1500, "bridge_comparison": 2500, "compositional": 6000, "inference": 2700}
MULTIHOP = ("hotpotqa", "hotpotqa_gold_only", "2wikimultihopqa")
MULTIHOP_TIMES, NOISE = 3, (0, 0, 2, 4, 4, 8, 12)
# A smaller model, which is taught, needs more questions; so many times those above.
TAUGHT_TIMES = 3
LACKING = 0.2
GENRES, TWINS, FEATURES = 5000, 1500, 2500
# The words of evidence that are read at once where a claim is measured.
MEASURED_WORDS = (520, 1300)
T = TypeVar("T")


def training_rows(data: Path, seed: int = SEED) -> list[Row]:
    """Return all rows to train on."""
    judged = verdict_data.build(data)
    return [*claims(judged, seed), *question_rows(data, seed), *bundle_rows(data, random.Random(seed))]


def taught_rows(data: Path, count: int, seed: int = SEED) -> list[Row]:
    """Return so many claims for a teacher to judge, then the rows of the other tasks."""
    own = [row for row in bundle_rows(data, random.Random(seed)) if row.task != "verdict"]
    judged = windows(verdict_data.build(data), training_bundles(data), count, seed)
    return [*judged, *question_rows(data, seed, TAUGHT_TIMES), *own]


def question_rows(data: Path, seed: int, times: int = 1) -> Iterator[Row]:
    """Yield questions with evidence, and questions with their features; of each source at most `times` as
    many as is written above.
    """
    questions = reader_data.read_rows(data, reader_data.SEED, Counter())
    questions = [row for row in questions if row.part == "train"]
    yield from answers(questions, seed, times)
    yield from features(questions, seed)


def measured_rows(
    data: Path, seed: int = SEED, limits: Sequence[int] = (), *, report: bool = False
) -> list[Row]:
    """Return the rows that figures are reported on, and those of the kept bundles.

    Claims with long evidence are measured twice, with a narrow and a wide window; with `limits`, the numbers
    of words in these windows, claims and questions over our own documents are, too.
    """
    found = map(as_judged, read_verdict_rows(data))
    rows = [row for judged in found for row in _measured(judged, limits or MEASURED_WORDS)]
    rows += [row for question in hops.reported(data) for row in _reported(question, seed)]
    return [*rows, *kept_rows(data, limits, report=report)]


def _measured(example: Judged, limits: Sequence[int]) -> Iterator[Row]:
    words = sum(len(sentence.split()) for sentence in example.evidence)
    label = LABELS.index(example.label)
    for limit in sorted(limits):
        row = claim_row(example, limit)
        facts = {"label": label, "binary": example.binary, "words": limit}
        yield Row(**{**vars(row), "facts": facts if words > min(limits) else {**facts, "words": 0}})
        if words <= limit:
            return


def check_apart(trained: Iterable[Row], measured: Iterable[Row], reported: Iterable[str]) -> None:
    """Raise ValueError if something to train on is measured or reported on."""
    barred = {_key(row) for row in measured} | set(reported)
    both = sorted({row.asked for row in trained if _key(row) in barred})
    if both:
        raise ValueError(f"{len(both)} rows are trained on and measured, for example {both[0]!r}")


def _key(row: Row) -> str:
    """Return what tells a row from others: "And after that?" may follow many conversations."""
    before = [line.text for line in row.lines] if row.task in ("alone", "in_force") else []
    return question_key(" ".join([*before, row.asked]))


def answers(questions: Sequence[Question], seed: int, times: int = 1) -> Iterator[Row]:
    """Yield questions with enough evidence and with too little."""
    counts: Counter[tuple[str, str]] = Counter()
    pool = [row for row in questions if not row.prose]
    for row in draws(seed, "order").sample(questions, len(questions)):
        most = MAX_OF_A_KIND.get(row.kind or "", 500) if row.source == "2wiki_pages" else None
        kind = row.source, (row.kind or "") if most else ""
        counts[kind] += 1
        if counts[kind] > times * (most or MAX_QUESTIONS.get(row.source, len(questions))):
            continue
        rng = draws(seed, "large", row.source, row.question)
        if row.prose:
            yield _about_a_text(row)
            continue
        for _ in range(MULTIHOP_TIMES if row.source in MULTIHOP else 1):
            others = row.others or rng.choice(pool).evidence
            noise = rng.sample(others, min(len(others), rng.choice(NOISE)))
            yield _asked(row, row.evidence, noise, rng)
        if rng.random() < LACKING:
            yield from _lacking(row, rng)
    yield from map(_over_passages, _some(twin_examples(questions, seed), TWINS, seed))
    genres = (example for example in genre_examples(seed, 12000) if example.part == "train")
    yield from map(_over_passages, _some(genres, GENRES, seed))


def features(questions: Sequence[Question], seed: int) -> Iterator[Row]:
    """Yield questions with their features, where these are known."""
    known = ((row, found) for row in questions if not row.prose and (found := features_of(row)) is not None)
    for row, found in _some(known, FEATURES, seed):
        written = write_features(lines_of(found))
        yield Row("features", row.question, (), written, f"{row.source}_features")


def _about_a_text(row: Question) -> Row:
    lines = tuple(Line(sentence.text, sentence.title or "") for sentence in row.sentences)
    gold = row.gold if row.source != "boolq" else ()
    return Row("answer", row.question, lines, row.answer or UNKNOWN, row.source, gold or None)


def _asked(row: Question, evidence: Sequence[Passage], noise: Sequence[Passage], rng: random.Random) -> Row:
    """Return the question over its evidence and distractors in random order."""
    assert row.answer is not None
    passages = [*evidence, *noise]
    order = rng.sample(range(len(passages)), len(passages))
    lines = tuple(Line(passages[index].text, passages[index].title or "") for index in order)
    cited = tuple(sorted(order.index(index) for index in range(len(evidence))))
    return Row("answer", row.question, lines, row.answer, row.source, cited)


def _lacking(row: Question, rng: random.Random) -> Iterator[Row]:
    """Yield the question without one of its gold pages, where the other lines cannot contain the answer."""
    pages = list(dict.fromkeys(passage.title for passage in row.evidence if passage.title))
    if not pages:
        return
    gone = rng.choice(pages)
    left = [passage for passage in row.evidence if passage.title != gone]
    others = [passage for passage in row.others if passage.title not in pages]
    rest = (*left, *rng.sample(others, min(len(others), rng.choice((1, 2, 4, 8)))))
    assert row.answer is not None
    if rest and row.answer not in ("yes", "no") and not stands_in(row.answer, rest):
        lines = tuple(Line(passage.text, passage.title or "") for passage in rng.sample(rest, len(rest)))
        yield Row("answer", row.question, lines, UNKNOWN, f"{row.source}_lacking")


def _reported(row: Question, seed: int) -> Iterator[Row]:
    """Yield a reported question with its gold sentences, with four distractors, and without a gold page."""
    for noise in (0, 4):
        rng = draws(seed, "report", row.question, str(noise))
        asked = _asked(row, row.evidence, rng.sample(row.others, min(len(row.others), noise)), rng)
        facts = {"accept": [row.answer], "noise": noise, "kind": row.kind, "cited": asked.cited}
        yield Row(**{**vars(asked), "source": f"reported_{row.source}", "facts": facts})
    for lacking in _lacking(row, draws(seed, "report lacking", row.question)):
        facts = {"accept": [], "noise": -1, "kind": row.kind, "cited": None}
        yield Row(**{**vars(lacking), "source": f"reported_{row.source}", "facts": facts})


def _over_passages(example: Example) -> Row:
    """Return an example as a row; what decides is not marked in it."""
    lines = tuple(Line(fenced(passage.whole)) for passage in example.passages)
    return Row("answer", example.question, lines, example.target, example.source)


def _some(found: Iterable[T], count: int, seed: int) -> list[T]:
    known = list(found)
    return draws(seed, "some").sample(known, min(count, len(known)))
