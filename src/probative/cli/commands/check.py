"""`probative check`: is this evidence enough to answer a question?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from probative.cli.command import command
from probative.cli.options import (
    BatchOptions,
    JudgedModelOptions,
    MethodOption,
    RunOptions,
    ScopePreset,
    method_options,
)
from probative.errors import InputError

VERDICTS = ("complete", "incomplete")
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
    from probative.scope.options import ScopeOptions

    verdicts = run.verdicts(*VERDICTS)
    options = {"preset": preset, **method_options(option, "scope", ScopeOptions.model_fields)}
    if batch.is_used({"QUESTION": question, "--knowledge": knowledge, "--whole": whole}):
        from probative.cli.outcome import run_file

        run_file("check", "questions", batch, models, run, verdicts, **options)
        return
    if question is None:
        raise InputError("there is no question", hint='probative check "question" --knowledge FILE')
    _check(question, knowledge, models, run, verdicts, options, whole=whole)


def _check(
    question: str,
    files: list[str] | None,
    models: JudgedModelOptions,
    run: RunOptions,
    verdicts: frozenset[str],
    options: dict[str, Any],
    *,
    whole: bool,
) -> None:
    from probative.cli.inputs.passages import read_passages
    from probative.cli.outcome import check_trace, finish
    from probative.cli.views.progress import search_progress
    from probative.cli.views.usage import show_usage
    from probative.views.terminal import show_result

    check_trace(run)
    with models.session(dry_run=run.dry_run) as session:
        passages = read_passages(files, "--knowledge")
        knowledge = "\n".join(passage.whole for passage in passages) if whole else passages
        with search_progress() as progress:
            checked = session.check(question, knowledge, progress=progress, **options)

    def show() -> None:
        show_result(checked)
        show_usage(checked.usage, checked.model)

    finish(checked, run, show, verdicts)


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "check", examples=EXAMPLES)(check)
