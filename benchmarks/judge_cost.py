"""Measure the cost of a verdict: tokens and seconds a claim, one by one and in batches, on this machine.

    python benchmarks/judge_cost.py [--claims 8] [--sentences 3 10 20]

The model is opened and used once before; nothing comes from the cache. "read" is what the model reads for a
claim, the evidence that is read twice included; "words" are those of the claim and its evidence.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import probative
from benchmark_report import add_keep, show, text_table
from probative.settings import load_settings

COLUMNS = (
    "sentences",
    "claims",
    "words",
    "tokens read a claim",
    "s a claim, one by one",
    "s a claim, together",
)
TOWNS = ("Aske", "Birk", "Coll", "Dorn", "Eide", "Farn", "Gorm", "Hove")
KINDS = ("mill", "bridge", "school", "harbour", "chapel", "station", "market", "library")


def sentence(number: int) -> str:
    """Return a sentence of usual length about a thing of its own.

    >>> sentence(9)
    'The bridge of Birk was built in 1809 by a guild of 14 masons, all in white.'
    """
    town, kind = TOWNS[number % len(TOWNS)], KINDS[number % len(KINDS)]
    return (
        f"The {kind} of {town} was built in {1800 + number} by a guild of {5 + number} masons, all in white."
    )


def cases(sentences: int, claims: int) -> list[probative.JudgeCase]:
    """Return claims with as many sentences of evidence each, all different."""
    return [
        probative.JudgeCase(
            claim=sentence(first).replace("was built in", "dates from").split(" by")[0] + ".",
            evidence=tuple(sentence(first + step) for step in range(sentences)),
        )
        for first in range(0, claims * 31, 31)
    ]


def measure(session: probative.Session, sentences: int, claims: int) -> list[str]:
    """Return a row of the table."""
    own = cases(sentences, claims)
    began = time.perf_counter()
    judged = [session.judge(case.claim, case.evidence) for case in own]
    alone = time.perf_counter() - began
    began = time.perf_counter()
    outcomes = list(session.judge_all(own))
    together = time.perf_counter() - began
    assert len(outcomes) == claims
    tokens = sum(judgement.usage.prompt_tokens for judgement in judged) / claims
    words = sum(len(f"{case.claim} {' '.join(case.evidence)}".split()) for case in own) / claims
    seconds = (f"{alone / claims:.2f}", f"{together / claims:.2f}")
    return [str(sentences), str(claims), f"{words:.0f}", f"{tokens:.0f}", *seconds]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=8)
    parser.add_argument("--sentences", type=int, nargs="+", default=[3, 10, 20])
    add_keep(parser)
    options = parser.parse_args(arguments)
    with probative.Session(settings=load_settings({"cache": False})) as session:
        session.judge("It rained.", "The street was wet.")
        rows = [measure(session, sentences, options.claims) for sentences in options.sentences]
    table = text_table("A claim by the number of sentences of its evidence", COLUMNS, rows)
    show([table], options, __file__, title="What a verdict costs", models={"verdict": "embedded"})


if __name__ == "__main__":
    main()
