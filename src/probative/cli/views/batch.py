"""A batch on the command line: how it goes, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from probative.batch.run import BatchManifest


def run_file(
    verb: Callable[..., BatchManifest],
    source: Path,
    target: Path,
    what: str,
    *,
    dry_run: bool,
    json: bool,
    **asked: Any,
) -> None:
    """Run a verb over a file with its progress shown, and say how it ended; status 1 where a line failed."""
    from probative.cli.views.usage import show_dry_run

    with showing_batch(what) as progress:
        manifest = verb(source, target, dry_run=dry_run, progress=progress, **asked)
    if json:
        typer.echo(manifest.to_json())
    elif dry_run:
        show_dry_run(manifest.usage)
    else:
        show_manifest(manifest, target)
    if manifest.failed:
        raise typer.Exit(1)


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
