"""The progress of indexing, and what an update of an index did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from probative.cli.views.terminal import console, plain
from probative.corpus.documents.duplicates import Duplicate
from probative.corpus.documents.files import unread_note
from probative.corpus.index.index_folder import CorpusState, IndexSummary, Progress
from probative.text.labels import counted

_SHOWN = 20


@contextmanager
def index_progress() -> Iterator[Progress]:
    """Show a bar with the file that is read; yields the function to call."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    terminal = console(stderr=True)
    columns = (
        TextColumn("indexing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Bar(*columns, console=terminal, transient=True, disable=not terminal.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def update(done: int, total: int, source: str) -> None:
            bar.update(task, completed=done, total=total, description=plain(source)[-50:])

        yield update


def show_index(summary: IndexSummary) -> None:
    """Print what is in the index, what changed, and what could not be read."""
    terminal = console()
    counts = f"{counted(summary.documents, 'document')}, {counted(summary.passages, 'passage')}"
    terminal.print(counts, style="bold", highlight=False)
    changes = (
        (summary.added, "added"),
        (summary.changed, "changed"),
        (summary.removed, "removed"),
        (summary.unchanged, "unchanged"),
    )
    done = ", ".join(f"{count:,} {what}" for count, what in changes if count)
    terminal.print(f"{done} in {summary.seconds:.1f} s", highlight=False)
    if summary.vectors is not None and summary.with_vectors < summary.passages:
        terminal.print(f"with vectors so far: {counted(summary.with_vectors, 'passage')}", highlight=False)
    terminal.print(f"index: {plain(summary.index)}", markup=False, soft_wrap=True, highlight=False)
    if summary.unread:
        _list(unread_note(summary.unread, named=0), [item.what for item in summary.unread], "yellow")
    if summary.duplicates:
        lines = [f"{each.source} {_likeness(each)} {each.original}" for each in summary.duplicates]
        _list(f"near duplicates, which stay in the index: {len(lines)}", lines, "")
    if summary.noted:
        lines = [f"{each.source}: {'; '.join(each.notes)}" for each in summary.noted]
        _list(f"read with a note: {counted(len(lines), 'file')}", lines, "")
    for note in summary.notes:
        terminal.print(f"note: {plain(note)}", markup=False, soft_wrap=True, highlight=False)


def show_state(state: CorpusState) -> None:
    """Print what an index has."""
    terminal = console()
    counts = f"{counted(state.documents, 'document')}, {counted(state.passages, 'passage')}"
    terminal.print(counts, style="bold", highlight=False)
    lines = [
        f"with vectors: {counted(state.with_vectors, 'passage')}"
        + ("" if state.with_vectors == state.passages else "; the others are found by their words alone"),
        f"languages: {', '.join(state.languages)}",
        f"folder: {state.folder}",
        f"index: {state.index}",
        f"store: {state.store}",
    ]
    if state.unread:
        lines.append(f"not read: {counted(state.unread, 'file')}")
    if not state.read_all:
        lines.append("not all documents were read yet: the same command without --state goes on")
    for line in lines:
        terminal.print(plain(line), markup=False, soft_wrap=True, highlight=False)


def _likeness(duplicate: Duplicate) -> str:
    same = duplicate.similarity >= 1
    return "has the same text as" if same else f"is {duplicate.similarity:.0%} the same as"


def _list(title: str, lines: list[str], style: str) -> None:
    terminal = console()
    terminal.print(plain(title), style=style, markup=False, highlight=False)
    for line in lines[:_SHOWN]:
        terminal.print(f"  {plain(line)}", style=style, markup=False, soft_wrap=True, highlight=False)
    if len(lines) > _SHOWN:
        terminal.print(f"  … and {len(lines) - _SHOWN:,} more (--json has all)", style=style)
