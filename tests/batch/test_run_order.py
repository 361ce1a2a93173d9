"""The order of results, and that a run that is stopped or killed loses none."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from probative import InputError, InUseError, Usage
from probative.batch.run import Batch, run_batch
from probative.types import Value


class Answer(Value):
    text: str
    usage: Usage = Usage(calls=1)


Lines = list[dict[str, Any]]


def backwards(lines: Lines) -> Iterator[tuple[int, Value]]:
    for index in reversed(range(len(lines))):
        yield index, Answer(text=lines[index]["text"])


def write(file: Path, n: int) -> Path:
    file.write_text("".join(json.dumps({"id": f"id{i}", "text": str(i)}) + "\n" for i in range(n)))
    return file


def ids(file: Path) -> list[str]:
    return [json.loads(line)["id"] for line in file.read_text().splitlines()]


def numbered(*numbers: int) -> list[str]:
    return [f"id{number}" for number in numbers]


def test_results_are_in_the_order_of_the_input(tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", 5), tmp_path / "out.jsonl"
    run_batch(Batch(source, out, "test", {}), backwards)
    assert ids(out) == numbered(0, 1, 2, 3, 4)
    assert {file.name for file in tmp_path.iterdir() if file.is_file()} == {
        "in.jsonl", "out.jsonl", "out.jsonl.manifest.json", ".out.jsonl.lock",
    }  # fmt: skip


def test_unordered_results_are_written_as_they_finish(tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", 3), tmp_path / "out.jsonl"
    run_batch(Batch(source, out, "test", {}, unordered=True), backwards)
    assert ids(out) == numbered(2, 1, 0)
    run_batch(Batch(source, out, "test", {}), backwards)
    assert ids(out) == numbered(0, 1, 2)


def test_lines_that_cannot_be_read_have_their_place(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"id": "id0", "text": "0"}\n{broken\n{"id": "id2", "text": "2"}\n')
    run_batch(Batch(source, out, "test", {}), backwards)
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["id0", None, "id2"]


def stopping(n: int) -> Callable[[Lines], Iterator[tuple[int, Value]]]:
    """Finish the last `n` cases, then stop as with Ctrl-C."""

    def run(lines: Lines) -> Iterator[tuple[int, Value]]:
        for index in list(reversed(range(len(lines))))[:n]:
            yield index, Answer(text=lines[index]["text"])
        raise KeyboardInterrupt

    return run


def test_a_stopped_run_writes_what_was_waiting_and_a_resumed_one_puts_it_in_order(tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", 5), tmp_path / "out.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run_batch(Batch(source, out, "test", {}), stopping(3))
    assert ids(out) == numbered(2, 3, 4)
    ran: Lines = []

    def rest(lines: Lines) -> Iterator[tuple[int, Value]]:
        ran.extend(lines)
        return backwards(lines)

    manifest = run_batch(Batch(source, out, "test", {}), rest)
    assert [line["text"] for line in ran] == ["0", "1"]
    assert ids(out) == numbered(0, 1, 2, 3, 4)
    assert (manifest.done, manifest.usage.calls) == (5, 5)


def test_results_of_lines_that_are_not_in_this_run_stay_at_the_end(tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", 5), tmp_path / "out.jsonl"
    run_batch(Batch(source, out, "test", {}), backwards)
    changed = [{"id": "id0", "text": "new"}, *({"id": f"id{i}", "text": str(i)} for i in range(1, 5))]
    source.write_text("".join(json.dumps(line) + "\n" for line in changed))
    run_batch(Batch(source, out, "test", {}, limit=2), backwards)
    assert ids(out) == numbered(0, 1, 2, 3, 4)
    assert json.loads(out.read_text().splitlines()[0])["text"] == "new"


KILLED = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from test_run_order import Answer
from probative.batch.run import Batch, run_batch

def run(lines):
    for index in (3, 1, 2):
        yield index, Answer(text=lines[index]["text"])
    print("waiting", flush=True)
    time.sleep(600)

run_batch(Batch(Path(sys.argv[1]), Path(sys.argv[2]), "test", {}), run)
"""


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A run in another process that has finished cases 1, 2 and 3, and waits in case 0."""
    source, out = write(tmp_path / "in.jsonl", 5), tmp_path / "out.jsonl"
    here = str(Path(__file__).parent)
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(source), str(out), here], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "waiting\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.mark.slow
@pytest.mark.parametrize("unordered", [False, True])
def test_a_killed_run_loses_nothing_that_was_waiting(
    hanging: subprocess.Popen[str], tmp_path: Path, unordered: bool
) -> None:
    os.kill(hanging.pid, signal.SIGKILL)
    hanging.wait()
    out = tmp_path / "out.jsonl"
    assert out.read_text() == ""  # all three wait for case 0
    ran: Lines = []

    def rest(lines: Lines) -> Iterator[tuple[int, Value]]:
        ran.extend(lines)
        return backwards(lines)

    manifest = run_batch(Batch(tmp_path / "in.jsonl", out, "test", {}, unordered=unordered), rest)
    assert [line["text"] for line in ran] == ["0", "4"]
    assert manifest.done == 5
    assert sorted(ids(out)) == numbered(0, 1, 2, 3, 4)
    if not unordered:
        assert ids(out) == numbered(0, 1, 2, 3, 4)
    assert not (tmp_path / ".out.jsonl.waiting").exists()


def test_a_second_run_on_the_same_output_is_refused_and_names_the_first(
    hanging: subprocess.Popen[str], tmp_path: Path
) -> None:
    batch = Batch(tmp_path / "in.jsonl", tmp_path / "out.jsonl", "test", {})
    with pytest.raises(InUseError, match=rf"another run \(process {hanging.pid}\) is writing .*out\.jsonl"):
        run_batch(batch, lambda lines: pytest.fail("work was done"))
    link = tmp_path / "link.jsonl"
    link.symlink_to("out.jsonl")
    with pytest.raises(InUseError):
        run_batch(Batch(batch.source, link, "test", {}), lambda lines: pytest.fail("work was done"))
    hanging.kill()
    hanging.wait()
    assert run_batch(batch, backwards).done == 5


def test_of_many_runs_at_once_one_writes_and_the_others_say_so(tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", 5), tmp_path / "out.jsonl"
    batch = Batch(source, out, "test", {})

    def run(lines: Lines) -> Iterator[tuple[int, Value]]:
        for index, line in enumerate(lines):
            with pytest.raises(InUseError):  # a second run while this one is under way
                run_batch(batch, backwards)
            yield index, Answer(text=line["text"])

    assert run_batch(batch, run).done == 5
    assert ids(out) == numbered(0, 1, 2, 3, 4)
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    assert manifest["pid"] is None


def test_a_folder_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", 1)
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write everywhere")
    with pytest.raises(InputError, match="cannot be written"):
        run_batch(Batch(source, folder / "out.jsonl", "test", {}), backwards)
