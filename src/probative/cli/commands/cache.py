"""`probative cache`: what the response cache holds, and how to make it smaller."""

from __future__ import annotations

from typing import Annotated

import typer

from probative.cli import options
from probative.models.wrappers.cache import ResponseCache
from probative.settings import load_settings
from probative.types import Value

app = typer.Typer(help="Show, prune or clear the cache of model results.", invoke_without_command=True)


def _cache() -> ResponseCache:
    return ResponseCache(load_settings().cache_file)


@app.callback(invoke_without_command=True)
def default(context: typer.Context, json: options.Json = False) -> None:
    """Show, prune or clear the cache of model results."""
    if context.invoked_subcommand is None:
        show(json=json)
    elif json:
        raise typer.BadParameter("give --json after the subcommand")


@app.command()
def show(json: options.Json = False) -> None:
    """Show where the cache is and what it holds."""
    summary = _cache().summary()
    if json:
        typer.echo(summary.to_json())
        return
    typer.echo(f"{summary.path}: {summary.results:,} results, {summary.bytes / 1e6:.1f} MB")
    for model, count in summary.by_model.items():
        typer.echo(f"  {count:>8,}  {model}")


@app.command()
def prune(
    older_than: Annotated[
        float, typer.Option(min=0.0, help="Remove results older than this many days.")
    ] = 30.0,
    model: Annotated[str | None, typer.Option(help="Only those of this model.")] = None,
    json: options.Json = False,
) -> None:
    """Remove old results and give the space back."""
    _report(_cache().prune(older_than_days=older_than, model=model), json=json)


@app.command()
def clear(
    model: Annotated[str | None, typer.Option(help="Only those of this model.")] = None,
    json: options.Json = False,
) -> None:
    """Remove every result, or every result of one model."""
    _report(_cache().prune(model=model) if model is not None else _cache().clear(), json=json)


class Removed(Value):
    """How many results went."""

    removed: int


def _report(count: int, *, json: bool) -> None:
    typer.echo(Removed(removed=count).to_json() if json else f"removed {count:,} results")
