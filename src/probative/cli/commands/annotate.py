"""`probative annotate`: which sentences a claim needs, as a language model names them."""

from __future__ import annotations

from typing import Annotated

import typer

from probative.cli.framework.options import BatchOptions, ModelOptions, RunOptions
from probative.cli.framework.verb_command import VerbCommand
from probative.cli.inputs.text import read_sentences
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
    VerbCommand("annotate", batch, models, run).execute(
        {"CLAIM": claim, "--context": context, "--lines": lines},
        lambda _: {"sentences": read_sentences(context, what="text", option="--context", lines=lines)},
    )
