"""`probative judge`: what evidence says about a claim."""

from __future__ import annotations

from typing import Annotated

import typer

from probative.cli.command import command
from probative.cli.options import BatchOptions, JudgedModelOptions, RunOptions
from probative.errors import InputError

VERDICTS = ("supported", "insufficient", "contradicted")
EXAMPLES = (
    'probative judge "The lighthouse was lit in 1871." --evidence lighthouse.txt',
    'probative judge "The lens is Danish." --evidence lighthouse.txt --fail-on contradicted,insufficient',
    'grep -h lens *.txt | probative judge "The lens is French." --lines --json',
    "probative judge --in claims.jsonl --out judgements.jsonl",
)


def judge(
    claim: Annotated[str | None, typer.Argument(metavar="CLAIM", help="The claim.")] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            "--evidence",
            "--context",
            metavar="FILE",
            help="The evidence: a text. - is standard input, the default.",
        ),
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="The evidence has one sentence on each line; do not split it.")
    ] = False,
    *,
    batch: BatchOptions,
    models: JudgedModelOptions,
    run: RunOptions,
) -> None:
    """Judge whether evidence supports a claim, contradicts it, or says too little. Show what decides."""
    verdicts = run.verdicts(*VERDICTS)
    if batch.is_used({"CLAIM": claim, "--evidence": evidence, "--lines": lines}):
        from probative.cli.outcome import run_file

        run_file("judge", "claims", batch, models, run, verdicts)
        return
    if claim is None:
        raise InputError("there is no claim", hint='probative judge "claim" --evidence FILE')
    _judge(claim, evidence, models, run, verdicts, lines=lines)


def _judge(
    claim: str,
    files: list[str] | None,
    models: JudgedModelOptions,
    run: RunOptions,
    verdicts: frozenset[str],
    *,
    lines: bool,
) -> None:
    from probative.cli.inputs.text import read_sentences
    from probative.cli.outcome import check_trace, finish
    from probative.cli.views.progress import search_progress
    from probative.cli.views.usage import show_usage
    from probative.views.terminal import show_result

    check_trace(run)
    text = read_sentences(files, what="evidence", option="--evidence", lines=lines, may_be_empty=True)
    with models.session(dry_run=run.dry_run) as session, search_progress() as progress:
        judgement = session.judge(claim, text, progress=progress)

    def show() -> None:
        show_result(judgement)
        show_usage(judgement.usage, judgement.verdict_model)

    finish(judgement, run, show, verdicts)


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "judge", examples=EXAMPLES)(judge)
