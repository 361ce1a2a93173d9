"""Progress of long work, on standard error: a bar, or a line now and then where that is no terminal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from probative.cli.views.terminal import print_note
from probative.corpus.index.summary import Progress as IndexProgress
from probative.usage import Usage
from probative.views.terminal import console, plain

# Fewer names than this are encoded in a few seconds.
MANY_NAMES = 5_000
# Fewer edges than this, read again and again, are learned in a second or two.
MANY_EDGES = 50_000
# Seconds between two lines of progress where no terminal shows a bar.
SECONDS = 30.0


@contextmanager
def search_progress() -> Iterator[Callable[[Usage], None] | None]:
    """Show what a search has cost so far; yields the function to call with it."""
    terminal = console(stderr=True)
    if not terminal.is_terminal:
        yield None
        return
    with terminal.status("opening the model …") as status:

        def update(usage: Usage) -> None:
            status.update(f"searching: {usage.calls + usage.cached:,} calls, {usage.tokens:,} tokens")

        yield update


@contextmanager
def batch_progress(what: str) -> Iterator[Callable[[int, int, int], None]]:
    """Show a bar, or print a line now and then where there is no terminal; yields the function to call with
    the numbers of lines that are done, failed and there.
    """
    terminal = console(stderr=True)
    if not terminal.is_terminal:
        with _line_progress(what, SECONDS) as update_line:
            yield update_line
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=terminal, transient=True) as bar:
        task = bar.add_task(what, total=None, failed="")

        def update(done: int, failed: int, lines: int) -> None:
            bar.update(
                task, completed=done + failed, total=lines, failed=f"{failed} failed" if failed else ""
            )

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
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    terminal = console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal) as bar:
        task = bar.add_task("open", total=1.0)

        def update(step: str, part: float) -> None:
            bar.update(task, description=plain(step), completed=part)

        yield update


def encoding_progress() -> Callable[[int, int], None] | None:
    """Return a function that prints a line for each tenth of a large graph's names that is encoded."""
    return _each_tenth("encoding the names of the graph (once)", MANY_NAMES)


def learning_progress() -> Callable[[int, int], None] | None:
    """Return a function that prints a line for each tenth of the edges from which veracity is learned."""
    return _each_tenth("learning the veracity of the graph (once)", MANY_EDGES)


def _each_tenth(task: str, least: int) -> Callable[[int, int], None] | None:
    """Return a function that prints a line for each tenth of a task with at least `least` items; None if
    nobody watches a terminal.
    """
    terminal = console(stderr=True)
    if not terminal.is_terminal:
        return None
    tenths = -1

    def update(done: int, total: int) -> None:
        nonlocal tenths
        if total >= least and (tenth := done * 10 // total) > tenths:
            tenths = tenth
            terminal.print(f"{task}: {done:,} of {total:,}")

    return update


@contextmanager
def index_progress() -> Iterator[IndexProgress]:
    """Show a bar with the file that is read; yields the function to call."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    terminal = console(stderr=True)
    columns = (
        TextColumn("indexing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def update(done: int, total: int, source: str) -> None:
            bar.update(task, completed=done, total=total, description=plain(source)[-50:])

        yield update
