"""The questions and claims of all sources by part, without the rows that figures are reported on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from probative.bench.data.splits import question_key
from training.reader import hops as reader_hops
from training.reader import prose as reader_prose
from training.reader.example import draws
from training.reader.invented import Inventor
from training.reader.rows import Claim, Row
from training.reader.triples import invent
from training.splits import Part, reported_keys

SEED = 20261115
# The maximum number of questions of each kind invented from triples.
INVENTED: dict[Part, int] = {"train": 400, "validation": 50, "test": 25}
# The number of questions invented from the pages of all multi-hop questions.
FROM_PAGES: dict[Part, int] = {"train": 38000, "validation": 400, "test": 200}
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
