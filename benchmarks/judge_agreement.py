"""Does a judge model say what a reader says about an answer?

    python benchmarks/judge_agreement.py
    python benchmarks/judge_agreement.py --rows runs/coe-noise/rows.jsonl --judge embedded:large-plain

A hundred answers of the kept run of `coe-noise`, each of another sample, were judged by hand, by a reader who
saw question, gold answer and answer only. `judge_agreement.jsonl` has what this reader says, by case and
trial, with what the judge (Qwen2.5-Coder-1.5B-Instruct, 8 bits) and normalised exact match say. With the rows
of that run, another judge can be asked.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import probative
from probative.bench.judging import judge_answer
from probative.bench.metrics import wilson_interval

KEPT = Path(__file__).with_suffix(".jsonl")


def read(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def kappa(pairs: list[tuple[bool, bool]]) -> float:
    """Return Cohen's kappa: the agreement beyond that of chance.

    >>> kappa([(True, True), (False, False), (True, False), (False, True)])
    0.0
    """
    number = len(pairs)
    same = sum(a == b for a, b in pairs) / number
    first, second = (sum(pair[side] for pair in pairs) / number for side in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    return (same - chance) / (1 - chance)


def line(name: str, pairs: list[tuple[bool, bool]]) -> str:
    """Return how often a judge agrees with the reader, and in which direction it errs."""
    same = sum(a == b for a, b in pairs)
    low, high = wilson_interval(same, len(pairs))
    return (
        f"{name}: {same} of {len(pairs)} as the reader [{low:.0f}, {high:.0f}], kappa "
        f"{kappa(pairs):.2f}; right called wrong {sum(a and not b for a, b in pairs)}, wrong called right "
        f"{sum(b and not a for a, b in pairs)}"
    )


def main() -> None:
    """Print the agreement of each judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, help="rows.jsonl of the run of coe-noise")
    parser.add_argument("--judge", default="embedded:large-plain", help="the model that judges them again")
    given = parser.parse_args()
    kept = read(KEPT)
    judges = {"judge": "Qwen2.5-Coder-1.5B-Instruct", "exact": "normalised exact match"}
    for name, title in judges.items():
        print(line(title, [(row["hand"], bool(row[name])) for row in kept]))
    if given.rows:
        rows = {row["key"]: row for row in read(given.rows)}
        lab: Any = SimpleNamespace(judge_model=probative.load_model(given.judge))
        pairs = []
        for label in kept:
            row = rows[label["case"]]
            answer = row["trials"][label["trial"]]["answer"]
            judged = judge_answer(lab, row["question"], row["gold"], answer)
            pairs.append((label["hand"], judged.right is True))
        print(line(given.judge, pairs))


if __name__ == "__main__":
    main()
