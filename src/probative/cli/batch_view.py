"""How a batch goes, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from probative.api.batch import BatchManifest


@contextmanager
def showing_batch(what: str) -> Iterator[Callable[[int, int, int], None]]:
    """A progress bar on standard error; a function that says how many are done, failed and there."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, failed="")

        def tell(done: int, failed: int, lines: int) -> None:
            said = f"{failed} failed" if failed else ""
            bar.update(task, completed=done + failed, total=lines, failed=said)

        yield tell


def show_manifest(manifest: BatchManifest, target: Path) -> None:
    """What was written, and what failed."""
    usage = manifest.usage
    typer.echo(
        f"{target}: {manifest.done:,} of {manifest.lines:,} done, {manifest.failed:,} failed; "
        f"{usage.calls:,} calls, {usage.tokens:,} tokens, {usage.cached:,} results from the cache"
    )
    if manifest.failed:
        typer.echo("each failed line has an error; the same command tries them again", err=True)
