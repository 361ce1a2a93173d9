"""Show on standard error how far a fetch or a conversion is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from probative.models.embedded.store import Report


@contextmanager
def showing_progress() -> Iterator[Report]:
    """A report function that draws a bar for each thing done; in a log file, a line for each."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    with Progress(*columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal) as bars:
        tasks: dict[str, TaskID] = {}

        def report(what: str, part: float) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=1.0)
                if not console.is_terminal:
                    console.print(f"  {what} …", highlight=False)
            bars.update(tasks[what], completed=part)

        yield report
