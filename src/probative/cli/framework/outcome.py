"""The end of a command: print the result, write the trace, choose the exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from probative.batch.resume import levels_of, verdicts_of
from probative.batch.verb_files import verb_file
from probative.cli.framework.exit_codes import ExitCode
from probative.cli.framework.options import BatchOptions, ModelOptions, RunOptions
from probative.cli.views.batch import show_batch, show_failures
from probative.cli.views.progress import batch_progress
from probative.cli.views.terminal import print_json
from probative.cli.views.usage import show_dry_run
from probative.errors import InputError
from probative.types import Value

if TYPE_CHECKING:
    from probative.runners.contract import Runner
    from probative.verbs.spec import VerbSpec


def finish(
    result: Value, run: RunOptions, show: Callable[[], None], verdicts: frozenset[str] = frozenset()
) -> None:
    """Print a result as JSON, as a cost or with `show`; exit with code 3 if it has one of
    `verdicts`.
    """
    print_result(result, run, show)
    exit_on_verdicts([result], run, verdicts)


def print_result(result: Value, run: RunOptions, show: Callable[[], None]) -> None:
    """Print a result as JSON, as a cost or with `show`, and write its trace."""
    trace = getattr(result, "trace", None)
    if run.trace is not None and run.trace != "-" and trace is not None:
        with writing("trace", run.trace):
            Path(run.trace).write_text(f"{trace.to_json()}\n", encoding="utf-8")
    if run.json:
        print_json(result if run.trace == "-" else result.model_copy(update={"trace": None}))
    elif run.dry_run:
        show_dry_run(getattr(result, "usage"))  # noqa: B009
    else:
        show()


def exit_on_verdicts(results: Sequence[Value], run: RunOptions, verdicts: frozenset[str]) -> None:
    """Exit with code 3 if a result has one of `verdicts`, which may be levels, too."""
    if run.dry_run or not verdicts:
        return
    for result in results:
        record = result.model_dump(mode="json", exclude={"trace"})
        if verdicts.intersection((*verdicts_of(record), *levels_of(record))):
            raise typer.Exit(ExitCode.VERDICT)


def check_trace(run: RunOptions) -> None:
    """Raise `InputError` before any work is done if the trace could not be written."""
    if run.trace is None:
        return
    if run.trace == "-":
        if not run.json:
            raise InputError("--trace - needs --json", hint="name a file for the trace, or add --json")
        return
    with writing("trace", run.trace), Path(run.trace).open("a"):
        pass


@contextmanager
def writing(what: str, file: str | Path) -> Iterator[None]:
    """Raise `InputError` if a file cannot be written; `what` says what it is for."""
    try:
        yield
    except OSError as error:
        raise InputError(f"the {what} cannot be written: {error.strerror}: {file}") from None


def run_file(
    spec: VerbSpec,
    batch: BatchOptions,
    models: ModelOptions,
    run: RunOptions,
    verdicts: frozenset[str],
    **options: Any,
) -> None:
    """Run a verb over the lines of a file. Exit with code 4 if one failed."""
    if run.trace is not None:
        raise InputError("--trace cannot be used with --in and --out", hint="run the one case without them")
    assert batch.source is not None
    assert batch.target is not None
    runner = _runner(batch, models)
    with models.session(dry_run=run.dry_run) as session, batch_progress(spec.cases_name) as progress:
        manifest = verb_file(
            spec.name,
            batch.source,
            batch.target,
            session=session,
            limit=batch.limit,
            unordered=batch.unordered,
            progress=progress,
            runner=runner,
            **options,
        )
    if run.json:
        print_json(manifest)
    elif run.dry_run:
        show_dry_run(manifest.usage)
    else:
        show_batch(manifest, batch.target)
    show_failures(manifest)
    if manifest.failed:
        raise typer.Exit(ExitCode.FAILED_LINES)
    if not run.dry_run and not verdicts.isdisjoint({*manifest.verdicts, *manifest.levels}):
        raise typer.Exit(ExitCode.VERDICT)


def _runner(batch: BatchOptions, models: ModelOptions) -> Runner | None:
    """Return the runner of --runner; None for this process."""
    if batch.runner == "local":
        return None
    from probative.runners.choice import parse_runner

    return parse_runner(batch.runner, models.settings().threads)
