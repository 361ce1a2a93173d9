"""Jobs for the tests of runners; a worker process imports them from here."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probative import InputError
from probative.runners.contract import Call, Place, Work


class Diary:
    """The shared object: what happened, in order."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.Lock()

    def note(self, text: str) -> int:
        with self._lock, self.file.open("a", encoding="utf-8") as stream:
            stream.write(f"{text}\n")
        return len(text)

    def node(self) -> str:
        return node()

    def refuse(self) -> None:
        raise InputError("refused")


@dataclass(frozen=True)
class SquareJob:
    """Squares numbers. A task that is a word does what it says."""

    diary: Path
    width: int = 1
    opening: str = ""
    uses_gpu: bool = False

    @contextmanager
    def shared(self) -> Iterator[Diary]:
        yield Diary(self.diary)

    @contextmanager
    def open(self, call: Call, place: Place) -> Iterator[Work]:
        call("note", f"open {os.getpid()} {place.threads}")
        if self.opening == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.opening == "raise":
            raise InputError("no model")
        yield lambda task: self._work(task, call)

    def _work(self, task: Any, call: Call) -> Any:
        match task:
            case int():
                call("note", f"task {task}")
                return task * task
            case "pid":
                return os.getpid()
            case "node":
                return node()
            case "desk node":
                return call("node")
            case "threads":
                return os.environ.get("OMP_NUM_THREADS")
            case "raise":
                raise InputError("a bad task")
            case "refuse":
                call("refuse")
            case "unsendable result":
                return lambda: 0
            case "unsendable":
                raise UnsendableError(lambda: 0)
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "sleep":
                call("note", f"sleep {os.getpid()}")
                time.sleep(600)
            case ("die once", number):
                if call("note", f"dying {number}") and not self._died_before(number):
                    os.kill(os.getpid(), signal.SIGKILL)
                return number
        return None

    def _died_before(self, number: int) -> bool:
        return self.diary.read_text(encoding="utf-8").split("\n").count(f"dying {number}") > 1


def node() -> str:
    """Return which machine of a Ray cluster this process is on."""
    import ray

    return str(ray.get_runtime_context().get_node_id())


class UnsendableError(Exception):
    """An error that cannot be pickled."""
