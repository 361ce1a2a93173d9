"""Show the progress of a fetch or a conversion on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from probative.models.embedded.store import Report


@contextmanager
def showing_progress() -> Iterator[Report]:
    """Yield a report function that draws a progress bar for each task; a line for each in a log file."""
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
