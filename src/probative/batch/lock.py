"""The lock: one run at a time writes to an output file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from probative.batch.manifest import read_manifest
from probative.batch.output import OutputFile, writing
from probative.errors import InUseError, ProbativeError


@contextmanager
def exclusive(output: OutputFile) -> Iterator[None]:
    """Hold the lock of an output file; raises `InUseError` if another run holds it.

    The operating system releases the lock when the process ends, however it ends. The empty lock file
    stays: to remove it would let two later runs lock two different files of the same name.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(output.lock)
    with writing(output.lock):
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise InUseError(
                f"another run{_named(output)} is writing {output.name}",
                hint="wait until it ends, or name another --out",
            ) from None
    try:
        yield
    finally:
        lock.release()


def _named(output: OutputFile) -> str:
    """The process of the other run, as its manifest has it."""
    try:
        manifest = read_manifest(output.manifest)
    except ProbativeError:
        return ""
    return f" (process {manifest.pid})" if manifest is not None and manifest.pid is not None else ""
