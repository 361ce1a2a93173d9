"""The examples of all sources by part, without the rows that figures are reported on; and their manifest."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from probative.bench.data.splits import question_key
from training.reader import hops as reader_hops
from training.reader import prose as reader_prose
from training.reader.example import Example, draws
from training.reader.genres.examples import genre_examples
from training.reader.invented import SOURCE as PAGES
from training.reader.invented import Inventor
from training.reader.rows import Claim, Row
from training.reader.tasks import (
    answer_examples,
    carries_examples,
    feature_examples,
    judge_examples,
    judged_question,
    keep_examples,
    part_pools,
)
from training.reader.triples import SOURCE, invent
from training.reader.twins import twin_examples
from training.splits import Part, reported_keys

SEED = 20261115
# The maximum number of questions of each kind invented from triples.
INVENTED: dict[Part, int] = {"train": 400, "validation": 50, "test": 25}
# The number of questions invented from the pages of all multi-hop questions.
FROM_PAGES: dict[Part, int] = {"train": 38000, "validation": 400, "test": 200}
# Examples from invented documents in other genres, of all parts together.
GENRES = 34000
# The share of invented questions that also serve for features and what carries them.
FURTHER = 0.8
# The maximum number of rows of a source, so that none dominates.
MAX_ROWS = {"squad": 8000, "boolq": 6000, "drop": 1500}

READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "hotpotqa": reader_hops.hotpotqa,
    "hotpotqa_gold_only": reader_hops.hotpotqa_gold_only,
    "2wikimultihopqa": reader_hops.two_wiki,
    "squad": reader_prose.squad,
    "squad2": reader_prose.squad2,
    "nq": reader_prose.natural_questions,
    "drop": reader_prose.drop,
    "boolq": reader_prose.boolq,
}
CLAIMS: dict[str, Callable[[Path], Iterator[Claim]]] = {
    "fool_me_twice": reader_prose.fool_me_twice,
    "entailmentbank": reader_prose.entailmentbank,
}
LICENCES = {
    "hotpotqa": "CC BY-SA 4.0",
    "hotpotqa_gold_only": "CC BY-SA 4.0",
    "2wikimultihopqa": "Apache-2.0",
    "2wiki_triples": "Apache-2.0 (questions invented from 2WikiMultihopQA's triples)",
    "2wiki_pages": "CC BY-SA 4.0 (questions invented from pages in HotpotQA and 2WikiMultihopQA)",
    "twins": "CC BY-SA 4.0 (HotpotQA and 2WikiMultihopQA, without a part of the evidence)",
    "invented_genres": "Apache-2.0 (our own words)",
    "squad": "CC BY-SA 4.0",
    "squad2": "CC BY-SA 4.0",
    "nq": "CC BY-SA 3.0",
    "drop": "CC BY-SA 4.0",
    "boolq": "CC BY-SA 3.0",
    "fool_me_twice": "CC BY-SA 3.0",
    "entailmentbank": "Apache-2.0 (repository)",
}
FILES = (
    "hotpotqa/hotpot_dev_distractor_sample.json",
    "2wikimultihopqa/dev_sample.json",
    "hotpotqa/paragraph_level_sample.jsonl",
    "training/hotpotqa_more.jsonl",
    "training/hotpotqa_paragraph_gold.jsonl",
    "training/hotpotqa_gold_only.jsonl",
    "training/2wiki_train.jsonl",
    "training/squad_train_subset.json",
    "training/squad2_half_dev.json",
    "training/nq_gold.jsonl",
    "training/drop_dev.jsonl",
    "training/boolq.jsonl",
    "training/fool_me_twice.jsonl",
    "training/entailmentbank_task2.jsonl",
)


@dataclass
class Built:
    """The examples, and the numbers of rows that were left out, by reason."""

    examples: list[Example]
    left_out: Counter[str] = field(default_factory=Counter)


def build(data: Path, seed: int = SEED) -> Built:
    """Return all examples for training, validation and test."""
    built = Built([])
    rows = read_rows(data, seed, built.left_out)
    pools = part_pools(rows)
    for row in rows:
        pool = pools[row.part, row.prose]
        if row.source == "boolq" and draws(seed, "boolq", row.question).random() < 0.5:
            built.examples.append(judged_question(row))
            continue
        built.examples += answer_examples(row, seed, pool)
        if row.source == PAGES:
            continue
        if not row.prose and (row.source != SOURCE or draws(seed, "some", row.question).random() < FURTHER):
            built.examples += feature_examples(row)
            built.examples += carries_examples(row, seed)
    built.examples += twin_examples(rows, seed)
    built.examples += genre_examples(seed, GENRES)
    for claims in read_claims(data).values():
        for claim in claims:
            built.examples += judge_examples(claim, seed, claims)
            built.examples += keep_examples(claim, seed, claims)
    return built


def build_report(data: Path, seed: int = SEED) -> list[Example]:
    """Return the questions that figures are reported on, with gold evidence and with four distractors. They
    are never trained on, and never used to choose.
    """
    examples = [example for row in reader_hops.reported(data) for example in answer_examples(row, seed, [])]
    return [example for example in examples if example.task in ("answer", "unknown")]


def read_rows(data: Path, seed: int, left_out: Counter[str]) -> list[Row]:
    """Return the rows of all sources and the invented ones, each question once, without
    reported questions.
    """
    reported = reported_keys(data)
    seen: set[str] = set()
    rows: list[Row] = []
    for name, read in READERS.items():
        taken = list(_fresh(read(data), reported, seen, left_out))
        limit = MAX_ROWS.get(name, len(taken))
        taken.sort(key=lambda row: draws(seed, "take", row.question).random())
        left_out[f"{name}: enough of it"] += max(0, len(taken) - limit)
        rows += taken[:limit]
        if name == "2wikimultihopqa":
            for part, number in INVENTED.items():
                rows += _fresh(invent(taken, part, seed, number), reported, seen, left_out)
            barred = frozenset(
                passage.title
                for row in reader_hops.reported(data)
                for passage in row.evidence
                if passage.title
            )
            for part, number in FROM_PAGES.items():
                made = Inventor(rows, part, seed, barred).invent(number)
                rows += _fresh(made, reported, seen, left_out)
    return rows


def _fresh(
    rows: Iterable[Row], reported: frozenset[str], seen: set[str], left_out: Counter[str]
) -> Iterator[Row]:
    for row in rows:
        key = question_key(row.question)
        if key in reported:
            left_out[f"{row.source}: reported on"] += 1
        elif key in seen:
            left_out[f"{row.source}: seen before"] += 1
        else:
            seen.add(key)
            yield row


def read_claims(data: Path) -> dict[tuple[str, Part], list[Claim]]:
    """Return the claims by source and part, each once, without reported claims."""
    seen = set(reported_keys(data))
    by_part: dict[tuple[str, Part], list[Claim]] = {}
    for read in CLAIMS.values():
        for claim in read(data):
            key = question_key(claim.text)
            if key not in seen:
                seen.add(key)
                by_part.setdefault((claim.source, claim.part), []).append(claim)
    return by_part


def manifest(data: Path, built: Built, seed: int = SEED) -> dict[str, Any]:
    """Return what the examples are made of: counts, licences, seed, and the sha256 of every file read."""
    counts = Counter((example.part, example.task, example.source) for example in built.examples)
    return {
        "seed": seed,
        "examples": len(built.examples),
        "counts": [
            {"part": part, "task": task, "source": source, "examples": number}
            for (part, task, source), number in sorted(counts.items())
        ],
        "left_out": dict(sorted(built.left_out.items())),
        "licences": LICENCES,
        "files": {name: _sha256(data / name) for name in FILES if (data / name).exists()},
    }


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
