"""Readers of file types that misbehave, for the processes that read uploads: a plug-in as packages have them.

The content of a file of most types is the path of another file, in which the reader says that it is at work.
"""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the processes need not load it
    import pytest

SUFFIXES = ("stuck", "asleep", "hungry", "leaving", "killed", "broken", "noisy", "counted", "process")


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this module a package with entry points that new processes find."""
    about = folder / "strange_readers-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: strange-readers\nVersion: 1\n")
    points = "".join(f"{suffix} = strange_readers:read_{suffix}\n" for suffix in SUFFIXES)
    (about / "entry_points.txt").write_text(f"[probative.readers]\n{points}")
    monkeypatch.syspath_prepend(str(folder))


def read_stuck(content: Any) -> Any:
    """Hang in a regular expression, which holds the lock of the interpreter."""
    _say_process(content)
    return re.fullmatch(r"(?:a+)+", "a" * 100 + "b")


def read_asleep(content: Any) -> Any:
    """Hang without using the processor."""
    _say_process(content)
    while True:
        time.sleep(60)


def read_hungry(content: Any) -> Any:
    """Ask for more memory than the limit; its pages are never touched."""
    return _document(content, str(len([bytes(100_000_000) for _ in range(100)])))


def read_leaving(_: Any) -> Any:
    """End the process."""
    os._exit(7)


def read_killed(_: Any) -> Any:
    """Let the process be ended by a signal, as a fault of a library does."""
    os.kill(os.getpid(), signal.SIGKILL)


def read_broken(_: Any) -> Any:
    """Raise what no reader should raise."""
    raise RecursionError("too deep")


def read_noisy(content: Any) -> Any:
    """Print to the standard output, as libraries do."""
    print('{"title": "not from the server"}', flush=True)
    os.write(1, b"ready\n")
    return _document(content, "It was read all the same.")


def read_counted(content: Any) -> Any:
    """Say when the reading starts and ends."""
    _say(content, "+")
    time.sleep(0.05)
    _say(content, "-")
    return _document(content, "It was counted.")


def read_process(content: Any) -> Any:
    """Return the number of the process."""
    return _document(content, str(os.getpid()))


def _say_process(content: Any) -> None:
    said = Path(os.fsdecode(content.data))
    said.with_suffix(".part").write_text(str(os.getpid()))
    said.with_suffix(".part").rename(said)


def _say(content: Any, words: str) -> None:
    with Path(os.fsdecode(content.data)).open("a") as file:
        file.write(words)


def _document(content: Any, text: str) -> Any:
    from probative import Document

    return Document(source=content.source, text=text)


def said_process(file: Path) -> int:
    """Wait until a reader has said that it is at work, and return the number of its process."""
    end = time.monotonic() + 120
    while not file.exists():
        assert time.monotonic() < end, "no reader is at work"
        time.sleep(0.01)
    return int(file.read_text())


def wait_gone(process: int) -> None:
    """Wait until a process has ended."""
    end = time.monotonic() + 120
    while is_running(process):
        assert time.monotonic() < end, f"the process {process} still runs"
        time.sleep(0.01)


def is_running(process: int) -> bool:
    """Return whether a process has not ended."""
    try:
        os.kill(process, 0)
        # In a container nobody may fetch the end of an orphan.
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return Path("/proc/self").exists() is False
