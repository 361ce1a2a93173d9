"""Read one file: its document, its passages and its sketch, or why there is none. Workers do this, too."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from probative import __version__
from probative.corpus.documents.files import FoundFile, Unread
from probative.corpus.readers.text_builder import MAX_BYTES
from probative.corpus.reading.limited import ReadLimits, read_found
from probative.corpus.reading.messages import ReadContent
from probative.errors import InputError, WorkerError
from probative.models.encoder import Encoder
from probative.runners.contract import Call, Place, Pool, Work, check_version


@dataclass(frozen=True)
class ToRead:
    """A file, and the digest of the content that the index has of it; None to read it in any case.

    `date` is the one that the user set for it.
    """

    file: FoundFile
    digest: str | None = None
    date: str | None = None


@dataclass(frozen=True)
class ReadFile:
    """The digest of a file, and its document. `content` is None if the index has this content."""

    digest: str
    content: ReadContent | Unread | None


def read_files(files: Sequence[ToRead], limits: ReadLimits | None) -> list[ReadFile]:
    """Read files in another process, except those whose content the index has."""
    digests = [digest_of(each.file) for each in files]
    is_same = [each.digest == digest for each, digest in zip(files, digests, strict=True)]
    changed = [each.file for each, same in zip(files, is_same, strict=True) if not same]
    reads = iter(read_found(changed, limits=limits))
    return [
        ReadFile(digest, None if same else _dated(next(reads), each.date))
        for each, digest, same in zip(files, digests, is_same, strict=True)
    ]


def _dated(read: ReadContent | Unread, date: str | None) -> ReadContent | Unread:
    """Return a document with the `date` that the user set; the rows of a table keep those of their column."""
    if date is None or isinstance(read, Unread):
        return read
    update = {"date": date, "date_source": "--date"}
    passages = [
        each if each.date_source == "column" else each.model_copy(update=update) for each in read.passages
    ]
    document = read.document.model_copy(update=update)
    return read.model_copy(update={"document": document, "passages": tuple(passages)})


def digest_of(file: FoundFile) -> str:
    """Return the SHA-256 of a file; nothing for one that is too large or cannot be read."""
    if file.size > MAX_BYTES or not file.path.is_file():  # a pipe would block for ever
        return ""
    try:
        with file.path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""


# Files that are given to the workers before their results are written: what waits for a slow file.
_WINDOW_FILES, _WINDOW_BYTES = 2_000, 256_000_000
# Files that a worker reads as one task. A short list has at least this many tasks.
_GROUP, _MIN_GROUPS, _GROUP_BYTES = 16, 16, 1_000_000
WORKER_ENDED = "worker ended"
"""The reason for a file that ended its worker process again and again."""


@dataclass(frozen=True)
class EncodeTask:
    """Texts for the encoder with this fingerprint."""

    texts: list[str]
    fingerprint: str


@dataclass(frozen=True)
class IndexJob:
    """Reads files and encodes texts. Workers must find the files at the same paths.

    `open_encoder` opens the encoder in a worker at the first texts; `limits` are those of each file.
    """

    open_encoder: Callable[[], Encoder | None] | None = None
    limits: ReadLimits | None = None
    version: str = __version__
    width: int = 1
    uses_gpu: bool = False

    def shared(self) -> nullcontext[None]:
        return nullcontext()

    @contextmanager
    def open(self, call: Call, place: Place) -> Iterator[Work]:
        check_version(self.version)
        encoder = cache(self._open_encoder)

        def work(task: list[ToRead] | EncodeTask) -> Any:
            if not isinstance(task, EncodeTask):
                return read_files(task, self.limits)
            opened = encoder()
            if opened.fingerprint != task.fingerprint:
                raise InputError(
                    f"a worker has the encoder {opened.fingerprint}, the run {task.fingerprint}",
                    hint="install one version on all machines",
                )
            return opened.encode(task.texts)

        yield work

    def _open_encoder(self) -> Encoder:
        encoder = None if self.open_encoder is None else self.open_encoder()
        if encoder is None:
            raise InputError(
                "a worker has no encoder", hint="fetch it on each machine: probative models pull"
            )
        return encoder


def read_in_order(pool: Pool, files: list[ToRead]) -> Iterator[tuple[ToRead, ReadFile]]:
    """Yield each file with its content, in the order of `files`: an index does not depend on the workers.

    A file that ends its worker again and again comes as `Unread`. A task has several small files.
    """
    size = max(1, min(_GROUP, len(files) // _MIN_GROUPS))
    for window in _cut(files, _WINDOW_FILES, _WINDOW_BYTES):
        groups = list(_cut(window, size, _GROUP_BYTES))
        results = in_order(pool, groups)
        for group in groups:
            result = next(results)
            if isinstance(result, WorkerError) and len(group) > 1:  # one of them ended the worker
                results = iter(list(results))  # a pool runs one list of tasks at a time
                alone = in_order(pool, [[entry] for entry in group])
                contents = [_alone(entry, each) for entry, each in zip(group, alone, strict=True)]
            else:
                contents = [_alone(group[0], result)] if len(group) == 1 else result
            yield from zip(group, contents, strict=True)


def _cut(files: list[ToRead], count: int, size: int) -> Iterator[list[ToRead]]:
    """Yield the files in parts, each of which ends with its file number `count` or byte number `size`."""
    part: list[ToRead] = []
    left = size
    for entry in files:
        # A worker may have another working folder.
        part.append(replace(entry, file=replace(entry.file, path=entry.file.path.absolute())))
        left -= entry.file.size
        if len(part) >= count or left <= 0:
            yield part
            part, left = [], size
    if part:
        yield part


def in_order(pool: Pool, tasks: Sequence[Any]) -> Iterator[Any]:
    """Yield the results of tasks in the order of the tasks; those that are early wait."""
    early: dict[int, Any] = {}
    following = 0
    for number, result in pool.run(tasks):
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1


def _alone(entry: ToRead, result: Any) -> ReadFile:
    """Return the content of a file that was read alone."""
    if isinstance(result, WorkerError):
        source = entry.file.source
        return ReadFile("", Unread(source=source, reason=WORKER_ENDED, what=f"{source}: {result}"))
    (content,) = result
    assert isinstance(content, ReadFile)
    return content
