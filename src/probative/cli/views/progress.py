"""Progress of long work, on standard error: a bar, or a line now and then where that is no terminal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from probative.cli.views.terminal import print_note
from probative.text.labels import counted
from probative.types import Usage
from probative.views.terminal import console, plain

if TYPE_CHECKING:
    from probative.corpus.index.index_folder import Progress as IndexProgress

# Fewer items of a step are done in a moment.
MANY = 5_000
# Seconds between two lines of progress where no terminal shows a bar.
SECONDS = 30.0


@contextmanager
def search_progress() -> Iterator[Callable[[Usage], None] | None]:
    """Show how long a search takes and what it has cost so far; yields the function to call with it. A large
    model may read for minutes before it is called for the first time.
    """
    if not console(stderr=True).is_terminal:
        yield None
        return
    with _bar("opening and asking the model", count=False) as show:

        def update(usage: Usage) -> None:
            calls = counted(usage.calls + usage.cached, "call")
            show(0, None, f"asking the model: {calls}, {usage.tokens:,} tokens so far")

        yield update


@contextmanager
def batch_progress(what: str) -> Iterator[Callable[[int, int, int], None]]:
    """Show a bar, or print a line now and then where there is no terminal; yields the function to call with
    the numbers of lines that are done, failed and there.
    """
    if not console(stderr=True).is_terminal:
        with _line_progress(what, SECONDS) as update_line:
            yield update_line
        return
    with _bar(what, count=True) as update:

        def update_bar(done: int, failed: int, lines: int) -> None:
            update(done + failed, lines, f"{what}, {failed} failed" if failed else what)

        yield update_bar


@contextmanager
def _bar(description: str, *, count: bool) -> Iterator[Callable[[float, float | None, str], None]]:
    """Show a bar on a terminal, with the number of items if `count` is set; yields the function to call with
    what is done, the whole, and the description.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    terminal = console(stderr=True)
    shown = (MofNCompleteColumn(), TimeRemainingColumn()) if count else (TimeElapsedColumn(),)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), *shown)
    with Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal) as bar:
        task = bar.add_task(description, total=None)

        def update(done: float, total: float | None, description: str) -> None:
            bar.update(task, completed=done, total=total, description=plain(description))

        yield update


@contextmanager
def _line_progress(what: str, seconds: float) -> Iterator[Callable[[int, int, int], None]]:
    """Print every `seconds` how far the work is, also while a long case changes nothing."""
    ended = threading.Event()
    state = "starting"

    def update(done: int, failed: int, lines: int) -> None:
        nonlocal state
        state = f"{done + failed:,} of {lines:,}" + (f", {failed:,} failed" if failed else "")

    def print_lines() -> None:
        while not ended.wait(seconds):
            print_note(f"{plain(what)}: {state}")

    printer = threading.Thread(target=print_lines, name="progress", daemon=True)
    printer.start()
    try:
        yield update
    finally:
        ended.set()
        printer.join()


@contextmanager
def step_progress() -> Iterator[Callable[[str, float], None]]:
    """Show a bar with the name of a step; yields the function to call with the name and the part done."""
    with _bar("open", count=False) as update:
        yield lambda step, part: update(part, 1.0, step)


@contextmanager
def index_progress() -> Iterator[IndexProgress]:
    """Show a bar with the file that is read; yields the function to call."""
    with _bar("indexing", count=True) as update:
        yield lambda done, total, source: update(done, total, f"indexing {plain(source)[-50:]}")


def counting_progress(task: str) -> Callable[[int, int], None] | None:
    """Return a function that prints a line for each tenth of a task with many items; None if nobody watches a
    terminal.
    """
    terminal = console(stderr=True)
    if not terminal.is_terminal:
        return None
    tenths = -1

    def update(done: int, total: int) -> None:
        nonlocal tenths
        if total >= MANY and (tenth := done * 10 // total) > tenths:
            tenths = tenth
            terminal.print(f"{task}: {done:,} of {total:,}")

    return update
