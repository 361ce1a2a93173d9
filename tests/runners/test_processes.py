"""Tasks in several processes: the same results, whatever happens to the processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from processes import started
from runner_jobs import SquareJob

from probative import InputError, WorkerError
from probative.runners.choice import InProcess, parse_runner
from probative.runners.contract import Job, Runner
from probative.runners.processes import Processes

pytestmark = pytest.mark.slow


def results(runner: Runner, job: Job, tasks: list[object]) -> dict[int, object]:
    with runner.open(job) as pool:
        return dict(pool.run(tasks))


def notes(diary: Path) -> list[str]:
    return diary.read_text(encoding="utf-8").splitlines()


def alive(process: int) -> bool:
    """Return whether a process runs; one that has ended but was not waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize("runner", ["local", "local:1", "local:3"])
@pytest.mark.parametrize("width", [1, 6])
def test_every_task_has_its_result(runner: str, width: int, tmp_path: Path) -> None:
    job = SquareJob(tmp_path / "diary", width)
    assert results(parse_runner(runner), job, list(range(20))) == {n: n * n for n in range(20)}
    lines = Counter(notes(job.diary))
    assert all(lines[f"task {n}"] == 1 for n in range(20))
    opened = [line for line in lines if line.startswith("open")]
    assert len(opened) == (1 if runner == "local" else int(runner[-1]))


def test_workers_stay_for_the_next_tasks_and_only_those_needed_are_started(tmp_path: Path) -> None:
    job = SquareJob(tmp_path / "diary")
    with Processes(2).open(job) as pool:
        assert list(pool.run([3])) == [(0, 9)]
        assert sum(line.startswith("open") for line in notes(job.diary)) == 1
        (first,) = [pid for _, pid in pool.run(["pid"])]
        assert first != os.getpid()
        assert first in {pid for _, pid in pool.run(["pid"] * 20)}
    assert not alive(first)


def test_threads_are_shared_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr("probative.runners.processes.available_cores", lambda: 7)
    assert results(Processes(3), SquareJob(tmp_path / "diary"), ["threads"]) == {0: "2"}
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    assert results(Processes(3), SquareJob(tmp_path / "diary"), ["threads"]) == {0: "5"}


def test_the_task_of_a_killed_worker_is_run_again(tmp_path: Path) -> None:
    tasks = [*range(5), *(("die once", n) for n in range(100, 103)), *range(5, 9)]
    found = results(Processes(2), SquareJob(tmp_path / "diary"), list(tasks))
    assert found == {n: task * task if isinstance(task, int) else task[1] for n, task in enumerate(tasks)}


def test_a_task_that_kills_every_worker_has_an_error_and_the_others_have_results(tmp_path: Path) -> None:
    found = results(Processes(2), SquareJob(tmp_path / "diary"), [1, "die", 2, 3])
    error = found.pop(1)
    assert isinstance(error, WorkerError)
    assert "killed by signal 9, 3 times in a row" in str(error)
    assert found == {0: 1, 2: 4, 3: 9}


def test_workers_that_die_while_they_open_end_the_run(tmp_path: Path) -> None:
    job = SquareJob(tmp_path / "diary", opening="die")
    with pytest.raises(WorkerError, match="killed by signal 9 while it opened its models"):
        results(Processes(1), job, [1])
    assert len(notes(job.diary)) == 3


@pytest.mark.parametrize("runner", [InProcess(), Processes(2)])
def test_errors_end_the_run_as_they_are(runner: Runner, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model"):
        results(runner, SquareJob(tmp_path / "diary", opening="raise"), [1])
    with pytest.raises(InputError, match="a bad task"):
        results(runner, SquareJob(tmp_path / "diary"), [1, 2, "raise"])
    with pytest.raises(InputError, match="refused"):
        results(runner, SquareJob(tmp_path / "diary"), ["refuse"])


def test_what_cannot_be_sent_is_said(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="UnsendableError: <function"):
        results(Processes(1), SquareJob(tmp_path / "diary"), ["unsendable"])
    with pytest.raises(Exception, match="pickle"):
        results(Processes(1), SquareJob(tmp_path / "diary"), ["unsendable result"])
    with pytest.raises(InputError, match="cannot be sent to another process"):
        results(Processes(1), SquareJob(tmp_path / "diary"), [lambda: 0])


def test_an_error_stops_workers_that_are_busy(tmp_path: Path) -> None:
    job = SquareJob(tmp_path / "diary")

    def stop_when_one_sleeps() -> None:
        with Processes(2).open(job) as pool:
            for _ in pool.run(["sleep", 1]):
                while not sleeping():
                    time.sleep(0.01)
                raise RuntimeError("enough")

    def sleeping() -> list[int]:
        return [int(line.split()[1]) for line in notes(job.diary) if line.startswith("sleep")]

    with pytest.raises(RuntimeError, match="enough"):
        stop_when_one_sleeps()
    assert not any(map(alive, sleeping()))


SCRIPT = """
import sys
from pathlib import Path
from runner_jobs import SquareJob
from probative.runners.processes import Processes

if __name__ == "__main__":
    with Processes(2).open(SquareJob(Path(sys.argv[1]))) as pool:
        list(pool.run(["sleep", "sleep"]))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_process_that_started_them(how: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    paths = [str(Path(__file__).parents[1] / "helpers"), *filter(None, [os.environ.get("PYTHONPATH")])]
    (tmp_path / "diary").touch()
    with started(
        [sys.executable, str(tmp_path / "script.py"), str(tmp_path / "diary")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        while len(sleeping := [line for line in notes(tmp_path / "diary") if line.startswith("sleep")]) < 2:
            assert process.poll() is None
            time.sleep(0.02)
        if how == signal.SIGINT:
            os.killpg(process.pid, how)  # as a terminal does
        else:
            process.send_signal(how)
        process.wait()
    workers = [int(line.split()[1]) for line in sleeping]
    deadline = time.monotonic() + 120
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(alive, workers))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("moon", "there is no runner 'moon'"),
        ("local:", "not a number"),
        ("local:two", "not a number"),
        ("local:0", "at least 1, got 0"),
    ],
)
def test_an_unknown_runner_is_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_runner(name)
