"""How long a filter of the list of runs takes with many kept runs.

    python benchmarks/server_runs.py [--runs 100000]

Runs with made-up titles, requests and results are written to a new file. Each filter is asked five times.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from probative.server.runs.run import Run, RunState, VerbName, now
from probative.server.runs.search import RunFilter
from probative.server.runs.store import RunStore

VERBS: tuple[VerbName, ...] = ("ask", "verify", "prove")
TIMES = 5
# Commits gather what many threads ask for.
THREADS = 64


def made_up_words(count: int) -> list[str]:
    """Return words of 3 to 9 letters."""
    draw = random.Random(17)
    return ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(3, 9))) for _ in range(count)]


def fill(store: RunStore, runs: int, words: list[str]) -> None:
    """Keep this many runs that are done."""

    def keep(number: int) -> None:
        draw = random.Random(number)
        title = " ".join(draw.choices(words, k=12))
        run = Run(
            id=f"run-{number}", verb=draw.choice(VERBS), title=title, state=RunState.QUEUED, created=now()
        )
        store.add(run, {"question": title, "passages": [" ".join(draw.choices(words, k=60))]})
        verdict = draw.choice(("supported", "insufficient"))
        done = run.model_copy(update={"state": RunState.DONE, "verdict": verdict})
        store.finish(done, json.dumps({"answer": " ".join(draw.choices(words, k=300))}))

    with ThreadPoolExecutor(THREADS) as pool:
        for _ in pool.map(keep, range(runs)):
            pass


def main() -> None:
    """Fill a file and print the seconds of each filter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=100_000)
    options = parser.parse_args()
    words = made_up_words(5_000)
    filters = {
        "none": RunFilter(),
        "a verb": RunFilter(verb="ask"),
        "a state that none has": RunFilter(state=RunState.FAILED),
        "a verdict": RunFilter(verdict="supported"),
        "a word": RunFilter(text=words[7]),
        "a word that none has": RunFilter(text="zzzzzzzz"),
        "everything": RunFilter(verb="ask", state=RunState.DONE, verdict="supported", text=words[9]),
    }
    with tempfile.TemporaryDirectory() as folder:
        store = RunStore(Path(folder) / "runs.sqlite")
        fill(store, options.runs, words)
        megabytes = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
        print(f"{options.runs:,} runs, {megabytes:.0f} MB")
        print(f"{'filter':24}{'runs':>10}{'median ms':>12}{'slowest ms':>12}")
        for name, chosen in filters.items():
            seconds = []
            for _ in range(TIMES):
                start = time.perf_counter()
                total = store.newest(50, chosen).total
                seconds.append(time.perf_counter() - start)
            seconds.sort()
            print(f"{name:24}{total:>10,}{1000 * seconds[TIMES // 2]:>12.1f}{1000 * seconds[-1]:>12.1f}")
        store.close()


if __name__ == "__main__":
    main()
