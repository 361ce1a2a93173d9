"""`probative judge`: what evidence says about a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.framework.command import command
from probative.cli.framework.options import BatchOptions, JudgedModelOptions, RunOptions
from probative.cli.framework.verb_command import VerbCommand

if TYPE_CHECKING:
    pass

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
    call = VerbCommand("judge", batch, models, run)
    if call.is_batch({"CLAIM": claim, "--evidence": evidence, "--lines": lines}):
        call.run_batch({})
        return
    asked = call.asked(claim, "claim", "--evidence FILE")

    def read(_: object) -> dict[str, Any]:
        from probative.cli.inputs.text import read_sentences

        text = read_sentences(evidence, what="evidence", option="--evidence", lines=lines, may_be_empty=True)
        return {"claim": asked, "evidence": text}

    call.show_one(read, {})


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "judge", examples=EXAMPLES)(judge)
