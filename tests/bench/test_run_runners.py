"""A run with worker processes has the rows and the report of a run without them."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from bench_plugin import write_data

from probative import AuthError, BudgetError, CapabilityError, InputError, load_settings
from probative.bench.registry import load_experiment
from probative.bench.report import RunReport
from probative.bench.run import run_experiment
from probative.bench.run_folder import Manifest, RunFolder
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.runners.choice import parse_runner
from probative.testing import LoopbackServer, ScriptedModel

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("plugin")]

COPIES = 15
REPORTS = ("report.json", "report.md", "report.html")


def reply(prompt: str) -> str:
    if "Given answer:" in prompt:
        return "Yes." if "Ada Berg" in prompt else "no"
    return "Ada Berg"


def run(data: Path, out: Path, server: LoopbackServer, runner: str, **settings: object) -> RunReport:
    chosen = load_settings(
        {
            "model": "openai:studied",
            "judge_model": "openai:judge",
            "base_url": server.base_url,
            "cache": False,
            "concurrency": 2,
            **settings,
        }
    )
    return run_experiment(
        load_experiment("harbour-closed-book"),
        Settings(data=data),
        out,
        Models(chosen),
        runner=parse_runner(runner),
    )


def asked(server: LoopbackServer) -> Counter[str]:
    return Counter(str(body["messages"]) for body in server.bodies)


def same(first: Path, second: Path) -> bool:
    def lines(folder: Path) -> list[str]:
        return sorted((folder / "rows.jsonl").read_text(encoding="utf-8").splitlines())

    return lines(first) == lines(second) and all(
        (first / name).read_bytes() == (second / name).read_bytes() for name in REPORTS
    )


def manifest_of(out: Path) -> Manifest:
    manifest = RunFolder(out).manifest()
    assert manifest is not None
    return manifest


def paid_for(out: Path) -> dict[str, object]:
    return {name: count for name, count in manifest_of(out).spent.to_dict().items() if name != "seconds"}


def killing_at(*counts: int) -> Callable[[str], str]:
    """Return a server's answer function that kills a worker at these numbers of requests."""
    seen = 0

    def answer(prompt: str) -> str:
        nonlocal seen
        seen += 1
        if seen in counts:
            multiprocessing.active_children()[0].kill()
        return reply(prompt)

    return answer


@pytest.fixture
def many(tmp_path: Path) -> Path:
    return write_data(tmp_path / "many", copies=COPIES)


def test_processes_give_the_same_rows_and_report(many: Path, tmp_path: Path) -> None:
    with LoopbackServer(answer=reply) as server:
        run(many, tmp_path / "one", server, "local")
    with LoopbackServer(answer=reply) as other:
        run(many, tmp_path / "three", other, "local:3")
    assert asked(server) == asked(other)
    assert same(tmp_path / "one", tmp_path / "three")
    one, three = manifest_of(tmp_path / "one"), manifest_of(tmp_path / "three")
    assert one.weights.keys() == three.weights.keys() == {"model"}
    assert paid_for(tmp_path / "one") == paid_for(tmp_path / "three")
    assert one.spent.calls == COPIES * 8


def test_killed_workers_lose_nothing(many: Path, tmp_path: Path) -> None:
    kills = (5, 25, 45)
    with LoopbackServer(answer=reply) as server:
        run(many, tmp_path / "whole", server, "local")
    with LoopbackServer(answer=killing_at(*kills)) as other:
        report = run(many, tmp_path / "killed", other, "local:2")
    assert report.failed == 0
    assert set(asked(other)) == set(asked(server))
    # Only what a worker had on its way when it was killed is asked once more.
    assert asked(other).total() - asked(server).total() <= len(kills)
    assert same(tmp_path / "whole", tmp_path / "killed")
    assert paid_for(tmp_path / "killed") == paid_for(tmp_path / "whole")


def test_a_run_goes_on_with_another_runner(many: Path, tmp_path: Path) -> None:
    with LoopbackServer(answer=reply) as server:
        with pytest.raises(BudgetError, match="30 calls"):
            run(many, tmp_path / "run", server, "local:2", budget_calls=30)
        # The workers have one budget together.
        assert len(server.bodies) <= 30
        run(many, tmp_path / "run", server, "local")
        assert set(asked(server).values()) <= {1, 2}
        assert asked(server).total() <= COPIES * 8 + 2  # each of two workers may have had a call on its way
        run(many, tmp_path / "whole", server, "local")
    assert same(tmp_path / "run", tmp_path / "whole")


def test_a_refused_key_ends_the_run(data: Path, tmp_path: Path) -> None:
    with LoopbackServer(api_key="right") as server, pytest.raises(AuthError):
        run(data, tmp_path / "run", server, "local:2", api_key="wrong")
    assert not (tmp_path / "run/report.md").exists()
    assert multiprocessing.active_children() == []


def test_models_that_workers_cannot_open_are_refused(data: Path, tmp_path: Path) -> None:
    def refused(model: ScriptedModel, error: type[Exception], message: str) -> None:
        models = Models(load_settings({"cache": False}), model=model)
        experiment, settings = load_experiment("harbour-closed-book"), Settings(data=data)
        with pytest.raises(error, match=message):
            run_experiment(experiment, settings, tmp_path / "run", models, runner=parse_runner("local:2"))

    refused(ScriptedModel(), CapabilityError, "cannot generate")
    refused(ScriptedModel(generate=lambda request: "no"), InputError, "cannot be sent to another process")
    assert not (tmp_path / "run/rows.jsonl").exists()
