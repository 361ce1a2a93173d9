"""`probative cache`: show, prune or clear the response cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.framework.command import command, with_groups
from probative.cli.framework.options import ConfigOptions, Json
from probative.cli.views.installation import Removed, show_cache
from probative.cli.views.terminal import print_json, print_text

if TYPE_CHECKING:
    from probative.models.response_cache import ResponseCache

app = typer.Typer(
    help="Show, prune or clear the cache of model results.",
    invoke_without_command=True,
    epilog="Without a subcommand: the same as show.",
)

OnlyModel = Annotated[str | None, typer.Option(help="Only the results of this model.")]


def _open(config: ConfigOptions) -> ResponseCache:
    from probative.models.response_cache import ResponseCache

    return ResponseCache(config.settings().cache_file)


def default(context: typer.Context, json: Json = False, *, config: ConfigOptions) -> None:
    """Show, prune or clear the cache of model results."""
    if context.invoked_subcommand is None:
        show(json=json, config=config)
    elif json:
        raise typer.BadParameter("give --json after the subcommand")


def show(json: Json = False, *, config: ConfigOptions) -> None:
    """Show where the cache is, its size, and how many results it has of each model."""
    summary = _open(config).summary()
    print_json(summary) if json else show_cache(summary)


def prune(
    older_than: Annotated[
        float, typer.Option(min=0.0, metavar="DAYS", help="Remove results older than this.")
    ] = 30.0,
    model: OnlyModel = None,
    json: Json = False,
    *,
    config: ConfigOptions,
) -> None:
    """Remove old results and free their space."""
    _report(_open(config).prune(older_than_days=older_than, model=model), json=json)


def clear(model: OnlyModel = None, json: Json = False, *, config: ConfigOptions) -> None:
    """Remove all results, or all results of one model. This also removes a damaged cache."""
    cache = _open(config)
    _report(cache.prune(model=model) if model is not None else cache.clear(), json=json)


def _report(count: int, *, json: bool) -> None:
    print_json(Removed(removed=count)) if json else print_text(f"removed {count:,} results")


app.callback(invoke_without_command=True)(with_groups(default))
command(app, "show", examples=("probative cache show", "probative cache show --json"))(show)
command(
    app,
    "prune",
    examples=("probative cache prune", "probative cache prune --older-than 7 --model openai:gpt-4o-mini"),
)(prune)
command(app, "clear", examples=("probative cache clear", "probative cache clear --model embedded"))(clear)
