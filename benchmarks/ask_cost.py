"""Measure what a question to a corpus costs: calls and tokens by step, CPU seconds, the files it visits, and
when the first evidence is there.

    python benchmarks/ask_cost.py [--questions 8] [--corpus FOLDER] [--model embedded:large]

The questions are those of the example corpus, taken at equal distances, so that all kinds occur. One question
is asked before, so that no time of loading counts; nothing comes from the cache. A call is one text that a
model reads or writes. The files are those of the package that have a function which a further question runs.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

import probative
from benchmark_report import add_keep, show, text_table
from places_to_change import with_parameter
from probative.settings import load_settings
from probative.trace import Call, Found, Observer, Step, observing

EXAMPLES = Path(__file__).parents[1] / "examples"
PACKAGE = str(Path(probative.__file__).parent)
COLUMNS = ("step", "calls", "prompt tokens", "CPU seconds")


def questions(count: int) -> list[str]:
    """Return some questions about the example corpus, at equal distances."""
    lines = (EXAMPLES / "corpus-questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(lines[number * len(lines) // count])["question"] for number in range(count)]


def calls_of(step: Step) -> Iterator[tuple[str, Call]]:
    """Yield every call of a trace with the name of its step."""
    yield from ((step.name, call) for call in step.calls)
    for inner in step.steps:
        yield from calls_of(inner)


class StepSeconds(Observer):
    """The CPU seconds of each step, without those of the steps inside it; when something was first found."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.found_after: defaultdict[str, list[float]] = defaultdict(list)
        self._open: list[tuple[float, float]] = []
        self._began = 0.0
        self._kinds: set[str] = set()

    def begin(self) -> None:
        """Start the clock of a question."""
        self._began = time.perf_counter()
        self._kinds = set()

    def found(self, found: Found) -> None:
        """Note when the first passages, the first chain and the first candidate are there."""
        if found.kind not in self._kinds:
            self._kinds.add(found.kind)
            self.found_after[found.kind].append(time.perf_counter() - self._began)

    def step_started(self, name: str) -> None:
        """Remember when the step began; the second number is what the steps inside take."""
        self._open.append((time.process_time(), 0.0))

    def step_ended(self, name: str, seconds: float) -> None:
        """Add the time of the step to its name, and to what its outer step leaves out."""
        began, inside = self._open.pop()
        whole = time.process_time() - began
        self.seconds[name] += whole - inside
        if self._open:
            started, others = self._open.pop()
            self._open.append((started, others + whole))


class VisitedFiles:
    """The files of the package whose functions run inside the `with` block, in any thread."""

    def __init__(self) -> None:
        self.files: set[str] = set()

    def __enter__(self) -> VisitedFiles:
        threading.setprofile(self._visit)
        sys.setprofile(self._visit)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _visit(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            self.files.add(frame.f_code.co_filename)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the calls of each step, the CPU seconds and the files of a question."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=8)
    parser.add_argument("--corpus", type=Path, default=EXAMPLES / "corpus", help="a folder of documents")
    parser.add_argument("--model", default="embedded")
    add_keep(parser)
    given = parser.parse_args(arguments)
    first, *others = questions(given.questions + 1)
    counts: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    settings = load_settings({"cache": False, "model": given.model, "verdict": given.model})
    with (
        tempfile.TemporaryDirectory() as index,
        probative.Session(settings=settings) as session,
        probative.Corpus.open(probative.index_folder(given.corpus, index).index) as corpus,
    ):
        session.ask(first, corpus=corpus)
        began, wall = time.process_time(), time.perf_counter()
        seconds = StepSeconds()
        for question in others:
            seconds.begin()
            with observing(seconds):
                answer = session.ask(question, corpus=corpus)
            assert answer.trace is not None
            for name, call in calls_of(answer.trace):
                counts[name] += call.usage.calls
                tokens[name] += call.usage.prompt_tokens
        cpu, wall = time.process_time() - began, time.perf_counter() - wall
        with VisitedFiles() as visited:
            session.ask(first, corpus=corpus)
        documents = corpus.documents
    n = len(others)
    rows = [
        (name, f"{counts[name] / n:.1f}", f"{tokens[name] / n:,.0f}", f"{cpu_seconds / n:.2f}")
        for name, cpu_seconds in sorted(seconds.seconds.items(), key=lambda step: -step[1])
    ]
    rows.append(("all", f"{counts.total() / n:.1f}", f"{tokens.total() / n:,.0f}", f"{cpu / n:.2f}"))
    waits = {kind: f"{statistics.median(each):.2f}" for kind, each in seconds.found_after.items()}
    with_question = with_parameter("question", map(Path, visited.files))
    finding = (
        f"The first passages are there after {waits['passages']} s, the chain after {waits['chain']} s and a "
        f"candidate after {waits['candidate']} s (medians). "
        f"A question takes {wall / n:.1f} s; one question visits {len(visited.files)} files of the package; "
        f"{len(with_question)} of them have a function with the parameter `question`."
    )
    title = f"{n} questions about {documents} documents; means a question"
    show(
        [text_table(title, COLUMNS, rows)],
        given,
        __file__,
        title="What a question to a corpus costs",
        name="ask-cost",
        models={"model": given.model, "verdict": given.model},
        findings=[finding],
    )


if __name__ == "__main__":
    main()
