"""Indexing as a job: workers read files and encode texts, and the process that was started writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from probative import __version__
from probative.corpus.folder import Unread
from probative.corpus.index.read_file import FileContent, ToRead, read_files
from probative.corpus.reading.limited import ReadLimits
from probative.errors import InputError, WorkerError
from probative.models.encoder import Encoder
from probative.runners.contract import Call, Place, Pool, Work

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
        """Return nothing: results go to the process that writes."""
        return nullcontext()

    @contextmanager
    def open(self, call: Call, place: Place) -> Iterator[Work]:
        """Open a worker; raises `InputError` on a machine that has another version of the package."""
        if self.version != __version__:
            raise InputError(
                f"a worker has probative {__version__}, the run {self.version}",
                hint="install one version on all machines",
            )
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
                "a worker has no encoder",
                hint="fetch it on each machine: probative models pull",
            )
        return encoder


def read_in_order(pool: Pool, files: list[ToRead]) -> Iterator[tuple[ToRead, FileContent]]:
    """Yield each file with its content, in the order of `files`: an index does not depend on the workers.

    A file that ends its worker again and again comes as `Unread`. A task has several small files.
    """
    size = max(1, min(_GROUP, len(files) // _MIN_GROUPS))
    for window in _cut(files, _WINDOW_FILES, _WINDOW_BYTES):
        groups = list(_cut(window, size, _GROUP_BYTES))
        for group, result in zip(groups, _in_order(pool, groups), strict=True):
            if isinstance(result, WorkerError) and len(group) > 1:  # one of them ended the worker
                contents = [_alone(wanted, each) for wanted, each in _each(pool, group)]
            else:
                contents = [_alone(group[0], result)] if len(group) == 1 else result
            yield from zip(group, contents, strict=True)


def _cut(files: list[ToRead], count: int, size: int) -> Iterator[list[ToRead]]:
    """Yield the files in parts, each of which ends with its file number `count` or byte number `size`."""
    part: list[ToRead] = []
    left = size
    for wanted in files:
        # A worker may have another working folder.
        part.append(replace(wanted, file=replace(wanted.file, path=wanted.file.path.absolute())))
        left -= wanted.file.size
        if len(part) >= count or left <= 0:
            yield part
            part, left = [], size
    if part:
        yield part


def _in_order(pool: Pool, tasks: list[list[ToRead]]) -> Iterator[Any]:
    """Yield the results of tasks in the order of the tasks; those that are early wait."""
    early: dict[int, Any] = {}
    following = 0
    for number, result in pool.run(tasks):
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1


def _each(pool: Pool, group: list[ToRead]) -> list[tuple[ToRead, Any]]:
    return list(zip(group, _in_order(pool, [[wanted] for wanted in group]), strict=True))


def _alone(wanted: ToRead, result: Any) -> FileContent:
    """Return the content of a file that was read alone."""
    if isinstance(result, WorkerError):
        source = wanted.file.source
        return FileContent("", Unread(source=source, reason=WORKER_ENDED, what=f"{source}: {result}"))
    (content,) = result
    assert isinstance(content, FileContent)
    return content
