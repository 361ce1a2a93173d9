"""`probative reason`: answer a question over a knowledge graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.command import command
from probative.cli.options import (
    METHOD,
    BatchOptions,
    MethodOption,
    ModelOptions,
    RunOptions,
    Seed,
    method_options,
)
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.give.reasoning import Reasoning
    from probative.graph.graph import Graph

VERDICTS = ("answered", "unanswered", "read", "extrapolated", "unknown")
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
        str,
        typer.Option(help="give, or a baseline: direct, cot, rag, tog, graphrag.", rich_help_panel=METHOD),
    ] = "give",
    preset: Annotated[
        str | None,
        typer.Option(
            help="Options of give: small (default of an embedded model), calls (default of other models) or "
            "paper.",
            rich_help_panel=METHOD,
        ),
    ] = None,
    option: MethodOption = None,
    worked: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Your own worked examples for the prompt, one JSON object on each line.",
            rich_help_panel=METHOD,
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

    if graph is None:
        raise InputError("there is no graph", hint='probative reason "question" --graph PATH')
    verdicts = widened(run.verdicts(*VERDICTS))
    options: dict[str, Any] = {
        "method": method,
        "preset": preset,
        "seed": seed or 0,
        "worked": read_examples(worked),
        **_changes(method, option),
    }
    single = {"QUESTION": question, "--choices": choices, "--form": form, "--draw": draw}
    if batch.is_used(single):
        from probative.cli.outcome import run_file
        from probative.cli.views.progress import encoding_progress

        options |= {"graph": _open(graph, columns), "embedding": encoding_progress()}
        run_file("reason", "questions", batch, models, run, verdicts, **options)
        return
    if question is None:
        raise InputError("there is no question", hint='probative reason "question" --graph PATH')
    _check_drawing(draw, run)
    options |= {"choices": split_choices(choices), "form": form}
    _reason(question, _open(graph, columns), draw, models, run, verdicts, options)


def _reason(
    question: str,
    graph: Graph,
    drawing: Path | None,
    models: ModelOptions,
    run: RunOptions,
    verdicts: frozenset[str],
    options: dict[str, Any],
) -> None:
    from probative.cli.outcome import check_trace, finish
    from probative.cli.views.progress import encoding_progress, learning_progress, search_progress
    from probative.cli.views.terminal import print_text
    from probative.cli.views.usage import show_usage
    from probative.views.terminal import show_result

    check_trace(run)
    with models.session(dry_run=run.dry_run) as session, search_progress() as progress:
        reasoning = session.reason(
            question,
            graph,
            progress=progress,
            embedding=encoding_progress(),
            learning=learning_progress(),
            **options,
        )
    if drawing is not None:
        _draw(reasoning, drawing)

    def show() -> None:
        show_result(reasoning)
        if drawing is not None:
            print_text(f"drawn in {drawing}")
        show_usage(reasoning.usage, reasoning.model)

    finish(reasoning, run, show, verdicts)


def split_choices(choices: list[str] | None) -> list[str] | None:
    """Return the choices of all --choices, each split at its semicolons.

    >>> split_choices(["iron; cork"]), split_choices(["iron", "cork"]), split_choices(None)
    (['iron', 'cork'], ['iron', 'cork'], None)
    """
    if not choices:
        return None
    return [part.strip() for option in choices for part in option.split(";") if part.strip()]


def widened(verdicts: frozenset[str]) -> frozenset[str]:
    """Return the verdicts of --fail-on with those that they include.

    >>> sorted(widened(frozenset(["unknown"])))
    ['unanswered', 'unknown']
    """
    if "answered" in verdicts:
        verdicts |= {"read", "extrapolated"}
    return verdicts | {"unanswered", "unknown"} if {"unanswered", "unknown"} & verdicts else verdicts


def _changes(method: str, option: list[str] | None) -> dict[str, Any]:
    from probative.baselines.graphs.options import GiveBaselineOptions
    from probative.give.options import GiveOptions

    known = GiveOptions if method == "give" else GiveBaselineOptions
    return method_options(option, method, known.model_fields)


def _open(path: Path, columns: str | None) -> Graph:
    from probative.graph.graph import Graph

    return Graph.open(path, columns=columns)


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


def _draw(reasoning: Reasoning, file: Path) -> None:
    from probative.views.reasoning import picture_of

    picture = picture_of(reasoning)
    try:
        file.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise InputError(f"the drawing cannot be written: {error.strerror}: {file}") from None


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "reason", examples=EXAMPLES)(reason)
