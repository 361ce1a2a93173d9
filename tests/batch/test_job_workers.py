"""A batch in workers: the results of a batch in this process, whatever happens to the workers."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from json_lines import write_lines

from probative import InputError, Session, Usage, WorkerError
from probative.batch.job import GROUP, BatchJob, GroupResult, RunnerRun, max_active
from probative.batch.verb_files import verb_file
from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import SearchFilters
from probative.corpus.indexing import index_folder
from probative.graph.graph import Graph
from probative.models.budget import Budget
from probative.runners.processes import Processes
from probative.settings import Settings
from probative.testing import LoopbackServer, ScriptedModel
from probative.types import Value

CLAIMS = [
    {"id": n, "claim": f"Ferry {n} sails at {n} o'clock.", "sentences": ["It rains.", f"Ferry {n} sails."]}
    for n in range(40)
]


def results(path: Path) -> list[dict[str, Any]]:
    """Return the lines of an output without the times."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line.get("usage", {}).pop("seconds", None)
    return lines


class Text(Value):
    text: str
    usage: Usage = Usage()


class ScriptedRunner:
    """A runner whose worker answers with the text of a line, and dies of a line that says so."""

    def __init__(self) -> None:
        self.groups: list[int] = []
        self.jobs: list[BatchJob] = []

    @contextmanager
    def open(self, job: Any) -> Iterator[ScriptedRunner]:
        self.jobs.append(job)
        yield self

    def run(self, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        for number, lines in reversed(list(enumerate(tasks))):
            self.groups.append(len(lines))
            if any(line["text"] == "die" for line in lines):
                yield number, WorkerError("killed")
            else:
                outcomes = [(index, Text(text=line["text"])) for index, line in enumerate(lines)]
                yield number, GroupResult(outcomes, {"model": "m"})


def test_a_line_that_ends_every_worker_costs_only_its_own_result() -> None:
    lines = [{"text": str(n)} for n in range(200)]
    lines[50] = {"text": "die"}
    runner = ScriptedRunner()
    with Session() as session:
        run = RunnerRun(session, "reason", {"embedding": print, "seed": 3}, runner)
        outcomes = dict(run(lines))
    assert isinstance(outcomes.pop(50), WorkerError)
    assert {index: outcome.text for index, outcome in outcomes.items()} == {  # type: ignore[union-attr]
        index: str(index) for index in range(200) if index != 50
    }
    assert runner.groups.count(GROUP) == 25
    assert runner.groups.count(1) == GROUP
    assert run.weights == {"model": "m"}
    assert dict(runner.jobs[0].arguments) == {"seed": 3}


def test_what_workers_cannot_open_is_refused() -> None:
    with Session(ScriptedModel(generate="x")) as session, pytest.raises(InputError, match="names of models"):
        RunnerRun(session, "ask", {}, ScriptedRunner())
    with (
        Session(budget=Budget(calls=3)) as session,
        pytest.raises(InputError, match="budget in the settings"),
    ):
        RunnerRun(session, "ask", {}, ScriptedRunner())


def test_a_worker_of_another_version_is_refused() -> None:
    job = BatchJob("ask", Settings(), version="0.0.0")
    with pytest.raises(InputError, match=r"the run 0\.0\.0"), job.open(lambda *_: None, None):  # type: ignore[arg-type]
        pass


def test_folders_of_the_settings_are_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    runner = ScriptedRunner()
    with Session(settings=Settings(home=Path("home"))) as session:
        list(RunnerRun(session, "ask", {}, runner)([{"text": "a"}]))
    assert runner.jobs[0].settings.home == tmp_path / "home"
    assert runner.jobs[0].settings.prompts is None


@pytest.mark.slow
def test_processes_write_the_lines_of_this_process_and_go_on(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", *CLAIMS, {"id": "bad", "claim": "c"})
    options: dict[str, Any] = {"k": 1, "method": "bm25", "verdict": False}
    with Session() as session:
        here = verb_file("prove", source, tmp_path / "here.jsonl", session=session, **options)
        verb_file(
            "prove",
            source,
            tmp_path / "there.jsonl",
            session=session,
            runner=Processes(2),
            limit=7,
            **options,
        )
        there = verb_file(
            "prove", source, tmp_path / "there.jsonl", session=session, runner=Processes(2), **options
        )
    assert results(tmp_path / "there.jsonl") == results(tmp_path / "here.jsonl")
    assert (there.done, there.failed, there.settings) == (here.done, here.failed, here.settings)
    assert there.done == 40


@pytest.mark.slow
def test_a_killed_worker_loses_nothing_and_the_budget_is_one(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", *CLAIMS)
    killed: list[int] = []

    def answer(text: str) -> str:
        if not killed and (children := multiprocessing.active_children()):
            killed.append(children[0].pid or 0)
            children[0].kill()
        return "[2]"

    with LoopbackServer(answer=answer) as server:
        settings = Settings(model="openai:m", base_url=server.base_url, home=tmp_path / "home", cache=False)
        with Session(settings=settings) as session:
            here = verb_file("annotate", source, tmp_path / "here.jsonl", session=session)
            assert not killed
            there = verb_file(
                "annotate", source, tmp_path / "there.jsonl", session=session, runner=Processes(2)
            )
        assert killed
        assert results(tmp_path / "there.jsonl") == results(tmp_path / "here.jsonl")
        assert (there.done, there.usage.calls) == (here.done, here.usage.calls) == (40, 40)
        frugal = settings.model_copy(update={"budget_calls": 10})
        with Session(settings=frugal) as session:
            manifest = verb_file(
                "annotate", source, tmp_path / "frugal.jsonl", session=session, runner=Processes(2)
            )
    assert (manifest.done, manifest.failed) == (10, 30)
    assert manifest.failures[0].type == "BudgetError"


@pytest.mark.slow
@pytest.mark.parametrize("stored", [False, True])
def test_a_graph_reaches_the_workers(stored: bool, tmp_path: Path) -> None:
    graph = Graph.from_triples([("willow bark", "eases", "headache"), ("thyme", "eases", "cough")])
    if stored:
        graph.save(tmp_path / "graph")
    source = write_lines(
        tmp_path / "in.jsonl", *({"id": n, "question": f"Does thyme ease cough {n}?"} for n in range(4))
    )
    with LoopbackServer(answer=lambda _: "yes") as server:
        settings = Settings(model="openai:m", base_url=server.base_url, home=tmp_path / "home", cache=False)
        with Session(settings=settings) as session:
            for name, runner in (("here", None), ("there", Processes(2))):
                verb_file(
                    "reason",
                    source,
                    tmp_path / f"{name}.jsonl",
                    session=session,
                    graph=graph,
                    method="direct",
                    runner=runner,
                )
    assert results(tmp_path / "there.jsonl") == results(tmp_path / "here.jsonl")


def rounded(number: str) -> float:
    """Return a probability without the digits that the size of a batch may change."""
    return round(float(number), 4)


@pytest.mark.slow
def test_a_corpus_reaches_the_workers_with_its_filters(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for n in range(6):
        (folder / f"log{n}.txt").write_text(f"Ferry {n} leaves at {n} o'clock. It rained.", encoding="utf-8")
    source = write_lines(
        tmp_path / "in.jsonl", *({"id": n, "question": f"When does ferry {n} leave?"} for n in range(6))
    )
    index_folder(folder, tmp_path / "index", vectors=False)
    filters = SearchFilters(sources=("log1.txt", "log2.txt"))
    with LoopbackServer(answer=lambda text: str(len(text))) as server:
        settings = Settings(model="openai:m", base_url=server.base_url, cache=False)
        with (
            Session(settings=settings) as session,
            Corpus.open(tmp_path / "index", filters=filters) as corpus,
        ):
            for name, runner in (("here", None), ("there", Processes(2))):
                target = tmp_path / f"{name}.jsonl"
                verb_file("ask", source, target, session=session, corpus=corpus, method="rag", runner=runner)
    here, there = results(tmp_path / "here.jsonl"), results(tmp_path / "there.jsonl")
    for line in (*here, *there):
        line["usage"].pop("calls")  # lines of a group share the call that encodes their questions
    here, there = (json.loads(json.dumps(lines), parse_float=rounded) for lines in (here, there))
    assert there == here
    assert {line["passages"] for line in there} == {2}


SCRIPT = """
import json, sys
from pathlib import Path
from probative import Session
from probative.batch.verb_files import verb_file
from probative.runners.choice import parse_runner

folder = Path(sys.argv[1])
with Session() as session:
    options = {"k": 1, "method": "bm25", "verdict": False, "session": session}
    verb_file("prove", folder / "in.jsonl", folder / "here.jsonl", **options)
    verb_file("prove", folder / "in.jsonl", folder / "ray.jsonl", runner=parse_runner("ray", 1), **options)
"""


@pytest.mark.slow
def test_ray_writes_the_lines_of_this_process(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    write_lines(tmp_path / "in.jsonl", *CLAIMS)
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "script.py"), str(tmp_path)],
        env={**os.environ, "HOME": str(tmp_path)},  # Ray writes a token into the home folder
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert results(tmp_path / "ray.jsonl") == results(tmp_path / "here.jsonl")


@pytest.mark.parametrize(
    ("model", "device", "cases"),
    [
        ("embedded", None, 8),
        ("embedded:large", "cpu", 1),
        ("embedded:large", "cuda", 8),
        ("openai:x", None, 64),
    ],
)
def test_results_of_a_slow_model_come_one_by_one(model: str, device: str | None, cases: int) -> None:
    with Session(ScriptedModel(), settings=Settings(model=model, device=device)) as session:
        assert max_active(session, "judge") == cases
