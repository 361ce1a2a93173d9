"""A citation in its surroundings, in the terminal."""

from __future__ import annotations

from probative.cli.views.terminal import console, plain, plain_lines, print_text
from probative.corpus.surroundings import Surroundings


def show_surroundings(shown: Surroundings) -> None:
    """Print where the citation is, and its text in bold between what stands before and after it."""
    from rich.text import Text

    headings = [plain(name) for name in shown.headings if name != shown.title]
    print_text(" › ".join((plain(shown.title), *headings)))
    page = f", page {shown.page}" if shown.page is not None else ""
    date = f", {shown.date}" if shown.date else ""
    print_text(f"{plain(shown.source)}{page}{date}\n")
    text = Text(f"…{plain_lines(shown.before).lstrip()}" if shown.before else "", style="dim")
    if shown.before[-1:].isspace():
        text.append("\n\n" if "\n\n" in shown.before[-3:] else " ")
    text.append("▸ ", style="bold green")
    text.append(plain_lines(shown.text), style="bold not dim")
    text.append(" ◂", style="bold green")
    text.append(f"{plain_lines(shown.after)}…" if shown.after else "", style="dim")
    console().print(text)
