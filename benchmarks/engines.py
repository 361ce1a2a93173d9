"""The embedded models side by side: how fast each scores, judges and answers on this machine.

    python benchmarks/engines.py                                    # those that are installed
    python benchmarks/engines.py --models embedded embedded:large   # these; ratios are to the first

Every model gets the same texts in one run, after a first call that is not counted, and has the best of its
rounds. A question is one `ask` over the four documents of an example, with the model's own reader and
verdict model.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import probative
from benchmark_report import add_keep, show, text_table
from probative.doctor import PASSAGES, QUESTION
from probative.models.embedded.shipped import known_names
from probative.settings import TUNED_MODELS
from scoring import written_pairs

CLAIM = "The Grey Heron was designed by somebody from Halden."


def best(run: Callable[[], Any], rounds: int) -> float:
    """Return the seconds of the fastest of some runs."""
    seconds = []
    for _ in range(rounds):
        started = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def measure(name: str, pairs: int, rounds: int) -> list[float]:
    """Return tokens a second when scoring, and the seconds of a judgement and of a question."""
    settings = probative.load_settings({"cache": False}).model_copy(update={"model": name, "verdict": None})
    with (
        probative.load_model(settings=settings) as model,
        probative.Session(model, settings=settings) as session,
    ):
        scored = [probative.Pair(prompt=prompt, continuation=claim) for prompt, claim in written_pairs(pairs)]
        model.score(scored[:4])
        score_seconds = best(lambda: model.score(scored), rounds)
        tokens = sum(score.usage.scored_tokens for score in model.score(scored))
        session.judge(CLAIM, PASSAGES)
        session.ask(QUESTION, PASSAGES)
        return [
            tokens / score_seconds,
            best(lambda: session.judge(CLAIM, PASSAGES), rounds),
            best(lambda: session.ask(QUESTION, PASSAGES), rounds),
        ]


def main() -> None:
    """Measure and show."""
    installed = [name for name in TUNED_MODELS if name in known_names()]
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--models", nargs="+", default=installed)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=2)
    add_keep(parser)
    given = parser.parse_args()
    figures = {name: measure(name, given.pairs, given.rounds) for name in given.models}
    first = figures[given.models[0]]
    rows = [
        [name, *(f"{value:,.2f} ({value / base:.2f}×)" for value, base in zip(values, first, strict=True))]
        for name, values in figures.items()
    ]
    columns = ["model", "scored tokens/s", "s a judgement", "s a question"]
    table = text_table("Embedded models on this machine", columns, rows)
    show([table], given, __file__, title="The embedded models side by side")


if __name__ == "__main__":
    main()
