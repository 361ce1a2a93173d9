"""`probative bench data`: the data sets of the studies."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.framework.command import command
from probative.cli.framework.exit_codes import ExitCode
from probative.cli.framework.options import Json
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.bench.data.sets import DataCheck

app = typer.Typer(help="List, get and check the data sets of the studies.", no_args_is_help=True)
data_option = partial(
    typer.Option, envvar="PROBATIVE_DATA", metavar="DIR", help="The folder of the data sets."
)
DataFolder = Annotated[Path | None, data_option()]
Names = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME]...", help="The data sets; without a name, all.")
]


@command(app, "list", examples=("probative bench data list", "probative bench data list --json"))
def list_sets(json: Json = False) -> None:
    """List the data sets: licence, size, source, and how to get each."""
    from probative.bench.data.sets import list_sets
    from probative.cli.views.bench import show_sets
    from probative.cli.views.terminal import print_json

    listed = list_sets()
    print_json(listed) if json else show_sets(listed)


@command(
    app,
    "get",
    examples=(
        "probative bench data get rgb pubmedqa umls --data ./data",
        "probative bench data get bioasq --data ./data --from Task2BGoldenEnriched.zip",
    ),
)
def get(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="The data sets.")],
    data: DataFolder = None,
    origin: Annotated[
        Path | None,
        typer.Option("--from", metavar="PATH", help="What you downloaded: a file, a folder or an archive."),
    ] = None,
    json: Json = False,
) -> None:
    """Download data sets, or take them from a file of yours, and put them where the studies read them."""
    from probative.bench.data.get import get_set
    from probative.bench.data.sets import DataCheck, find_set
    from probative.cli.views.progress import step_progress

    folder = checked_data(data)
    if origin is not None and not origin.exists():
        raise InputError(f"{origin} does not exist", hint="name a file, a folder or an archive with --from")
    sets = [find_set(name) for name in names]
    with step_progress() as progress:
        checks = tuple(get_set(folder, data_set, origin, progress) for data_set in sets)
    _show(DataCheck(data=str(folder), sets=checks), json=json)


@command(
    app, "check", examples=("probative bench data check --data ./data", "probative bench data check rgb")
)
def check(names: Names = None, data: DataFolder = None, json: Json = False) -> None:
    """Check the files of data sets: there, whole, of the right form, and with a known checksum.

    Exits with code 1 if a named set cannot be used.
    """
    from probative.bench.data.sets import CATALOGUE, DataCheck, find_set, inspect_set

    folder = checked_data(data)
    checks = tuple(inspect_set(folder, find_set(name)) for name in names or CATALOGUE)
    _show(DataCheck(data=str(folder), sets=checks), json=json, strict=bool(names))


def checked_data(data: Path | None, *, needed: bool = True) -> Path:
    """Return the data folder; raises `InputError` if none is named and it is needed.

    >>> checked_data(Path("data")).name
    'data'
    """
    if data is None and needed:
        raise InputError("no data folder", hint="name it with --data DIR or the variable PROBATIVE_DATA")
    return data or Path()


def _show(checked: DataCheck, *, json: bool, strict: bool = True) -> None:
    from probative.cli.views.bench import show_data
    from probative.cli.views.terminal import print_json

    print_json(checked) if json else show_data(checked)
    if strict and not all(data_set.usable for data_set in checked.sets):
        raise typer.Exit(ExitCode.ERROR)
