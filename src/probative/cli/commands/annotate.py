"""`probative annotate`: which sentences a claim needs, as a language model names them."""

from __future__ import annotations

from typing import Annotated

import typer

from probative.cli.command import command
from probative.cli.options import BatchOptions, ModelOptions, RunOptions
from probative.errors import InputError

EXAMPLES = (
    'probative annotate "It was lit in 1871." --context lighthouse.txt --model openai:gpt-4o-mini',
    "probative annotate --in claims.jsonl --out gold.jsonl --model openai:gpt-4o-mini",
)


def annotate(
    claim: Annotated[str | None, typer.Argument(metavar="CLAIM", help="The claim.")] = None,
    context: Annotated[
        list[str] | None,
        typer.Option("--context", metavar="FILE", help="The text. - is standard input, the default."),
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="The text has one sentence on each line; do not split it.")
    ] = False,
    *,
    batch: BatchOptions,
    models: ModelOptions,
    run: RunOptions,
) -> None:
    """Ask the model which sentences of a text a claim needs: a draft of gold evidence, to be corrected."""
    if run.fail_on is not None:
        raise InputError("--fail-on cannot be used: annotate gives no verdict", hint="use probative prove")
    if batch.is_used({"CLAIM": claim, "--context": context, "--lines": lines}):
        from probative.cli.outcome import run_file

        run_file("annotate", "claims", batch, models, run, frozenset())
        return
    if claim is None:
        raise InputError("there is no claim", hint='probative annotate "claim" --context FILE')
    _annotate(claim, context, models, run, lines=lines)


def _annotate(
    claim: str, files: list[str] | None, models: ModelOptions, run: RunOptions, *, lines: bool
) -> None:
    from probative.cli.inputs.text import read_sentences
    from probative.cli.outcome import check_trace, finish
    from probative.cli.views.progress import search_progress
    from probative.cli.views.usage import show_usage
    from probative.views.terminal import show_result

    check_trace(run)
    text = read_sentences(files, what="text", option="--context", lines=lines)
    with models.session(dry_run=run.dry_run) as session, search_progress() as progress:
        annotation = session.annotate(claim, text, progress=progress)

    def show() -> None:
        show_result(annotation)
        show_usage(annotation.usage, annotation.model)

    finish(annotation, run, show)


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "annotate", examples=EXAMPLES)(annotate)
