"""Resume: which results of earlier runs are kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from probative.batch.cases import Case, Entry, Id, Line
from probative.batch.output import OutputFile
from probative.errors import ProbativeError
from probative.types import Usage, Value


class Stored(NamedTuple):
    """A result of an earlier run: its line, what it cost, its verdicts and its level."""

    text: str
    usage: Usage
    verdicts: tuple[str, ...]
    levels: tuple[str, ...]


def stored_results(output: OutputFile, cases: Iterable[Case]) -> dict[Id, Stored]:
    """Return the finished results of earlier runs by id, from the output and from the journal.

    A broken line, an error, and the result of a line that has changed since are left out, so that they are
    made again. Results of lines that are not among `cases` are kept.
    """
    digests = {case.id: case.digest for case in cases}
    results: dict[Id, Stored] = {}
    for file in output.earlier:
        for raw in file.read_bytes().split(b"\n"):
            with suppress(ValueError, KeyError, TypeError, AttributeError):
                text = raw.decode()
                record = json.loads(text)
                ident = record["id"]
                usage = Usage.model_validate(record.get("usage") or {})
                changed = ident in digests and record.get("input_digest") != digests[ident]
                if record.get("error") is None and not changed:
                    results[ident] = Stored(text, usage, verdicts_of(record), levels_of(record))
    return results


def result_line(case: Case, result: Value) -> str:
    """Return the line of a result: its id, its fields without the trace, the fields of the input that the
    verb does not read, and the digest of the input.
    """
    record: Line = {"id": case.id, **result.to_dict(), **_extra(case), "input_digest": case.digest}
    record.pop("trace", None)
    return json.dumps(record, ensure_ascii=False)


def error_line(entry: Entry, error: ProbativeError) -> str:
    """Return the line of an error: its id, the number of the line, what happened, and the fields of the input
    that the verb does not read.
    """
    record: Line = {"id": entry.id, "line": entry.line, "error": error_fields(error), **_extra(entry)}
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace").decode()


def error_fields(error: ProbativeError) -> dict[str, str]:
    """Return an error as a line and a manifest have it."""
    return {"type": type(error).__name__, "what": error.what, "hint": error.hint}


def _extra(entry: Entry) -> Line:
    # Under a name of their own: a line may well have the expected "answer" of its question.
    return {"extra": entry.extra} if entry.extra else {}


def verdicts_of(record: Mapping[str, object]) -> tuple[str, ...]:
    """Return the verdicts of a result as a script may ask for them: of a verification, that of each claim.

    >>> verdicts_of({"verdict": "supported"}), verdicts_of({"text": "", "verdict": None})
    (('supported',), ())
    >>> verdicts_of({"claims": [{"verdict": "supported"}, {"verdict": "contradicted"}], "unchecked": []})
    ('supported', 'contradicted')
    """
    claims = record.get("claims")
    if "unchecked" in record and isinstance(claims, list | tuple):
        return tuple(str(claim["verdict"]) for claim in claims)
    verdict = verdict_of(record)
    return () if verdict is None else (verdict,)


def levels_of(record: Mapping[str, object]) -> tuple[str, ...]:
    """Return the level of a result as a script may ask for it; none if the verb gives none.

    >>> levels_of({"verdict": "insufficient", "level": "probable"}), levels_of({"verdict": "supported"})
    (('probable',), ())
    """
    level = record.get("level")
    return () if level is None else (str(level),)


def verdict_of(record: Mapping[str, object]) -> str | None:
    """Return the verdict of a result as a script may ask for it; None if the verb gives none.

    >>> verdict_of({"verdict": "supported"}), verdict_of({"complete": False, "judgements": []})
    ('supported', 'incomplete')
    >>> verdict_of({"answer": None, "answers": {}})
    'unanswered'
    >>> verdict_of({"answer": "yes", "answers": {}, "verdict": "read"})
    'read'
    >>> verdict_of({"answer": None, "answers": {}, "verdict": "unknown"})
    'unknown'
    """
    if "answers" in record:
        return str(record.get("verdict") or ("unanswered" if record.get("answer") is None else "answered"))
    if "verdict" in record:
        return None if record["verdict"] is None else str(record["verdict"])
    if "complete" in record:
        return "complete" if record["complete"] else "incomplete"
    return None
