"""How well a model rewrites follow-up questions: our 48 follow-ups that no model was trained on.

    python benchmarks/follow_ups.py --model embedded --model embedded:plain

"F1" is that of the words of the rewritten question and of ours, "usable" how many pass the check of
`probative.scope.follow_up`, and "usable, F1 from 0.8" how many of all are usable and nearly ours. The first
row is the follow-up as it was asked, and the second our own question: the check refuses one that brings a
name which the conversation does not have.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmark_report import add_keep, show, text_table

sys.path.append(str(Path(__file__).parents[1]))  # for a benchmark that runs as a script
from probative import load_model
from probative.bench.metrics import answer_f1, exact_match
from probative.scope.follow_up import Turn, fault_of, rewriting_request
from training.large.documents import read_documents

GOOD = 0.8


class FollowUp(NamedTuple):
    """A follow-up, the turns before it, and the question on its own."""

    asked: str
    turns: tuple[Turn, ...]
    alone: str


def follow_ups() -> list[FollowUp]:
    """Return the follow-ups of the documents that are measured while we work."""
    return [
        FollowUp(
            entry["follow_up"],
            tuple(Turn(question=turn["q"], answer=turn["a"]) for turn in entry["before"]),
            entry["alone"],
        )
        for bundle in read_documents("tune")
        for entry in bundle.get("follow_ups", ())
    ]


def rewritten(name: str, asked: Sequence[FollowUp]) -> list[str]:
    """Return what a model writes for each follow-up."""
    model = load_model(name)
    requests = [rewriting_request(each.asked, each.turns, model) for each in asked]
    return [completion.text.strip() for completion in model.generate(requests)]


def row(name: str, written: Sequence[str], asked: Sequence[FollowUp]) -> list[str]:
    """Return the figures of what was written for each follow-up."""
    scores = [answer_f1(text, each.alone) for text, each in zip(written, asked, strict=True)]
    usable = [
        fault_of(text, each.asked, each.turns) is None for text, each in zip(written, asked, strict=True)
    ]
    good = sum(ok and score >= GOOD for ok, score in zip(usable, scores, strict=True))
    exact = sum(exact_match(text, each.alone) for text, each in zip(written, asked, strict=True))
    return [name, f"{exact:.0f}", f"{100 * sum(scores) / len(scores):.1f}", f"{sum(usable)}", f"{good}"]


def main(words: Sequence[str] | None = None) -> None:
    """Measure models, and print what one row stands for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", action="append", default=[], help="a model; may be repeated")
    parser.add_argument("--texts", action="store_true", help="print what the models write")
    add_keep(parser)
    given = parser.parse_args(words)
    asked = follow_ups()
    rows = [row("as asked", [each.asked for each in asked], asked)]
    rows.append(row("our question", [each.alone for each in asked], asked))
    for name in given.model:
        written = rewritten(name, asked)
        rows.append(row(name, written, asked))
        if given.texts:
            for each, text in zip(asked, written, strict=True):
                print(f"{each.asked}\n  {text}\n  {each.alone}")
    columns = ["written by", "exact", "F1", "usable", f"usable, F1 from {GOOD}"]
    table = text_table(f"{len(asked)} follow-ups", columns, rows)
    show([table], given, __file__, title="Follow-up questions", models=dict.fromkeys(given.model))


if __name__ == "__main__":
    main()
