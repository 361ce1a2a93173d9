"""`probative ask`: answer a question from passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.framework.corpus_options import CorpusOptions
from probative.cli.framework.options import (
    BatchOptions,
    JudgedModelOptions,
    MethodOption,
    RunOptions,
    ScopePreset,
    Seed,
    method_option,
)
from probative.cli.framework.verb_command import VerbCommand
from probative.cli.inputs.passages import read_passages

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus

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
        str, method_option(help="scope, or a baseline: rag, closed-book, cot-sc, verify-edit.")
    ] = "scope",
    preset: ScopePreset = None,
    option: MethodOption = None,
    answer_anyway: Annotated[
        bool, method_option("--answer-anyway", help="Answer even if a feature is missing or contradicted.")
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
    arguments = {
        "method": method,
        "preset": preset,
        "seed": seed or 0,
        **call.method_options(option, method),
        **({"answer_anyway": True} if answer_anyway else {}),
    }

    def read(corpus: Corpus | None) -> dict[str, Any]:
        # Without passages to read, nothing must wait for standard input.
        methods = call.spec.methods
        reads = methods is not None and methods.load(method).reads_passages and corpus is None
        return {"passages": read_passages(passages, "--passages") if passages or reads else []}

    call.execute({"QUESTION": question, "--passages": passages}, read, arguments)
