"""A check as people read it: complete or not, and which passage carries what."""

from __future__ import annotations

from probative.cli.views.answer import named, show_drawing, show_notes
from probative.scope.result import Check


def show_check(check: Check) -> None:
    """Print a check: complete or what is missing, the drawing, the notes."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    sure = "" if check.completeness is None else f" ({check.completeness:.0%} by the policy)"
    if check.complete and check.completeness is not None:
        console.print(f"[bold green]complete[/bold green]{sure}: the evidence is enough")
    elif check.complete:
        console.print("[bold green]complete[/bold green]: every feature of the question is carried")
    else:
        missing = f": nothing carries {named(check.missing)}" if check.missing else ": something is missing"
        console.print(Text.assemble(("incomplete", "bold red"), sure, missing))
    carried = [(one.index, one.carries) for one in check.judgements if one.carries]
    console.print()
    show_drawing(console, check.features, carried, check.missing)
    show_notes(check.notes)
