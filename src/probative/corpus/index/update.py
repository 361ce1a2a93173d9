"""Bring an index up to date with its folder: add what is new, replace what changed, remove what is gone."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import closing, suppress
from pathlib import Path

from probative import __version__
from probative.corpus.documents.files import Filters, FoundFile, Unread, find_files, is_index, local_path
from probative.corpus.index.batch import IndexWriter
from probative.corpus.index.catalog import FileState, UnreadFile, WritableCatalog
from probative.corpus.index.embed import embed_passages
from probative.corpus.index.index_folder import FORMAT, IndexFolder, IndexSummary, Noted, Progress
from probative.corpus.index.index_job import WORKER_ENDED, IndexJob, ReadFile, ToRead, read_in_order
from probative.corpus.reading.limited import ReadLimits
from probative.corpus.stores.labels import IndexLabel, read_vectors_label
from probative.corpus.stores.records import PassageStore
from probative.corpus.stores.store import new_store, open_store
from probative.errors import InputError, StoreError
from probative.models.encoder import Encoder
from probative.runners.choice import InProcess
from probative.runners.contract import Pool, Runner

# Reasons that may be over by the next update, though the file itself does not change.
_TEMPORARY = frozenset(("changing", "no access", "gone", "broken link", WORKER_ENDED))
# Reasons that are over when OCR is installed.
_WITHOUT_OCR = frozenset(("scanned", "image"))


def update_index(
    folder: str | Path,
    index: Path,
    *,
    filters: Filters | None = None,
    dates: Sequence[tuple[str, str]] | None = None,
    rebuild: bool = False,
    wait: float = 0,
    store: str | None = None,
    encoder: Encoder | None = None,
    progress: Progress | None = None,
    runner: Runner | None = None,
    open_encoder: Callable[[], Encoder | None] | None = None,
    limits: ReadLimits | None = None,
    again: Collection[str] = (),
    may_be_empty: bool = False,
) -> IndexSummary:
    """Index the documents below a folder, or what has changed since the last time.

    With an `encoder`, each passage gets a vector once the words are complete; others may search and write
    words meanwhile. `store` names where the passages of a new index go, such as
    "milvus:http://localhost:19530"; by default into the index itself.

    `dates` are pairs of a pattern and a date: the documents that fit the pattern have this date, whatever
    they say themselves. They stay with the index until others are given, as `filters` do.

    With a `runner`, its workers read the files and encode the passages, with the encoder that `open_encoder`
    opens there; this process writes. The index is the same with every runner. Each file is read in a process
    of its own kind, with `limits` of time and memory. The sources in `again` are read even if their files
    have not changed; with `may_be_empty`, a folder without files makes an index without documents.

    The old index answers until each batch of documents is complete, and stays as it is where this stops.
    Raises `InputError` if the folder has no files or is an index, `InUseError` while another process writes
    the index and `StoreError` if it cannot be written.
    """
    started = time.monotonic()
    root = local_path(folder)
    target = IndexFolder(index)
    entries = _entries(root, target, _label(root, filters, dates, target).filters, may_be_empty)
    files = [entry for entry in entries if isinstance(entry, FoundFile)]
    with (runner or InProcess()).open(IndexJob(open_encoder, limits)) as pool:
        with target.locked(wait=wait):
            label = _label(root, filters, dates, target)
            update = _Update(target, label, pool, rebuild=rebuild, again=again, store=store)
            try:
                update.run(files, [entry for entry in entries if isinstance(entry, Unread)], progress)
            finally:
                update.close()
        if encoder is not None:
            embed_passages(target, encoder, progress=progress, pool=None if runner is None else pool)
    return update.summary(time.monotonic() - started)


def _entries(
    root: Path, target: IndexFolder, filters: Filters, may_be_empty: bool
) -> list[FoundFile | Unread]:
    """Return what is below a folder, without the index itself; raises `InputError` if there are no files."""
    entries = list(find_files(root, filters))
    index = target.path.resolve()
    if _is_below(root, index):
        raise InputError(
            f"the index cannot be {str(target.path)!r}: the documents are in it",
            hint="name a folder of its own with --out; it may be below the documents",
        )
    outside = [each for each in entries if isinstance(each, Unread) or not _is_below(each.path, index)]
    if may_be_empty or any(isinstance(entry, FoundFile) for entry in outside):
        return outside
    if filters.include or filters.exclude:
        raise InputError(
            f"no file in {str(root)!r} {_patterns(filters)}",
            hint="an index keeps its patterns until others are given; '*.pdf' takes every PDF file",
        )
    raise InputError(
        f"there are no documents in {str(root)!r}",
        hint="; ".join(entry.what for entry in outside if isinstance(entry, Unread))
        or "give a folder with documents; an index that was made before is kept",
    )


def _is_below(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder)


def _patterns(filters: Filters) -> str:
    """Return what the patterns ask of a file, in words."""
    include, exclude = (", ".join(map(repr, each)) for each in (filters.include, filters.exclude))
    included = f"matches --include {include}" if include else ""
    excluded = f"is left by --exclude {exclude}" if exclude else ""
    return " and ".join(part for part in (included, excluded) if part)


def _label(
    root: Path, filters: Filters | None, dates: Sequence[tuple[str, str]] | None, target: IndexFolder
) -> IndexLabel:
    """Return the label of the index; filters and dates that are not given are those it was made with."""
    old: IndexLabel | None = None
    with suppress(StoreError):  # there is none, or it cannot be used
        old = target.label()
    filters = filters or (Filters() if old is None else old.filters)
    return IndexLabel(
        format=FORMAT,
        version=__version__,
        folder=str(root.resolve()),
        include=filters.include,
        exclude=filters.exclude,
        hidden=filters.hidden,
        dates=tuple(dates) if dates is not None else () if old is None else old.dates,
    )


class _Update:
    """One update of an index that is locked."""

    def __init__(
        self,
        target: IndexFolder,
        label: IndexLabel,
        pool: Pool,
        *,
        rebuild: bool,
        again: Collection[str],
        store: str | None,
    ) -> None:
        self._target, self._label, self._pool = target, label, pool
        self._rebuild, self._again, self._store = rebuild, again, store
        self._catalog, self._words = self._open()
        target.write_label(label)
        self._added = self._changed = self._unchanged = self._removed = 0
        self._unread: list[UnreadFile] = []
        self._noted: list[Noted] = []

    def _open(self) -> tuple[WritableCatalog, PassageStore]:
        """Open the index; one that cannot be used is made anew, if that was asked for."""
        target = self._target
        if is_index(target.path) and not target.is_unfinished():
            try:
                old = target.label()
                if old.folder != self._label.folder and not self._rebuild:
                    raise InputError(
                        f"the index {target.path} was made from {old.folder}, not from {self._label.folder}",
                        hint="name another index with --out, or replace it with --rebuild",
                    )
                words = open_store(target.path, self._store)
                return target.open_writable_catalog(), words
            except StoreError:
                if not self._rebuild:
                    raise
        with target.locked(vectors=True):  # they are removed with the rest
            words = new_store(target.path, self._store, target.clear)
        return target.open_writable_catalog(), words

    def close(self) -> None:
        self._words.close()
        self._catalog.close()

    def run(self, files: list[FoundFile], unread: list[Unread], progress: Progress | None) -> None:
        """Read what is new or has changed, and remove what is gone."""
        indexed = self._catalog.files()
        unread_before = self._catalog.unread()
        self._unread = [(item, None, None) for item in unread]
        with self._words.writing() as words:
            writer = IndexWriter(self._catalog, words)
            writer.remove_left_over()
            entries = (self._to_read(file, indexed, unread_before) for file in files)
            to_read = [entry for entry in entries if entry is not None]
            sources = [each.file.source for each in to_read]
            if progress is not None and sources:
                progress(len(files) - len(to_read), len(files), sources[0])
            contents = read_in_order(self._pool, to_read)
            for left, (each, content) in zip(reversed(range(len(to_read))), contents, strict=True):
                self._write(each.file, content, indexed.get(each.file.source), writer)
                if progress is not None and left:
                    progress(len(files) - left, len(files), sources[-left])
            self._remove_gone({file.source for file in files}, indexed, unread, writer)
            writer.flush()
            writer.remove_left_over()
            writer.compact()
            writer.compare_again([each.file.source for each in to_read if each.file.source in indexed])
        with self._catalog.transaction():
            self._catalog.set_unread(self._unread)
            self._catalog.set_fact("read all", 1)
        self._catalog.tidy()
        if progress is not None:
            progress(len(files), len(files), "")

    def _to_read(
        self, file: FoundFile, indexed: dict[str, FileState], unread: dict[str, UnreadFile]
    ) -> ToRead | None:
        """Return what to read of a file; None if it is known to be the same as before."""
        old, old_unread = indexed.get(file.source), unread.get(file.source)
        date = self._label.date_of(file.source)
        is_wanted = self._rebuild or file.source in self._again
        if is_wanted or (old is not None and old.set_date != date):
            return ToRead(file, date=date)
        if old is not None and (old.size, old.changed) == (file.size, file.changed):
            self._unchanged += 1
            return None
        if old_unread is not None and old_unread[1:] == (file.size, file.changed):
            self._unread.append(old_unread)
            return None
        return ToRead(file, None if old is None else old.digest, date)

    def _write(self, file: FoundFile, read: ReadFile, old: FileState | None, writer: IndexWriter) -> None:
        """Write the document of a file, or note why it has none."""
        content = read.content
        if content is None:
            assert old is not None
            with self._catalog.transaction():
                self._catalog.touch(old.id, file.changed)
            self._unchanged += 1
        elif isinstance(content, Unread):
            temporary = content.reason in _TEMPORARY
            tries_again = temporary or content.reason in _WITHOUT_OCR
            self._unread.append((content, None, None) if tries_again else (content, file.size, file.changed))
            if old is not None and not temporary:
                writer.remove(file.source)
                self._removed += 1
        else:
            self._added += old is None
            self._changed += old is not None
            if content.document.notes:
                self._noted.append(Noted(source=file.source, notes=content.document.notes))
            writer.add(content, file, read.digest)

    def _remove_gone(
        self, sources: set[str], indexed: dict[str, FileState], unread: list[Unread], writer: IndexWriter
    ) -> None:
        """Remove the documents whose files are gone; a folder that cannot be opened now is not gone."""
        closed = tuple(f"{item.source}/" for item in unread if item.reason in _TEMPORARY)
        for source in indexed:
            if source not in sources and not source.startswith(closed):
                writer.remove(source)
                self._removed += 1

    def summary(self, seconds: float) -> IndexSummary:
        """Return what was done, with the state of the index."""
        vectors = None
        with suppress(StoreError):  # vectors that are damaged are made by the next run that makes any
            vectors = read_vectors_label(self._target.vectors)
        with closing(self._target.open_catalog()) as catalog:
            documents, passages = catalog.counts()
            with_vectors = 0 if vectors is None else catalog.passages_before(vectors.end)
            duplicates = catalog.duplicates()
        return IndexSummary(
            index=str(self._target.path),
            folder=self._label.folder,
            documents=documents,
            passages=passages,
            added=self._added,
            changed=self._changed,
            removed=self._removed,
            unchanged=self._unchanged,
            unread=tuple(item for item, _, _ in self._unread),
            duplicates=tuple(duplicates),
            noted=tuple(self._noted),
            vectors=None if vectors is None else vectors.encoder,
            with_vectors=with_vectors,
            seconds=round(seconds, 3),
        )
