"""Index a folder: where its index is kept, and with which encoder its vectors are made."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from probative.corpus.documents.dates import iso_date
from probative.corpus.documents.files import Filters, is_index, local_path
from probative.corpus.index.index_folder import FORMAT, IndexFolder, IndexSummary, Progress
from probative.corpus.index.update import update_index
from probative.corpus.reading.limited import ReadLimits
from probative.corpus.stores.labels import StoreAddress, read_store_label, read_vectors_label
from probative.corpus.stores.word_index import WordIndex
from probative.errors import InputError, InUseError, StoreError, WeightsError
from probative.models.encoder import Encoder
from probative.runners.choice import parse_runner
from probative.settings import Settings, load_settings

# How long a process waits for another one that reads the same folder for the first time.
_WAIT_SECONDS = 600.0
_NO_ENCODER = "the static encoder is not here and could not be fetched: the index has words alone"


def index_folder(
    folder: str | Path,
    out: str | Path | None = None,
    *,
    filters: Filters | None = None,
    dates: Sequence[str] | None = None,
    rebuild: bool = False,
    vectors: bool = True,
    store: str | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
    runner: str | None = None,
    read_seconds: float = 60.0,
    read_memory: int = 2_000,
) -> IndexSummary:
    """Index the documents below a folder, or what has changed in it, into `out` or into the cache.

    With `vectors` false, or if the static encoder cannot be had, the index has words alone. `progress` is
    called with the number of files done, that of all files, and the name of the next one. `store` is
    "milvus:URI" if the passages go into Milvus. With a `runner`, "local:N" or "ray[:ADDRESS]", N processes or
    a Ray cluster read the documents and encode the passages; this process writes them. Each file is read in a
    process of its own, with at most `read_seconds` seconds and, where the system can limit it, `read_memory`
    megabytes; large files may take more. `dates` ("2026-05-03", "GLOB=2026-05") stay with the index.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "log.txt").write_text("The ferry left at six. It rained all day.")
    ...     summary = index_folder(folder, Path(folder, "index"), vectors=False)
    >>> summary.documents, summary.passages, summary.unread
    (1, 1, ())
    """
    documents = local_path(folder)
    settings = settings or load_settings()
    target = cached_index(documents, settings, store) if out is None else local_path(out)
    encoder = static_encoder(settings, fetch=True) if vectors else None
    summary = update_index(
        documents,
        target,
        filters=filters,
        dates=None if dates is None else [_pattern_and_date(each) for each in dates],
        rebuild=rebuild,
        store=store,
        encoder=encoder,
        progress=progress,
        runner=None if runner in (None, "local") else parse_runner(runner, settings.threads),
        open_encoder=partial(static_encoder, settings_for_workers(settings), fetch=True),
        limits=_limits(read_seconds, read_memory),
    )
    lacks_encoder = vectors and encoder is None
    return summary.model_copy(update={"notes": (*summary.notes, _NO_ENCODER)}) if lacks_encoder else summary


def _limits(seconds: float, megabytes: int) -> ReadLimits:
    if not (seconds > 0 and megabytes >= 256):
        raise InputError(
            f"read_seconds must be above 0 and read_memory at least 256, got {seconds} and {megabytes}"
        )
    return ReadLimits(seconds=seconds, memory_bytes=megabytes * 1_000_000)


def _pattern_and_date(text: str) -> tuple[str, str]:
    """Return the pattern and the date of GLOB=DATE, or of a date for all; raises `InputError`.

    >>> _pattern_and_date("2026-05"), _pattern_and_date("minutes/*=3 May 2026"), _pattern_and_date("*.md=")
    (('**', '2026-05'), ('minutes/*', '2026-05-03'), ('*.md', ''))
    """
    pattern, equals, given = text.rpartition("=")
    date = iso_date(given)
    if date is None and not (equals and not given.strip()):
        raise InputError(
            f"a date must be YYYY, YYYY-MM or YYYY-MM-DD, got {given!r}",
            hint="write --date 2026-05-03, or --date 'minutes/*=2026-05-03' for some documents",
        )
    return pattern.strip() or "**", date or ""


def settings_for_workers(settings: Settings) -> Settings:
    """Return settings that hold in another working folder."""
    folders = {
        "home": settings.home and settings.home_folder,
        "wheels": settings.wheels_folder,
        "prompts": settings.prompts,
    }
    return settings.model_copy(update={name: path and path.absolute() for name, path in folders.items()})


def index_of(
    folder: str | Path,
    out: str | Path | None = None,
    *,
    store: str | None = None,
    settings: Settings | None = None,
) -> Path:
    """Return the index of a folder, or the folder if it is an index; raises `InputError` if there is none."""
    index = local_path(folder)
    if out is not None:
        index = local_path(out)
    elif not is_index(index):
        index = cached_index(index, settings or load_settings(), store)
    if is_index(index):
        return index
    if out is not None:
        hint = f"make it: probative index {folder} --out {out}"
        raise InputError(f"{str(out)!r} is not an index", hint=hint)
    raise InputError(f"{str(folder)!r} is not indexed", hint=f"make an index: probative index {folder}")


def cached_index(folder: Path, settings: Settings, store: str | None = None) -> Path:
    """Return where the index of a folder is kept: in the cache, by the path of the folder and the store."""
    address = StoreAddress.parse(store)
    key = f"{folder.resolve()}" if address is None else f"{folder.resolve()}\n{address}"
    name = hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return settings.home_folder / "corpora" / f"{name}-{FORMAT}"


def static_encoder(settings: Settings, *, fetch: bool = False) -> Encoder | None:
    """Return the static encoder, or None if it is not here and is not or cannot be fetched."""
    from probative.models.embedded.encoder import open_static

    try:
        return open_static(settings, fetch=fetch)
    except WeightsError:
        return None


def is_unusable(index: Path) -> bool:
    """Return whether there is an index that cannot be opened."""
    if not is_index(index):
        return False
    try:
        folder = IndexFolder(index)
        folder.label()
        folder.open_catalog().close()
        read_vectors_label(folder.vectors)
        if read_store_label(index) is None:  # another store may only be down
            WordIndex(folder.words)
    except StoreError:
        return True
    return False


def update_cached(
    folder: Path, index: Path, store: str | None, progress: Progress | None
) -> tuple[IndexSummary | None, tuple[str, ...]]:
    """Bring the documents and words of an index in the cache up to date; return what was done, and notes.

    An index that cannot be written, because the disk is full or may only be read, answers as it is.
    """
    make = partial(update_index, folder, index, store=store, progress=progress)
    try:
        # Nobody keeps anything in the cache: what is damaged there is made again.
        return make(rebuild=is_unusable(index)), ()
    except InUseError:
        pass
    except StoreError as error:
        if not _has_read_all(index) or is_unusable(index):
            raise
        return None, (f"the index of {folder} was not updated, and its last state was used: {error}",)
    if not _has_read_all(index):
        # The first state of an index may have a few documents only: wait for all of them.
        with suppress(InUseError):
            return make(wait=_WAIT_SECONDS), ()
    return None, (f"another process is updating the index of {folder}: its last state was used",)


def _has_read_all(index: Path) -> bool:
    if not is_index(index):
        return False
    try:
        with closing(IndexFolder(index).open_catalog()) as catalog:
            return catalog.has_read_all()
    except StoreError:  # it is being made
        return False
