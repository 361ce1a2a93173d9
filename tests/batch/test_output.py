"""The output file: links, names that cannot be used, devices, and a full disk."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from probative import InputError, Usage
from probative.batch.run import Batch, run_batch
from probative.types import Value


class Answer(Value):
    text: str
    usage: Usage = Usage(calls=1)


def answer(lines: list[dict[str, Any]]) -> Iterator[tuple[int, Value]]:
    for index, line in enumerate(lines):
        yield index, Answer(text=line["text"])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "in.jsonl"
    file.write_text("".join(json.dumps({"id": n, "text": str(n)}) + "\n" for n in range(3)))
    return file


def ids(file: Path) -> list[int]:
    return [json.loads(line)["id"] for line in file.read_text().splitlines()]


def test_a_link_stays_a_link_and_its_target_gets_the_results(source: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    target = tmp_path / "data" / "real.jsonl"
    link = tmp_path / "out.jsonl"
    link.symlink_to(target)
    run_batch(Batch(source, link, "test", {}, limit=1), answer)
    run_batch(Batch(source, link, "test", {}), answer)
    assert link.is_symlink()
    assert ids(target) == [0, 1, 2]
    run_batch(Batch(source, target, "test", {}), lambda lines: pytest.fail("all is done"))


def test_a_file_keeps_its_permissions_when_a_run_is_resumed(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    run_batch(Batch(source, out, "test", {}, limit=1), answer)
    out.chmod(0o640)
    run_batch(Batch(source, out, "test", {}), answer)
    assert out.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "name", ["x" * 300, "x" * 250, "loop", "/dev/full", "/dev/null/x", "in.jsonl", "same"]
)
def test_a_name_that_cannot_be_used_is_an_error_before_any_work(
    name: str, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(source.parent)
    Path("loop").symlink_to("loop")
    os.link(source, "same")  # another name of the input
    before = source.read_text()
    with pytest.raises(InputError):
        run_batch(Batch(source, Path(name), "test", {}), lambda lines: pytest.fail("work was done"))
    assert source.read_text() == before


def test_the_input_may_be_a_pipe(source: Path, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, source.read_bytes())
    os.close(writing)
    try:
        manifest = run_batch(Batch(Path(f"/dev/fd/{reading}"), tmp_path / "out.jsonl", "test", {}), answer)
    finally:
        os.close(reading)
    assert manifest.done == 3
    assert manifest.input_sha256 == hashlib.sha256(source.read_bytes()).hexdigest()


def test_the_input_by_another_path_is_not_overwritten(source: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(source)
    with pytest.raises(InputError, match="the same file"):
        run_batch(Batch(source, link, "test", {}), answer)


def test_a_disk_that_becomes_full_is_a_typed_error_and_the_run_can_be_resumed(
    source: Path, tmp_path: Path
) -> None:
    """A limit on the size of files stands in for a full disk."""
    lines = [{"id": n, "text": "word " * 2000} for n in range(3)]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = tmp_path / "out.jsonl"
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[3])\n"
        "from probative.batch.run import Batch, run_batch; from probative import InputError\n"
        "from test_output import answer\n"
        "try: run_batch(Batch(Path(sys.argv[1]), Path(sys.argv[2]), 'test', {}), answer)\n"
        "except InputError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(source), str(out), str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, 15_000)),
        check=False,
    )
    assert "out.jsonl cannot be written: File too large" in done.stdout, done.stderr
    assert "Traceback" not in done.stderr
    run_batch(Batch(source, out, "test", {}), answer)
    assert ids(out) == [0, 1, 2]
