"""A citation in its surroundings, in the terminal."""

from __future__ import annotations

from probative.cli.views.terminal import console, plain, plain_lines, print_text
from probative.corpus.documents.citation import Citation, Surroundings
from probative.corpus.documents.passages import TITLE_MARK, section_names


def show_surroundings(shown: Surroundings) -> None:
    """Print where the citation is, and its text in bold between what stands before and after it."""
    from rich.text import Text

    print_text(TITLE_MARK.join(map(plain, section_names(shown.title, shown.headings))))
    page = f", page {shown.page}" if shown.page is not None else ""
    origin = f" ({shown.date_source})" if shown.date_source else ""
    date = f", {shown.date}{origin}" if shown.date else ""
    print_text(f"{plain(shown.source)}{page}{date}\n")
    before, after = plain_lines(shown.before), plain_lines(shown.after)
    text = Text()
    if before.strip():
        starts_there = Citation.parse(shown.citation).start == len(shown.before)
        more = "" if starts_there else "…"
        text.append(f"{more}{before.strip()}{_gap(shown.before, shown.before.rstrip())}", style="dim")
    text.append("▸ ", style="bold green")
    text.append(plain_lines(shown.text), style="bold")
    text.append(" ◂", style="bold green")
    if after.strip():
        text.append(f"{_gap(shown.after, shown.after.lstrip())}{after.strip()}…", style="dim")
    console().print(text)


def _gap(text: str, stripped: str) -> str:
    """Return what stands between the citation and its neighbours: a space, or an empty line."""
    removed = len(text) - len(stripped)
    return "\n\n" if removed > 1 else " " * removed
