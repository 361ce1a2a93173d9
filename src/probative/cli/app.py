"""`probative`: all commands together."""

from __future__ import annotations

from typing import Annotated

import typer

from probative.cli.commands import (
    bench,
    cache,
    calibrate,
    doctor,
    graph,
    index,
    mcp,
    models,
    serve,
    settings,
    show,
)
from probative.cli.framework.command import command
from probative.cli.framework.exit_codes import MEANINGS
from probative.cli.framework.verb_command import VerbGroup

ABOUT = "Find the evidence that carries an answer, answer from it, and show why."
EPILOG = "\n\n".join(
    (
        "[bold]Examples[/bold]",
        '  probative ask "In which town was the Sea Lark built?" --passages notes.txt',
        '  probative prove "The lighthouse was lit in 1871." --context lighthouse.txt',
        '  probative judge "The lighthouse was lit in 1871." --evidence lighthouse.txt',
        "  probative verify report.md --corpus documents",
        '  probative reason "Does willow bark ease a headache?" --graph apothecary.tsv',
        "  probative serve --demo",
        "[bold]Exit codes[/bold]",
        *(f"  {code.value:>3}  {meaning}" for code, meaning in MEANINGS.items()),
        "Passages are numbered from 1 in the terminal, and have an index from 0 in JSON.",
    )
)

app = typer.Typer(
    cls=VerbGroup, no_args_is_help=True, pretty_exceptions_enable=False, help=ABOUT, epilog=EPILOG
)
for module in (index, calibrate, show, serve, mcp, doctor, settings):
    name = module.__name__.rpartition(".")[2]
    command(app, name, examples=module.EXAMPLES)(getattr(module, name))
app.add_typer(graph.app, name="graph")
app.add_typer(bench.app, name="bench")
app.add_typer(models.app, name="models")
app.add_typer(cache.app, name="cache")


def _version(is_set: bool) -> None:
    if is_set:
        from probative import __version__

        typer.echo(f"probative {__version__}")
        raise typer.Exit


@app.callback(epilog=EPILOG)
def probative(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Find the evidence that carries an answer, answer from it, and show why."""
