"""Many cases from a file to a file: resumable, nothing lost, nothing half-written.

A line in is a JSON object with an `id` and the verb's inputs; a line out has the same `id` and the
result, or an `error`. Each line out is written whole when its case is finished. Started again, the
run goes on with what is missing or failed; a manifest beside the output says what made it, and a run
with other settings or other weights does not mix with it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol, TextIO, TypeVar

from pydantic import Field

from probative.errors import InputError, ProbativeError
from probative.types import Value
from probative.usage import Usage, total

Id = str | int
Line = dict[str, Any]
Kind = TypeVar("Kind")


class BatchManifest(Value):
    """What a batch was made with, and how far it came. `done` counts results, `failed` errors; `weights` are
    the fingerprints of the models that were needed: `model`, `encoder`, `policy`.
    """

    version: str
    verb: str
    settings: dict[str, Any]
    weights: dict[str, str] = Field(default_factory=dict)
    input: str
    input_sha256: str
    started: str
    ended: str | None = None
    lines: int = 0
    done: int = 0
    failed: int = 0
    usage: Usage = Usage()


@dataclass
class Problem:
    """A line that cannot be read: its number, and what is wrong."""

    line: int
    error: ProbativeError
    id: Id | None = None


@dataclass
class Case:
    """A line that can: its id, its number and what it says."""

    id: Id
    line: int
    data: Line

    @property
    def digest(self) -> str:
        """Tells whether the line is still the same when a run goes on."""
        said = json.dumps(self.data, sort_keys=True)
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Weighed(Protocol):
    """What knows the weights of the models that made a result, such as a `Session`."""

    @property
    def weights(self) -> Mapping[str, str]:
        """The fingerprints of the models that were needed so far."""

    def fingerprint(self, name: str) -> str | None:
        """Return the fingerprint of the model, the encoder or the policy."""


@dataclass
class Batch:
    """A run from one file to another."""

    source: Path
    target: Path
    verb: str
    settings: dict[str, Any]
    tools: Weighed | None = None
    limit: int | None = None
    lines: int = 0
    started: str = ""
    input_sha256: str = ""
    done: dict[Id, Usage] = field(default_factory=dict)
    failed: int = 0
    weights: dict[str, str] = field(default_factory=dict)

    @property
    def manifest_file(self) -> Path:
        """The manifest, beside the output."""
        return self.target.with_name(self.target.name + ".manifest.json")

    def prepare(self) -> tuple[list[Case], list[Problem]]:
        """Read the input and what an earlier run finished; gives the cases that are left, and the lines
        that cannot be used. Results of other settings or weights are not touched: that is an `InputError`.
        """
        cases, problems = read_cases(self.source, self.limit)
        self._check_target()
        self.lines = len(cases) + len(problems)
        before = self._manifest_before()
        self.input_sha256 = hashlib.sha256(self.source.read_bytes()).hexdigest()
        self.started = before.started if before else _now()
        if self.target.exists() and self.target.stat().st_size:
            if before is None:
                raise InputError(
                    f"{self.target} exists, and no manifest says what made it",
                    hint="name another --out, or remove the file",
                )
            if (before.verb, before.settings) != (self.verb, _plain(self.settings)):
                differing = _differing(before.settings, _plain(self.settings))
                raise self._made_otherwise(f"other settings ({differing or 'another verb'})")
            # Those that an earlier run needed, this one needs as well; no others are opened for it, and none
            # for a manifest of a version that did not name them.
            now = {name: self.tools.fingerprint(name) for name in before.weights} if self.tools else {}
            if differing := _differing(before.weights, now):
                raise self._made_otherwise(f"other weights ({differing})")
            self.weights = dict(before.weights)
            self._keep_finished(cases)
        self.write_manifest()
        return [case for case in cases if case.id not in self.done], problems

    def _made_otherwise(self, how: str) -> InputError:
        return InputError(
            f"{self.target} was made with {how}",
            hint="name another --out, or remove the file and its manifest",
        )

    def _name_weights(self) -> None:
        """Write down the weights that made a result before the result itself, which may be the last thing
        that a killed run writes.
        """
        opened = self.tools.weights if self.tools is not None else {}
        if opened.items() - self.weights.items():
            self.weights = {**self.weights, **opened}
            self.write_manifest()

    def _check_target(self) -> None:
        """Find out before any work whether results can be written."""
        if self.target.name in ("", "-", "..") or self.target.is_dir():
            raise InputError(f"--out names no file: {self.target}", hint="name a file for the results")
        if not self.target.parent.is_dir():
            raise InputError(
                f"there is no folder {self.target.parent}", hint="make it, or name another --out"
            )
        if self.target.resolve() == self.source.resolve():
            raise InputError("--in and --out are the same file", hint="name another --out")

    def _manifest_before(self) -> BatchManifest | None:
        try:
            return BatchManifest.model_validate_json(self.manifest_file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (ValueError, OSError) as error:
            raise InputError(
                f"{self.manifest_file} cannot be read: {error}",
                hint="name another --out, or remove both files",
            ) from None

    def _keep_finished(self, cases: Sequence[Case]) -> None:
        """Leave only whole results in the output: a torn line, errors, and results of a line that has
        changed since go, to be made again. Results of lines that are not asked for this time stay.
        """
        wanted = {case.id: case.digest for case in cases}
        kept: list[str] = []
        for raw in self.target.read_bytes().split(b"\n"):
            try:
                line = raw.decode()
                result = json.loads(line)
                ident, usage = result["id"], Usage.model_validate(result.get("usage") or {})
                stale = ident in wanted and result.get("input_digest") != wanted[ident]
            except (ValueError, KeyError, TypeError, AttributeError):
                continue
            if result.get("error") is None and not stale:
                kept.append(line)
                if ident in wanted:
                    self.done[ident] = usage
        _replace(self.target, "".join(f"{line}\n" for line in kept))

    def count(self, ident: Id | None, outcome: Value | ProbativeError) -> None:
        """Note how a case ended."""
        if isinstance(outcome, ProbativeError):
            self.failed += 1
        elif ident is not None:
            self.done[ident] = getattr(outcome, "usage", Usage())

    def write(self, out: TextIO, case: Case | Problem, outcome: Value | ProbativeError) -> None:
        """One line, whole, on disk before the next case is finished."""
        self._name_weights()
        if isinstance(outcome, ProbativeError):
            said = {"type": type(outcome).__name__, "what": outcome.what, "mend": outcome.hint}
            record: Line = {"id": case.id, "line": case.line, "error": said}
        else:
            record = {"id": case.id, **outcome.to_dict()}
            record.pop("trace", None)
            record["input_digest"] = case.digest if isinstance(case, Case) else None
        out.write(json.dumps(record, ensure_ascii=False) + "\n")
        out.flush()
        self.count(case.id, outcome)

    def write_manifest(self, *, ended: bool = False) -> BatchManifest:
        """Write the manifest as things stand."""
        manifest = self.manifest(ended=ended)
        _replace(self.manifest_file, json.dumps(manifest.to_dict(), indent=2) + "\n")
        return manifest

    def manifest(self, *, ended: bool = False) -> BatchManifest:
        """What the batch was made with, and how far it has come."""
        return BatchManifest(
            version=version("probative"),
            verb=self.verb,
            settings=_plain(self.settings),
            weights=self.weights,
            input=str(self.source),
            input_sha256=self.input_sha256,
            started=self.started,
            ended=_now() if ended else None,
            lines=self.lines,
            done=len(self.done),
            failed=self.failed,
            usage=total(self.done.values()),
        )


Run = Callable[[list[Line]], Iterator[tuple[int, Value | ProbativeError]]]
"""Runs cases: gives each one's number and outcome as it is finished."""


def run_batch(
    batch: Batch, run: Run, progress: Callable[[int, int, int], None] | None = None
) -> BatchManifest:
    """Do what is left of a batch. `progress` gets how many are done, how many failed, and how many there
    are. Stopped at any moment, it keeps every finished line.
    """
    cases, problems = batch.prepare()
    tell = progress or (lambda done, failed, lines: None)
    try:
        with batch.target.open("a", encoding="utf-8") as out:
            for problem in problems:
                batch.write(out, problem, problem.error)
            tell(len(batch.done), batch.failed, batch.lines)
            for number, outcome in run([case.data for case in cases]):
                batch.write(out, cases[number], outcome)
                tell(len(batch.done), batch.failed, batch.lines)
        return batch.write_manifest(ended=True)
    except OSError as error:
        raise InputError(f"{batch.target} cannot be written: {error.strerror}") from None
    except BaseException:
        with suppress(ProbativeError):  # what stopped the run is what the user must see
            batch.write_manifest()
        raise


def plan_batch(batch: Batch, run: Run) -> BatchManifest:
    """Go through all cases, as a dry run does, and write nothing."""
    cases, problems = read_cases(batch.source, batch.limit)
    batch.lines = len(cases) + len(problems)
    batch.failed = len(problems)
    for number, outcome in run([case.data for case in cases]):
        batch.count(cases[number].id, outcome)
    return batch.manifest(ended=True)


def read_cases(source: Path, limit: int | None) -> tuple[list[Case], list[Problem]]:
    """The lines of a JSONL file; those that are no object, or whose id is missing or was there before,
    are problems.
    """
    try:
        text = source.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"there is no file {source}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{source} cannot be read: {error}") from None
    cases: list[Case] = []
    problems: list[Problem] = []
    seen: set[Id] = set()
    numbered = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    for count, (number, line) in enumerate(numbered):
        if limit is not None and count >= limit:
            break
        found = _case(number, line, seen)
        if isinstance(found, Case):
            seen.add(found.id)
            cases.append(found)
        else:
            problems.append(found)
    if not cases and not problems:
        raise InputError(f"{source} has no lines", hint="one JSON object a line, each with an id")
    return cases, problems


def _case(number: int, line: str, seen: set[Id]) -> Case | Problem:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Problem(number, InputError(f"line {number} is no JSON: {error}"))
    if not isinstance(data, dict):
        return Problem(number, InputError(f"line {number} is no JSON object"))
    ident = data.pop("id", None)
    if isinstance(ident, bool) or not isinstance(ident, str | int):
        return Problem(number, InputError(f"line {number} has no id (a string or a whole number)"))
    if isinstance(ident, str) and not _encodable(ident):
        return Problem(number, InputError(f"line {number} has an id that cannot be written as UTF-8"))
    if ident in seen:
        return Problem(number, InputError(f"line {number} repeats the id {ident!r}"), ident)
    return Case(ident, number, data)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(settings: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(settings))
    return plain


def _differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    return ", ".join(sorted(name for name in {*before, *now} if before.get(name) != now.get(name)))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _replace(path: Path, text: str) -> None:
    """Write a file so that it is either the old one or the new one, never half of it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from None


def over_lines(
    lines: Sequence[Line],
    as_case: Callable[[Line], Kind],
    run_all: Callable[[list[Kind]], Iterator[tuple[int, Value | ProbativeError]]],
) -> Iterator[tuple[int, Value | ProbativeError]]:
    """Each line's number with its result or error: what makes no case fails, the others run together."""
    places: list[int] = []
    cases: list[Kind] = []
    for place, line in enumerate(lines):
        try:
            cases.append(as_case(encodable_line(line)))
            places.append(place)
        except InputError as error:
            yield place, error
    for number, outcome in run_all(cases):
        yield places[number], outcome


def encodable_line(line: Line) -> Line:
    """A line that can be written down again: half of a surrogate pair cannot."""
    try:
        json.dumps(line, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the line cannot be encoded as UTF-8: {error.reason}") from None
    return line
