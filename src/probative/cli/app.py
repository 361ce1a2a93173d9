"""`probative`: the commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from probative.cli.commands import ask, cache, check, doctor, graph, models, prove, reason, settings

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Finds the evidence that carries an answer, and shows why.",
)
app.command("prove")(prove.prove)
app.command("ask")(ask.ask)
app.command("check")(check.check)
app.command("reason")(reason.reason)
app.command("doctor")(doctor.doctor)
app.command("settings")(settings.settings)
app.add_typer(graph.app, name="graph")
app.add_typer(models.app, name="models")
app.add_typer(cache.app, name="cache")


def _version(wanted: bool) -> None:
    if wanted:
        from probative import __version__

        typer.echo(f"probative {__version__}")
        raise typer.Exit


@app.callback()
def probative(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Finds the evidence that carries an answer, and shows why."""
