"""`probative judge`: what evidence says about a claim."""

from __future__ import annotations

from typing import Annotated

import typer

from probative.cli.framework.options import BatchOptions, JudgedModelOptions, RunOptions
from probative.cli.framework.verb_command import VerbCommand
from probative.cli.inputs.text import read_sentences

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
    VerbCommand("judge", batch, models, run).execute(
        {"CLAIM": claim, "--evidence": evidence, "--lines": lines},
        lambda _: {
            "evidence": read_sentences(
                evidence, what="evidence", option="--evidence", lines=lines, may_be_empty=True
            )
        },
    )
