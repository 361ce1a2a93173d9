"""Files in: the cases of a JSONL file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from probative.errors import InputError, ProbativeError

Id = str | int
Line = dict[str, Any]

ONE_OBJECT = 'write one JSON object on each line: {"id": 1, …}'
OWN_ID = "give each line an id of its own: a string or a whole number"
WHOLE_CHARACTERS = r"a surrogate (\ud800 to \udfff) must come as a pair"


@dataclass(frozen=True)
class Case:
    """A line that can be run: its id, its number in the file (from 1), the fields that the verb reads, and
    the others, which go to the output as they are.
    """

    id: Id
    line: int
    data: Line
    extra: Line = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A hash of the fields. A resumed run uses it to find lines that changed."""
        content = json.dumps({**self.data, **self.extra}, sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be run, and why."""

    line: int
    error: ProbativeError
    id: Id | None = None
    extra: Line = field(default_factory=dict)


Entry = Case | BadLine


class Cases(NamedTuple):
    """The lines of a file, in order, and the hash of the whole file."""

    entries: list[Entry]
    sha256: str


def read_cases(source: Path, limit: int | None = None, fields: Container[str] | None = None) -> Cases:
    """Read the first `limit` lines of a JSONL file; empty lines are skipped.

    `fields` are those that the verb reads; None means all. A line is a `BadLine` if it is not a JSON object,
    has no id, or repeats an id. The file is read once, so that it may be a pipe.
    """
    try:
        raw = source.read_bytes()
        text = raw.decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"there is no file {source}", hint="check the name after --in") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{source} cannot be read: {error}", hint="--in takes a UTF-8 file") from None
    entries: list[Entry] = []
    seen: set[Id] = set()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if limit is not None and len(entries) >= limit:
            break
        entry = _entry(number, line, seen, fields)
        if isinstance(entry, Case):
            seen.add(entry.id)
        entries.append(entry)
    if not entries:
        raise InputError(f"{source} has no lines", hint=ONE_OBJECT)
    return Cases(entries, hashlib.sha256(raw).hexdigest())


def _entry(number: int, line: str, seen: set[Id], fields: Container[str] | None) -> Entry:
    def bad(what: str, hint: str, ident: Id | None = None, extra: Line | None = None) -> BadLine:
        return BadLine(number, InputError(f"line {number} {what}", hint=hint), ident, extra or {})

    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        return bad(f"is not JSON: {error}", ONE_OBJECT)
    if not isinstance(data, dict):
        return bad("is not a JSON object", ONE_OBJECT)
    ident = data.pop("id", None)
    if isinstance(ident, bool) or not isinstance(ident, str | int):
        return bad("has no id", OWN_ID)
    if not _encodable(ident):
        return bad("has an id that cannot be written as UTF-8", OWN_ID)
    if not _encodable(data):
        return bad("cannot be encoded as UTF-8", WHOLE_CHARACTERS, ident)
    extra = {name: data.pop(name) for name in list(data) if fields is not None and name not in fields}
    if ident in seen:
        return bad(f"repeats the id {ident!r}", OWN_ID, ident, extra)
    return Case(ident, number, data, extra)


def _encodable(value: object) -> bool:
    """Whether a JSON value can be written as UTF-8; half of a surrogate pair cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
