"""The quick set: the speed benchmarks with small settings, and experiments with few cases.

    python benchmarks/quick.py                           # what needs no data set
    python benchmarks/quick.py --data DIR [--limit 1]    # and every experiment on its data

Ends within --minutes (14), whatever the machine: each step has a share of the time that is left, and is
stopped when that is over. The last table says how long each step took and whether it ended. A step that fails
makes the exit code 1; one that was stopped does not. --out keeps the runs and what the steps printed.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from benchmark_report import add_keep, show, text_table
from probative.bench.registry import all_experiments
from probative.bench.study import Study

HERE = Path(__file__).parent
# A step may take this many times its equal share of the time that is left, and leaves this part of an equal
# share to each of the others.
GENEROSITY, RESERVED = 3.0, 0.3
BENCHMARKS: dict[str, tuple[str, ...]] = {
    "client": ("--requests", "640"),
    "scope_cost": ("--questions", "2"),
    "give_cost": ("--questions", "10"),
    "mcse_cost": ("--claims", "1"),
    "policy_cost": (),
    "judge_cost": ("--claims", "2", "--sentences", "3", "10"),
    "session": ("--only", "calls,batches"),
    "graph": ("--nodes", "80000", "--edges", "200000"),
    "veracity_fit": ("--nodes", "3000", "--edges", "20000"),
    "scoring": ("--pairs", "40", "--rounds", "1"),
}
# What makes experiments small enough for two cores; all patterns that fit a name count.
SMALL: dict[str, tuple[str, ...]] = {
    "mcse-*": ("max_candidates=5", "lookahead=1", "trajectories=2"),
    "mcse-search-size": ("pools=2", "steps=0,1"),
    "give-*": ("preset=small",),
    "give-[!ct]*": ("sets=pubmedqa",),
    "give-connections": ("sets=pubmedqa",),
    "give-commonsense": ("parts=10", "methods=give,rag"),
    "give-truthful": ("percent=10",),
    "give-biomedical": ("methods=give,rag",),
    "give-e[nx]*s": ("counts=0,1",),
    "leaderboard": ("methods=scope,rag",),
    "reason": ("sets=pubmedqa",),
    "reason-options": ("sets=pubmedqa",),
}


@dataclass(frozen=True)
class Step:
    """A command with a name."""

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """How a step ended: "done", "stopped" or "failed with CODE", and after how many seconds."""

    step: Step
    end: str
    seconds: float


def benchmark_steps() -> list[Step]:
    """Return the speed benchmarks; none reads a data set."""
    return [
        Step(f"benchmarks/{name}.py", (sys.executable, str(HERE / f"{name}.py"), *words))
        for name, words in BENCHMARKS.items()
    ]


def experiment_steps(experiments: Sequence[Study], data: Path | None, out: Path, limit: int) -> list[Step]:
    """Return the experiments: all of them, or without data those that need none."""
    return [
        Step(experiment.name, experiment_command(experiment, data, out / experiment.name, limit))
        for experiment in experiments
        if data is not None or not experiment.data
    ]


def experiment_command(experiment: Study, data: Path | None, out: Path, limit: int) -> tuple[str, ...]:
    """Return the command of an experiment with few cases, and with small options."""
    words = [sys.executable, "-m", "probative", "bench", "run", experiment.name]
    words += ["--data", str(data or out.parent), "--out", str(out), "--limit", str(limit), "--repeats", "1"]
    if experiment.needs_judge:
        words += ["--judge-model", "embedded:plain"]
    for option in small_options(experiment.name):
        words += ["--option", option]
    return tuple(words)


def small_options(name: str) -> list[str]:
    """Return the options that make an experiment small.

    >>> small_options("mcse-hops")
    ['max_candidates=5', 'lookahead=1', 'trajectories=2']
    """
    return [option for pattern, options in SMALL.items() if fnmatch(name, pattern) for option in options]


def run_steps(steps: Sequence[Step], seconds: float, logs: Path) -> list[Outcome]:
    """Run the steps one after the other within a time; what each prints goes into a file of `logs`."""
    end = time.monotonic() + seconds
    outcomes = []
    for number, step in enumerate(steps):
        left = end - time.monotonic()
        equal = left / (len(steps) - number)
        share = min(GENEROSITY * equal, left - RESERVED * equal * (len(steps) - number - 1))
        outcomes.append(run_step(step, share, logs / f"{Path(step.name).stem}.txt"))
        print(f"{step.name}: {outcomes[-1].end} after {outcomes[-1].seconds:.0f} s", flush=True)
    return outcomes


def run_step(step: Step, seconds: float, log: Path) -> Outcome:
    """Run a step, and stop it with all its processes when its time is over."""
    started = time.monotonic()
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            step.command, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            code = process.wait(timeout=max(seconds, 0.1))
            end = "done" if code == 0 else f"failed with {code}"
        except subprocess.TimeoutExpired:
            end = "stopped"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return Outcome(step, end, time.monotonic() - started)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the quick set, and print how long each step took; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA") or None)
    parser.add_argument("--limit", type=int, default=1, help="cases of each kind (default: 1)")
    parser.add_argument("--minutes", type=float, default=14.0, help="end within this time (default: 14)")
    parser.add_argument("--out", type=Path, help="keep runs and logs here (default: nowhere)")
    parser.add_argument("--only", default="", help="only steps whose names begin so, with commas between")
    add_keep(parser)
    given = parser.parse_args(arguments)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        out = given.out or Path(scratch)
        out.mkdir(parents=True, exist_ok=True)
        steps = [*benchmark_steps(), *experiment_steps(all_experiments(), given.data, out, given.limit)]
        steps = [step for step in steps if step.name.startswith(tuple(given.only.split(",")))]
        outcomes = run_steps(steps, given.minutes * 60, out)
        failed = [outcome for outcome in outcomes if outcome.end.startswith("failed")]
        for outcome in failed:
            tail = (out / f"{Path(outcome.step.name).stem}.txt").read_text(encoding="utf-8")[-1500:]
            print(f"\n{outcome.step.name} {outcome.end}:\n{tail}", file=sys.stderr)
    rows = [(outcome.step.name, outcome.end, f"{outcome.seconds:.0f}") for outcome in outcomes]
    done = sum(outcome.end == "done" for outcome in outcomes)
    minutes = (time.monotonic() - started) / 60
    table = text_table("Steps of the quick set", ("step", "ended", "seconds"), rows)
    finding = f"{done} of {len(outcomes)} steps ended; the whole took {minutes:.1f} minutes."
    show([table], given, __file__, title="How long the quick set takes", findings=[finding])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
