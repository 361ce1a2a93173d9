"""Processes that a test starts, and that never outlive it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a process, and kill it at the end of the block if it still runs.

    `with Popen(…)` waits for the process instead: for ever, if a test fails before it has stopped it. In the
    process, signals have their default handlers: `_default_handlers` in conftest.py sees to that.
    """
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()  # without effect on one that has ended
