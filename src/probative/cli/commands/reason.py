"""`probative reason`: an answer over a knowledge graph in three stages, and the knowledge behind it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli import options
from probative.errors import InputError
from probative.settings import Settings

if TYPE_CHECKING:
    from probative.give.reasoning import Reasoning
    from probative.graph.graph import Graph

GraphFile = Annotated[
    Path | None,
    typer.Option("--graph", help="The graph: a folder made by `graph import`, or a file of triples."),
]
Choices = Annotated[
    list[str] | None,
    typer.Option(help="What the question offers, parted by semicolons; may be repeated instead."),
]


def reason(
    question: Annotated[str | None, typer.Argument(help="What is to be answered.")] = None,
    graph: GraphFile = None,
    columns: Annotated[
        str | None, typer.Option(help="Of a file: its columns' order or names, as for `graph import`.")
    ] = None,
    choices: Choices = None,
    form: Annotated[
        str | None, typer.Option(help="yes-no, choice or text; else told from the question.")
    ] = None,
    method: options.GraphMethod = "give",
    preset: options.GivePreset = None,
    option: options.GiveOption = None,
    worked: Annotated[
        Path | None,
        typer.Option(help="Worked examples for the prompt instead of ours, one JSON object a line."),
    ] = None,
    draw: Annotated[Path | None, typer.Option(help="Draw groups and connections into this SVG file.")] = None,
    source: options.In = None,
    target: options.Out = None,
    limit: options.Limit = None,
    model: options.Model = None,
    encoder: options.EncoderName = None,
    base_url: options.BaseUrl = None,
    api_key: options.ApiKey = None,
    concurrency: options.Concurrency = None,
    timeout: options.Timeout = None,
    retries: options.Retries = None,
    requests_per_minute: options.RequestsPerMinute = None,
    tokens_per_minute: options.TokensPerMinute = None,
    budget_calls: options.BudgetCalls = None,
    budget_tokens: options.BudgetTokens = None,
    budget_money: options.BudgetMoney = None,
    price_prompt: options.PricePrompt = None,
    price_completion: options.PriceCompletion = None,
    seed: options.Seed = None,
    no_cache: options.NoCache = False,
    dry_run: options.DryRun = False,
    json: options.Json = False,
) -> None:
    """Answer a question over a graph that does not hold the answer, and show the knowledge behind it."""
    settings = options.settings_of(locals())
    if graph is None:
        raise InputError("there is no graph", hint='probative reason "question" --graph FILE')
    asked: dict[str, Any] = {
        "method": method,
        "preset": preset,
        "seed": seed or 0,
        "worked": _worked(worked),
        **_changes(method, option),
    }
    if source is not None or target is not None:
        if question is not None or choices or form is not None or draw is not None:
            raise InputError(
                "--in and --out take the questions from a file",
                hint="leave out QUESTION, --choices, --form and --draw",
            )
        if source is None or target is None:
            raise InputError("--in and --out belong together", hint="give both")
        from probative.batch.reason import reason_file
        from probative.cli.views.batch import run_file
        from probative.cli.views.search import telling_encoding

        asked |= {"limit": limit, "settings": settings, "graph": _graph(graph, columns)}
        asked["embedding"] = telling_encoding()
        run_file(reason_file, source, target, "questions", dry_run=dry_run, json=json, **asked)
        return
    if limit is not None:
        raise InputError("--limit is for --in and --out")
    if question is None:
        raise InputError("there is no question", hint='probative reason "question" --graph FILE')
    asked |= {"choices": _offered(choices), "form": form}
    _check_drawing(draw, dry_run)
    _one(question, _graph(graph, columns), asked, settings, draw=draw, dry_run=dry_run, json=json)


def _changes(method: str, option: list[str] | None) -> dict[str, Any]:
    """The options of give, or of a baseline, that were given."""
    from probative.baselines.graphs.options import GiveBaselineOptions
    from probative.give.options import GiveOptions

    known = GiveOptions if method == "give" else GiveBaselineOptions
    return options.changes_of(option, method, known.model_fields)


def _offered(choices: list[str] | None) -> list[str] | None:
    """The choices: each --choices is one, unless it holds semicolons.

    >>> _offered(["iron; cork"]), _offered(["iron", "cork"]), _offered(None)
    (['iron', 'cork'], ['iron', 'cork'], None)
    """
    if not choices:
        return None
    return [part.strip() for given in choices for part in given.split(";") if part.strip()]


def _worked(file: Path | None) -> list[dict[str, Any]] | None:
    """The worked examples of a file, or an `InputError` that names the line."""
    if file is None:
        return None
    import json

    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{file}, line {number} is no JSON: {error.msg}") from None
        if not isinstance(row, dict):
            raise InputError(f"{file}, line {number} is no JSON object")
        rows.append(row)
    if not rows:
        raise InputError(f"{file} holds no examples")
    return rows


def _check_drawing(draw: Path | None, dry_run: bool) -> None:
    """Find out before anything is paid for whether the drawing can be made."""
    if draw is None:
        return
    if dry_run:
        raise InputError("a dry run has nothing to draw", hint="leave out --draw or --dry-run")
    if draw.suffix.lower() != ".svg":
        raise InputError(f"the drawing is an SVG, and {draw.name} is not called so", hint="name a .svg file")
    if not draw.absolute().parent.is_dir():
        raise InputError(f"there is no folder {draw.parent} for the drawing")


def _draw(reasoning: Reasoning, file: Path) -> None:
    from probative.give.drawing.picture import draw

    picture = draw(reasoning.groups, reasoning.knowledge, reasoning.question, reasoning.answer)
    try:
        file.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise InputError(f"the drawing cannot be written: {error}") from None


def _graph(path: Path, columns: str | None) -> Graph:
    from probative import Graph

    return Graph.open(path, columns=columns)


def _one(
    question: str,
    graph: Graph,
    asked: dict[str, Any],
    settings: Settings,
    *,
    draw: Path | None,
    dry_run: bool,
    json: bool,
) -> None:
    from probative import reason
    from probative.cli.views.search import showing_search, telling_encoding

    with showing_search() as progress:
        reasoning = reason(
            question,
            graph,
            settings=settings,
            dry_run=dry_run,
            progress=progress,
            embedding=telling_encoding(),
            **asked,
        )
    if json:
        typer.echo(reasoning.to_json())
        if draw is not None:
            _draw(reasoning, draw)
        return
    from probative.cli.views.reasoning import show_reasoning
    from probative.cli.views.usage import show_dry_run, show_usage

    if dry_run:
        show_dry_run(reasoning.usage)
        return
    show_reasoning(reasoning)
    if draw is not None:
        _draw(reasoning, draw)
        typer.echo(f"drawn in {draw}")
    show_usage(reasoning.usage, reasoning.model)
