"""`probative check`: is this evidence enough to answer a question?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from probative.cli.framework.options import (
    BatchOptions,
    JudgedModelOptions,
    MethodOption,
    RunOptions,
    ScopePreset,
)
from probative.cli.framework.verb_command import VerbCommand
from probative.cli.inputs.passages import read_passages

EXAMPLES = (
    'probative check "Who commanded the Sea Lark?" --knowledge notes.txt',
    'probative check "Who commanded the Sea Lark?" --knowledge notes.txt --fail-on incomplete',
    "probative check --in questions.jsonl --out checks.jsonl",
)


def check(
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="The question.")] = None,
    knowledge: Annotated[
        list[str] | None,
        typer.Option(
            "--knowledge",
            "--passages",
            metavar="FILE",
            help="The evidence: a .jsonl file, or a text with a blank line between passages, or with one "
            "on each line. May be repeated. - is standard input, the default.",
        ),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Judge the evidence as one passage, not passage by passage.")
    ] = False,
    preset: ScopePreset = None,
    option: MethodOption = None,
    *,
    batch: BatchOptions,
    models: JudgedModelOptions,
    run: RunOptions,
) -> None:
    """Check whether passages together carry everything that a question asks for, and what is missing."""
    call = VerbCommand("check", batch, models, run)

    def read(_: object) -> dict[str, Any]:
        passages = read_passages(knowledge, "--knowledge")
        return {"knowledge": "\n".join(passage.whole for passage in passages) if whole else passages}

    arguments = {"preset": preset, **call.method_options(option, "scope")}
    call.execute({"QUESTION": question, "--knowledge": knowledge, "--whole": whole}, read, arguments)
