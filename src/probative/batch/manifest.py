"""The manifest, a small JSON file next to the results that says how they were made; and the lock of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import Field

from probative.batch.cases import Id
from probative.batch.output import OutputFile, writing
from probative.errors import InputError, InUseError, ProbativeError
from probative.types import Usage, Value


class Failure(Value):
    """A line that has an error instead of a result."""

    id: Id | None
    line: int
    type: str
    what: str
    hint: str = ""


class BatchManifest(Value):
    """How a batch was made and how far it is.

    `done` counts results and `failed` counts errors; `verdicts` counts the results by verdict
    (of verify, the claims), `levels` those of ask by level, and `failures` has the first errors.
    `extra_fields` counts the lines with each field that the verb does not read. `weights` has the
    fingerprints of the models that were used: `model`, `encoder`, `policy`. `pid` is the process that writes
    the results, None once it has ended.
    """

    version: str
    verb: str
    settings: dict[str, Any]
    weights: dict[str, str] = Field(default_factory=dict)
    input: str
    input_sha256: str
    started: str
    ended: str | None = None
    pid: int | None = None
    lines: int = 0
    done: int = 0
    failed: int = 0
    verdicts: dict[str, int] = Field(default_factory=dict)
    levels: dict[str, int] = Field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    extra_fields: dict[str, int] = Field(default_factory=dict)
    usage: Usage = Usage()


def read_manifest(file: Path) -> BatchManifest | None:
    """Return the manifest, or None if there is none; raises `InputError` if it cannot be read."""
    try:
        return BatchManifest.model_validate_json(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, OSError) as error:
        raise InputError(
            f"{file} cannot be read: {error}", hint="name another --out, or remove both files"
        ) from None


def as_json(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings as they are after a round trip through JSON, to compare them with stored ones."""
    plain: dict[str, Any] = json.loads(json.dumps(settings))
    return plain


def differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return the names whose values differ, separated by commas.

    >>> differing({"k": 3, "seed": 0}, {"k": 4, "seed": 0, "model": "embedded"})
    'k, model'
    """
    return ", ".join(sorted(name for name in {*before, *now} if before.get(name) != now.get(name)))


def now() -> str:
    """The present time, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


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
