"""`probative ask`: answer a question from passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.command import command
from probative.cli.corpus_options import CorpusOptions
from probative.cli.options import (
    METHOD,
    BatchOptions,
    JudgedModelOptions,
    MethodOption,
    RunOptions,
    ScopePreset,
    Seed,
    method_options,
)
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.types import Passage

VERDICTS = ("supported", "insufficient", "contradicted")
EXAMPLES = (
    'probative ask "In which town was the Sea Lark built?" --passages notes.txt',
    'cat *.txt | probative ask "Who commanded the Sea Lark?" --json',
    'probative ask "Who commanded the Sea Lark?" --passages crew.jsonl --passages ships.txt '
    "--fail-on insufficient,contradicted",
    'probative ask "When does the lift close?" --corpus documents',
    "probative ask --in questions.jsonl --out answers.jsonl --model openai:gpt-4o-mini",
)


def ask(
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="The question.")] = None,
    passages: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="The passages: a .jsonl file, or a text with a blank line between passages, or with one "
            "on each line. May be repeated. - is standard input, the default.",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            help="scope, or a baseline: rag, closed-book, cot-sc, verify-edit.", rich_help_panel=METHOD
        ),
    ] = "scope",
    preset: ScopePreset = None,
    option: MethodOption = None,
    answer_anyway: Annotated[
        bool,
        typer.Option(
            "--answer-anyway",
            help="Answer even if a feature is missing or contradicted.",
            rich_help_panel=METHOD,
        ),
    ] = False,
    seed: Seed = None,
    *,
    documents: CorpusOptions,
    batch: BatchOptions,
    models: JudgedModelOptions,
    run: RunOptions,
) -> None:
    """Answer a question from passages or documents. Show what carries the answer, or what is missing."""
    has_options = method == "verify-edit" and not (preset or answer_anyway)
    if method not in ("scope", "rag") and not has_options and (preset or option or answer_anyway):
        raise InputError(f"--preset, --option and --answer-anyway are options of scope, not of {method}")
    verdicts = run.verdicts(*VERDICTS)
    options = {
        "method": method,
        "preset": preset,
        "seed": seed or 0,
        **_changes(method, option, answer_anyway),
    }
    if batch.is_used({"QUESTION": question, "--passages": passages}):
        from probative.cli.outcome import run_file

        with documents.open(models.settings()) as corpus:
            run_file("ask", "questions", batch, models, run, verdicts, corpus=corpus, **options)
        return
    if question is None:
        raise InputError("there is no question", hint='probative ask "question" --passages FILE')
    _ask(question, passages, documents, models, run, verdicts, options)


def _ask(
    question: str,
    files: list[str] | None,
    documents: CorpusOptions,
    models: JudgedModelOptions,
    run: RunOptions,
    verdicts: frozenset[str],
    options: dict[str, Any],
) -> None:
    from probative.cli.outcome import check_trace, finish
    from probative.cli.views.progress import search_progress
    from probative.cli.views.usage import show_usage
    from probative.views.terminal import show_result

    check_trace(run)
    with (
        models.session(dry_run=run.dry_run) as session,
        documents.open(session.settings, background=True) as corpus,
    ):
        passages = _passages(files, str(options["method"]), has_corpus=corpus is not None)
        with search_progress() as progress:
            answer = session.ask(question, passages, corpus=corpus, progress=progress, **options)

    def show() -> None:
        show_result(answer)
        show_usage(answer.usage, answer.model)

    finish(answer, run, show, verdicts)


def _passages(files: list[str] | None, method: str, *, has_corpus: bool) -> list[Passage]:
    from probative.cli.inputs.passages import read_passages

    # Without passages to read, nothing must wait for standard input.
    if not files and (has_corpus or method == "closed-book"):
        return []
    return read_passages(files, "--passages")


def _changes(method: str, option: list[str] | None, answer_anyway: bool) -> dict[str, Any]:
    from probative.scope.options import ScopeOptions

    if method == "verify-edit":
        from probative.baselines.passages.verify_edit import VerifyEditOptions

        return method_options(option, method, VerifyEditOptions.model_fields)
    changes = method_options(option, "scope", ScopeOptions.model_fields)
    return {**changes, "answer_anyway": True} if answer_anyway else changes


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "ask", examples=EXAMPLES)(ask)
