"""`probative ask`: answer a question from passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.framework.command import command
from probative.cli.framework.corpus_options import CorpusOptions
from probative.cli.framework.options import (
    METHOD,
    BatchOptions,
    JudgedModelOptions,
    MethodOption,
    RunOptions,
    ScopePreset,
    Seed,
)
from probative.cli.framework.verb_command import VerbCommand

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus
    from probative.types import Passage

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
    call = VerbCommand("ask", batch, models, run, documents)
    changes = {"answer_anyway": True} if answer_anyway else {}
    arguments = {
        "method": method,
        "preset": preset,
        "seed": seed or 0,
        **call.method_options(option, method),
        **changes,
    }
    if call.is_batch({"QUESTION": question, "--passages": passages}):
        call.run_batch(arguments)
        return
    asked = call.asked(question, "question", "--passages FILE")

    def read(corpus: Corpus | None) -> dict[str, Any]:
        return {"question": asked, "passages": _passages(passages, method, has_corpus=corpus is not None)}

    call.show_one(read, arguments)


def _passages(files: list[str] | None, method: str, *, has_corpus: bool) -> list[Passage]:
    from probative.cli.inputs.passages import read_passages
    from probative.verbs.ask import METHODS

    # Without passages to read, nothing must wait for standard input.
    if not files and (has_corpus or not METHODS.load(method).reads_passages):
        return []
    return read_passages(files, "--passages")


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "ask", examples=EXAMPLES)(ask)
