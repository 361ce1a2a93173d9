"""How often false passages are noticed without a language model, by the words judge or the policy's chain.

    python -m probative.bench.experiments.conflicts --data DIR
    python -m probative.bench.experiments.conflicts --data DIR --preset embedded --questions 30

RGB (`rgb/en_fact.json`) has true passages for each question, and the same with a false answer put in.
With the true ones alone, "contradicted" is a false alarm; with both it is right, and "true against
false" is the share where a true and a false passage are named. PoisonedRAG
(`poisonedrag/{nq,msmarco}.json`) has only false passages, which agree: nothing there speaks against
them, so "supported" is the share in which scope is fooled. "fooled" is the same everywhere: supported
by a chain with a false passage in it.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import probative
from probative.bench.experiments.scope import Silent

POISONED = ("nq", "msmarco")
COLUMNS = ["passages", "questions", "contradicted", "true against false", "supported", "insufficient"]
COLUMNS += ["complete", "false one in chain", "fooled"]


class Case(NamedTuple):
    """A question with true passages, and false ones behind them."""

    question: str
    true: tuple[str, ...]
    false: tuple[str, ...]


def read_rgb(path: Path) -> list[Case]:
    """RGB's questions. A passage that stands among the true ones unchanged is no false one."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Case(
            question=row["query"],
            true=tuple(row["positive"]),
            false=tuple(text for text in row["positive_wrong"] if text not in row["positive"]),
        )
        for row in rows
    ]


def read_poisoned(path: Path) -> list[Case]:
    """PoisonedRAG's questions, with false passages only."""
    rows = json.loads(path.read_text(encoding="utf-8")).values()
    return [Case(question=row["question"], true=(), false=tuple(row["adv_texts"])) for row in rows]


def run(cases: Sequence[Case], encoder: probative.Encoder, preset: str) -> dict[int, probative.Answer]:
    """The answer for each case by its number."""
    given = [probative.AskCase(question=one.question, passages=(*one.true, *one.false)) for one in cases]
    found: dict[int, probative.Answer] = {}
    outcomes = probative.ask_all(given, preset=preset, answering="picked", model=Silent(), encoder=encoder)
    for number, outcome in outcomes:
        if not isinstance(outcome, probative.Answer):
            raise outcome
        found[number] = outcome
    return found


def figures(cases: Sequence[Case], found: dict[int, probative.Answer]) -> list[str]:
    """The cells of a row: how many cases, and shares of them."""
    verdicts = dict.fromkeys(probative.Verdict, 0)
    opposed = complete = holding = fooled = 0
    for number, case in enumerate(cases):
        answer = found[number]
        start = len(case.true)
        verdicts[answer.verdict] += 1
        opposed += any((one.index < start) != (one.other < start) for one in answer.conflicts)
        complete += answer.complete
        false = any(passage.index >= start for passage in answer.chain)
        holding += false
        fooled += false and answer.verdict is probative.Verdict.SUPPORTED
    counts = [verdicts[probative.Verdict.CONTRADICTED], opposed, verdicts[probative.Verdict.SUPPORTED]]
    counts += [verdicts[probative.Verdict.INSUFFICIENT], complete, holding, fooled]
    return [str(len(cases)), *(f"{100 * count / len(cases):.0f}%" for count in counts)]


def main() -> None:
    """Print a row for each set of passages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--preset", default="words", choices=("words", "embedded"))
    parser.add_argument("--questions", type=int, default=100, help="of each set")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data DIR (or PROBATIVE_DATA) says where the data sets lie")
    both = read_rgb(arguments.data / "rgb/en_fact.json")
    rows = {
        "RGB, true": [one._replace(false=()) for one in both],
        "RGB, true and false": both,
        "RGB, false": [one._replace(true=()) for one in both],
    }
    rows |= {
        f"{name}, false": read_poisoned(arguments.data / f"poisonedrag/{name}.json") for name in POISONED
    }
    encoder = probative.load_encoder()
    print(f"| {' | '.join(COLUMNS)} |\n" + "| --- " * len(COLUMNS) + "|")
    for row, cases in rows.items():
        cases = cases[: arguments.questions]
        found = run(cases, encoder, arguments.preset)
        print(f"| {row} | {' | '.join(figures(cases, found))} |", flush=True)


if __name__ == "__main__":
    main()
