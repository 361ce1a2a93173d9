"""`probative settings`: what is in force, and what each setting means."""

from __future__ import annotations

import typer

from probative.cli import options
from probative.settings import Settings, load_settings, settings_files


def settings(json: options.Json = False) -> None:
    """Show every setting, its value in force and its meaning."""
    in_force = load_settings()
    if json:
        typer.echo(in_force.to_json())  # keys are masked
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("setting", "in force", "meaning", box=None)
    for name, field in Settings.model_fields.items():
        value = getattr(in_force, name)
        style = None if value == field.default else "bold"
        shown = Text("" if value is None else str(value), style=style or "")
        table.add_row(name, shown, field.description or "")
    console = Console()
    console.print(table)
    files = settings_files()
    names = ", ".join(str(file.path) for file in files) or "none"
    notices = "".join(f"\n{file.notice}" for file in files if file.notice)
    console.print(
        "\nAn option beats an environment variable (PROBATIVE_ and the name in capitals), which beats "
        f"probative.toml here or above, which beats the user's own.\nFiles in force: {names}{notices}",
        highlight=False,
        markup=False,
    )
