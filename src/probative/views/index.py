"""What an update of an index did, what an index has, and a citation in its surroundings."""

from __future__ import annotations

from collections.abc import Sequence

from probative.corpus.documents.document import Citation, Surroundings
from probative.corpus.documents.duplicates import Duplicate
from probative.corpus.documents.files import unread_note
from probative.corpus.documents.passages import TITLE_MARK, section_names
from probative.corpus.index.index_folder import CorpusState, IndexSummary
from probative.text.labels import counted
from probative.views.blocks import Block, Line, Part, Prose, Span, line, strong

# The files that are listed of each kind; the JSON has all of them.
MAX_LISTED = 20


def index_summary_view(summary: IndexSummary) -> Sequence[Block]:
    """Return what is in the index, what changed, and what could not be read."""
    changes = (
        (summary.added, "added"),
        (summary.changed, "changed"),
        (summary.removed, "removed"),
        (summary.unchanged, "unchanged"),
    )
    done = ", ".join(f"{count:,} {what}" for count, what in changes if count)
    lines = [_size(summary), line(f"{done} in {summary.seconds:.1f} s")]
    if summary.vectors is not None and summary.with_vectors < summary.passages:
        lines.append(line(f"with vectors so far: {counted(summary.with_vectors, 'passage')}"))
    lines.append(line(Span(f"index: {summary.index}"), wrap=False))
    if summary.unread:
        unread = [item.what for item in summary.unread]
        lines += _listed(unread_note(summary.unread, named=0), unread, "yellow")
    if summary.duplicates:
        texts = [f"{each.source} {_likeness(each)} {each.original}" for each in summary.duplicates]
        lines += _listed(f"near duplicates, which stay in the index: {len(texts)}", texts)
    if summary.noted:
        texts = [f"{each.source}: {'; '.join(each.notes)}" for each in summary.noted]
        lines += _listed(f"read with a note: {counted(len(texts), 'file')}", texts)
    return [*lines, *(line(Span(f"note: {note}"), wrap=False) for note in summary.notes)]


def corpus_state_view(state: CorpusState) -> Sequence[Block]:
    """Return what an index has."""
    others = "" if state.with_vectors == state.passages else "; the others are found by their words alone"
    texts = [
        f"with vectors: {counted(state.with_vectors, 'passage')}{others}",
        f"languages: {', '.join(state.languages)}",
        f"folder: {state.folder}",
        f"index: {state.index}",
        f"store: {state.store}",
    ]
    if state.unread:
        texts.append(f"not read: {counted(state.unread, 'file')}")
    if not state.read_all:
        texts.append("not all documents were read yet: the same command without --state goes on")
    return [_size(state), *(line(Span(text), wrap=False) for text in texts)]


def _size(index: IndexSummary | CorpusState) -> Line:
    return line(strong(f"{counted(index.documents, 'document')}, {counted(index.passages, 'passage')}"))


def _likeness(duplicate: Duplicate) -> str:
    same = duplicate.similarity >= 1
    return "has the same text as" if same else f"is {duplicate.similarity:.0%} the same as"


def _listed(title: str, texts: list[str], look: str = "") -> list[Line]:
    lines = [line(Span(text, look), indent=2, wrap=False) for text in texts[:MAX_LISTED]]
    left = len(texts) - MAX_LISTED
    more = [line(Span(f"… and {left:,} more (--json has all)", look), indent=2)] if left > 0 else []
    return [line(Span(title, look)), *lines, *more]


def surroundings_view(shown: Surroundings) -> Sequence[Block]:
    """Return where a citation is, and its text in bold between what stands before and after it."""
    citation = Citation.parse(shown.citation)
    place = f", {citation.words}" if citation.words else ""
    origin = f" ({shown.date_source})" if shown.date_source else ""
    date = f", {shown.date}{origin}" if shown.date else ""
    text: list[Part] = [Span("▸ ", "bold green"), strong(shown.text), Span(" ◂", "bold green")]
    if shown.before.strip():
        starts_there = citation.start == len(shown.before)
        gap = _gap(shown.before, shown.before.rstrip())
        text.insert(0, Span(f"{'' if starts_there else '…'}{shown.before.strip()}{gap}", "dim"))
    if shown.after.strip():
        text.append(Span(f"{_gap(shown.after, shown.after.lstrip())}{shown.after.strip()}…", "dim"))
    names = TITLE_MARK.join(section_names(shown.title, shown.headings))
    read_by = f", read by {shown.read_by}" if shown.read_by else ""
    location = Span(f"{shown.source}{place}{date}{read_by}")
    return [line(Span(names), wrap=False), line(location, wrap=False), line(), Prose(tuple(text))]


def _gap(text: str, stripped: str) -> str:
    """Return what stands between the citation and its neighbours: a space, or an empty line."""
    removed = len(text) - len(stripped)
    return "\n\n" if removed > 1 else " " * removed
