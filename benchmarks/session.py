"""What a session saves: a second call against the first, memory of threads, batches, and work after a kill.

    python benchmarks/session.py                    # everything on the embedded models
    python benchmarks/session.py --only calls,kill  # some of it: calls, memory, batches, kill

Ratios are measured side by side in one run. Memory is that of fresh processes, each with its threads.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import probative
from benchmark_report import add_keep, show, text_table
from probative.engine.methods import Tools
from probative.engine.runner import run_searches
from probative.engine.search import Search, encode, weigh
from probative.models.evidence_policy import PolicyState
from probative.models.loading import load_policy
from probative.settings import load_settings

CLAIM = "The ferry was built before the bridge was opened."
TEXT = (
    "The ferry Skua was built in 1921. Its hull is of oak. The bridge over the sound was opened in 1938. "
    "Gulls follow the boats. Tickets cost two crowns. The harbour freezes in hard winters."
)
CASES = 64

Rows = list[tuple[str, str, str, str]]
"""What was measured, without and with a shared session, and the ratio."""

# A process that proves the same claim in several threads and prints its highest memory in megabytes, as Linux
# tells it: getrusage would count that of the process that started it, too.
MEMORY = """
import pathlib, sys, threading, probative
claim, text, count, shared = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "shared"
def run():
    if shared:
        probative.prove(claim, text, 2)
    else:
        with probative.load_model() as model:
            probative.prove(claim, text, 2, model=model)
threads = [threading.Thread(target=run) for _ in range(count)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
status = pathlib.Path("/proc/self/status").read_text().split()
print(int(status[status.index("VmHWM:") + 1]) / 1024)
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the parts that were named, and print a row for each thing that was measured."""
    parts: dict[str, Callable[[], Rows]] = {
        "calls": calls,
        "memory": memory,
        "batches": batches,
        "kill": kill,
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default=",".join(parts), help="calls, memory, batches, kill")
    add_keep(parser)
    given = parser.parse_args(arguments)
    rows = [row for name in given.only.split(",") for row in parts[name]()]
    table = text_table("With and without a shared session", ("what", "without", "with", "ratio"), rows)
    show([table], given, __file__, title="What a session saves", models={"model": "embedded"})


def calls() -> Rows:
    """Time the first and the second call of a verb in one process, and a second call on another claim."""
    settings = load_settings({"cache": False})
    seconds = [timed(lambda: probative.prove(CLAIM, TEXT, 2, settings=settings)) for _ in range(2)]
    other = timed(lambda: probative.prove(CLAIM.replace("ferry", "boat"), TEXT, 2, settings=settings))
    first = f"{seconds[0]:.2f} s (first call)"
    return [
        ("a second `prove`, no cache", first, f"{seconds[1]:.2f} s", _fraction(seconds[0], seconds[1])),
        ("`prove` of another claim, no cache", first, f"{other:.2f} s", _fraction(seconds[0], other)),
    ]


def _fraction(whole: float, part: float) -> str:
    return f"1/{whole / part:.1f}"


def memory() -> Rows:
    """Compare the memory of 8 threads with that of 1, on the shared session and with a model each."""
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for threads in (1, 8):
            each, shared = (peak_memory(threads, kind, Path(folder)) for kind in ("a model each", "shared"))
            name = f"memory of {threads} thread{'s' if threads > 1 else ''}"
            rows.append((name, f"{each:,.0f} MB", f"{shared:,.0f} MB", _fraction(each, shared)))
        return rows


def peak_memory(threads: int, sharing: str, folder: Path) -> float:
    """Return the highest memory in megabytes of a process with this many threads."""
    command = [sys.executable, "-c", MEMORY, CLAIM, TEXT, str(threads), sharing]
    environment = {**os.environ, "PROBATIVE_CACHE": "false"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=folder)
    return float(done.stdout)


class Counting:
    """Counts the calls of an encoder or a policy and passes them on."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.batches: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def encode_each(self, texts: Sequence[str]) -> Any:
        """Pass the texts on, and count them."""
        self.batches.append(len(texts))
        return self._inner.encode_each(texts)

    def weigh_each(self, states: Sequence[PolicyState]) -> Any:
        """Pass the decisions on, and count them."""
        self.batches.append(len(states))
        return self._inner.weigh_each(states)


def encoding(number: int) -> Search[int]:
    """Ask for the vectors of two texts."""
    vectors = yield from encode([f"Ferry {number} sails at noon.", CLAIM], step="judgement")
    return len(vectors)


def weighing(number: int) -> Search[int]:
    """Ask for one decision of the policy."""
    state = PolicyState(f"Ferry {number} was built in 1921.", (), tuple(TEXT.split(". ")))
    scores = yield from weigh([state], step="evidence")
    return len(scores)


def batches() -> Rows:
    """Count the batches of 64 cases, and time them against one case after the other."""
    encoder, policy = probative.load_encoder(), load_policy()
    encoder.encode(["warm"])
    policy.weigh([PolicyState("warm", (), ("up",))])
    rows = []
    for name, search in (("encode", encoding), ("weigh", weighing)):
        counting = Counting(encoder if name == "encode" else policy)
        tools = Tools(_none, lambda counting=counting: counting, lambda counting=counting: counting)  # type: ignore[misc]
        together = timed(lambda: list(run_searches((search(n) for n in range(CASES)), tools)))  # noqa: B023
        batches = len(counting.batches)
        alone = timed(
            lambda: [list(run_searches([search(n)], tools)) for n in range(CASES)]  # noqa: B023
        )
        one_by_one = f"{CASES} batches, {alone:.2f} s"
        at_once = f"{batches} batch of {counting.batches[0]}, {together:.2f} s"
        rows.append((f"`{name}` for {CASES} cases", one_by_one, at_once, _fraction(alone, together)))
    return rows


def _none() -> Any:
    raise AssertionError("no language model is needed")


# A process that answers a question over a graph, and prints its progress. It asks the model about every
# candidate: with what the graph states or teaches, there would be one call.
WORK = """
import json, sys, probative
graph = [tuple(triple) for triple in json.loads(sys.argv[1])]
show = lambda usage: print(usage.to_json(), flush=True)
answer = probative.reason(sys.argv[2], graph, facts=False, veracity="scored", progress=show)
print(json.dumps({"done": answer.usage.to_dict()}), flush=True)
"""


def kill() -> Rows:
    """Kill a `reason` after each round until it is through: what it did before is in the cache."""
    graph = [[f"herb {n}", "eases", f"pain {n % 7}"] for n in range(60)]
    question = "Does herb 3 ease pain 5?"
    with tempfile.TemporaryDirectory() as home:
        real = load_settings().weights_folder
        (Path(home) / "weights").symlink_to(real, target_is_directory=True)
        environment = {**os.environ, "PROBATIVE_HOME": home}
        command = [sys.executable, "-c", WORK, json.dumps(graph), question]
        kills, rounds = 0, 1
        while True:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=home)
            assert process.stdout is not None
            last = ""
            for number, line in enumerate(process.stdout, 1):
                last = line
                if number > rounds and "done" not in line:
                    os.kill(process.pid, signal.SIGKILL)
                    break
            process.wait()
            process.stdout.close()
            if "done" in last:
                break
            kills, rounds = kills + 1, rounds + 1
        usage = json.loads(last)["done"]
        new = usage["calls"]
        saved = f"{usage['cached']} results from the cache, {new} calls made"
        return [(f"`reason`, killed {kills} times, once a round", "", saved, "")]


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that some work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
