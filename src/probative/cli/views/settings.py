"""The settings in force, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from probative.cli.views.terminal import console, plain
from probative.settings import Settings, SettingsFile


def show_settings(settings: Settings, files: Sequence[SettingsFile]) -> None:
    """Print every setting, in bold where it differs from its default, and the files in force."""
    from rich.table import Table
    from rich.text import Text

    table = Table("setting", "value", "meaning", box=None)
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        style = "" if value == field.default else "bold"
        table.add_row(name, Text("" if value is None else plain(str(value)), style=style), field.description)
    terminal = console()
    terminal.print(table)
    names = ", ".join(plain(str(file.path)) for file in files) or "none"
    lines = [
        "",
        "The first of these that has a setting wins: an option; an environment variable (PROBATIVE_ and the "
        "name in capitals); the file of --config or PROBATIVE_CONFIG, otherwise probative.toml in this "
        "folder or above; probative.toml in your configuration folder; the default.",
        f"Files in force: {names}",
        *(plain(file.notice) for file in files if file.notice),
    ]
    for line in lines:
        terminal.print(line, markup=False)
