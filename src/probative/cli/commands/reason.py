"""`probative reason`: answer a question over a knowledge graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.framework.options import (
    BatchOptions,
    MethodOption,
    ModelOptions,
    RunOptions,
    Seed,
    method_option,
)
from probative.cli.framework.verb_command import VerbCommand
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.give.reasoning import Reasoning

EXAMPLES = (
    'probative reason "Does willow bark ease a headache?" --graph apothecary.tsv',
    'probative reason "Which eases a cough?" --graph herbs/ --choices "thyme; hemlock" --draw cough.svg',
    "probative reason --in questions.jsonl --out answers.jsonl --graph herbs/",
)


def reason(
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="The question.")] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="The graph: a folder made by `graph import`, or a file of triples."
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(help="The order or the names of the columns of a file, as for `graph import`."),
    ] = None,
    choices: Annotated[
        list[str] | None,
        typer.Option(help="The choices of the question, separated by semicolons. May be repeated."),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(help="The form of the answer: yes-no, choice or text (default: by the question)."),
    ] = None,
    draw: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the groups and their connections into this .svg file."),
    ] = None,
    method: Annotated[
        str, method_option(help="give, or a baseline: direct, cot, rag, tog, graphrag.")
    ] = "give",
    preset: Annotated[
        str | None,
        method_option(
            help="Options of give: small (default of an embedded model), calls (default of other models) or "
            "paper."
        ),
    ] = None,
    option: MethodOption = None,
    worked: Annotated[
        Path | None,
        method_option(
            metavar="FILE", help="Your own worked examples for the prompt, one JSON object on each line."
        ),
    ] = None,
    seed: Seed = None,
    *,
    batch: BatchOptions,
    models: ModelOptions,
    run: RunOptions,
) -> None:
    """Answer a question over a graph that may not contain the answer. Show the knowledge behind it."""
    from probative.cli.inputs.examples import read_examples
    from probative.cli.views.progress import encoding_progress
    from probative.graph.graph import Graph

    if graph is None:
        raise InputError("there is no graph", hint='probative reason "question" --graph PATH')
    call = VerbCommand("reason", batch, models, run)
    arguments: dict[str, Any] = {
        "method": method,
        "preset": preset,
        "seed": seed or 0,
        "worked": read_examples(worked),
        **call.method_options(option, method),
    }
    single = {"QUESTION": question, "--choices": choices, "--form": form, "--draw": draw}
    if call.is_batch(single):
        opened = Graph.open(graph, columns=columns)
        call.run_batch({**arguments, "graph": opened, "embedding": encoding_progress()})
        return
    if question is not None:
        _check_drawing(draw, run)
    call.run_one(
        single,
        lambda _: {
            "choices": split_choices(choices),
            "form": form,
            "graph": Graph.open(graph, columns=columns),
        },
        arguments,
        lambda reasoning, _: show(reasoning, draw),
        lambda reasoning: _draw(reasoning, draw),
        example="--graph PATH",
    )


def show(reasoning: Reasoning, drawing: Path | None) -> None:
    """Print a reasoning, where it was drawn, and its cost."""
    from probative.cli.views.terminal import print_text
    from probative.cli.views.usage import show_usage
    from probative.views.terminal import show_result

    show_result(reasoning)
    if drawing is not None:
        print_text(f"drawn in {drawing}")
    show_usage(reasoning.usage, reasoning.model)


def split_choices(choices: list[str] | None) -> list[str] | None:
    """Return the choices of all --choices, each split at its semicolons.

    >>> split_choices(["iron; cork"]), split_choices(["iron", "cork"]), split_choices(None)
    (['iron', 'cork'], ['iron', 'cork'], None)
    """
    if not choices:
        return None
    return [part.strip() for option in choices for part in option.split(";") if part.strip()]


def _check_drawing(drawing: Path | None, run: RunOptions) -> None:
    """Raise `InputError` before any call is paid for if the drawing cannot be written."""
    if drawing is None:
        return
    if run.dry_run:
        raise InputError("a dry run has nothing to draw", hint="leave out --draw or --dry-run")
    if drawing.suffix.lower() != ".svg":
        raise InputError(f"--draw must name a .svg file, got {drawing.name}")
    if not drawing.absolute().parent.is_dir():
        raise InputError(f"there is no folder {drawing.parent} for the drawing")


def _draw(reasoning: Reasoning, file: Path | None) -> None:
    if file is None:
        return
    from probative.cli.framework.outcome import writing
    from probative.views.reasoning import picture_of

    with writing("drawing", file):
        file.write_text(picture_of(reasoning), encoding="utf-8")
