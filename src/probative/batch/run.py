"""Run a batch: read the cases, skip what is finished, write each result, keep the manifest."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from probative import __version__
from probative.batch.cases import BadLine, Case, Cases, Entry, Id, Line, read_cases
from probative.batch.manifest import BatchManifest, Failure, as_json, differing, exclusive, now, read_manifest
from probative.batch.output import OutputFile, ResultWriter, replace_file
from probative.batch.resume import (
    error_fields,
    error_line,
    levels_of,
    result_line,
    stored_results,
    verdicts_of,
)
from probative.errors import InputError, ProbativeError
from probative.types import Usage, Value, total

# How many failures the manifest and the screen have.
FAILURES = 3

Outcome = Value | ProbativeError
RunCases = Callable[[list[Line]], Iterator[tuple[int, Outcome]]]
"""Runs cases; yields the index of each with its result or its error, as they are finished."""
Progress = Callable[[int, int, int], None]
"""Gets how many lines are done, how many failed, and how many there are."""


class Weights(Protocol):
    """Knows the fingerprints of models; a `Session` does."""

    @property
    def weights(self) -> Mapping[str, str]:
        """The fingerprints of the models opened so far."""

    def fingerprint(self, name: str) -> str | None:
        """Return the fingerprint of the model, encoder or policy, which is opened for that."""


@dataclass(frozen=True)
class Batch:
    """A run from one file to another. `settings` decide the results: a resumed run must have the same."""

    source: Path
    target: Path
    verb: str
    settings: dict[str, Any]
    weights: Weights | None = None
    limit: int | None = None
    unordered: bool = False
    fields: frozenset[str] | None = None
    """The fields of a line that the verb reads; None: all. The others go to the output as they are."""


@dataclass
class Tally:
    """What has been counted so far."""

    lines: int
    usages: dict[Id, Usage] = field(default_factory=dict)
    verdicts: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    failures: list[Failure] = field(default_factory=list)
    failed_usage: Usage = field(default_factory=Usage)
    extra: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Tally:
        """Return the tally before any line is run."""
        return cls(len(entries), extra=Counter(name for entry in entries for name in entry.extra))

    def add_result(self, ident: Id, usage: Usage, verdicts: Iterable[str], levels: Iterable[str]) -> None:
        self.usages[ident] = usage
        self.verdicts.update(verdicts)
        self.levels.update(levels)

    def add_outcome(self, entry: Entry, outcome: Outcome) -> None:
        if isinstance(outcome, ProbativeError):
            self.failed += 1
            self.failed_usage += getattr(outcome, "usage", None) or Usage()
            if len(self.failures) < FAILURES:
                self.failures.append(Failure(id=entry.id, line=entry.line, **error_fields(outcome)))
        elif entry.id is not None:
            record = outcome.model_dump(mode="json", exclude={"trace"})
            usage = getattr(outcome, "usage", Usage())
            self.add_result(entry.id, usage, verdicts_of(record), levels_of(record))


def run_batch(batch: Batch, run: RunCases, progress: Progress | None = None) -> BatchManifest:
    """Run the cases of a batch that are not finished, and return its manifest.

    The lock of the output is held meanwhile. Stopped at any moment, the batch keeps every finished result.
    """
    cases = read_cases(batch.source, batch.limit, batch.fields)
    output = OutputFile(batch.target)
    output.check(batch.source)
    with exclusive(output):
        return _Run(batch, cases, output).run(run, progress or (lambda done, failed, lines: None))


def plan_batch(batch: Batch, run: RunCases) -> BatchManifest:
    """Run all cases as a dry run does, write nothing, and return the manifest with the cost."""
    entries, sha256 = read_cases(batch.source, batch.limit, batch.fields)
    tally = Tally.of(entries)
    for entry in entries:
        if isinstance(entry, BadLine):
            tally.add_outcome(entry, entry.error)
    cases = [entry for entry in entries if isinstance(entry, Case)]
    for index, outcome in run([case.data for case in cases]):
        tally.add_outcome(cases[index], outcome)
    return _manifest(batch, tally, sha256, now(), now())


class _Run:
    """A batch that holds the lock of its output."""

    def __init__(self, batch: Batch, cases: Cases, output: OutputFile) -> None:
        self.batch = batch
        self.entries, self.input_sha256 = cases
        self.output = output
        self.tally = Tally.of(self.entries)
        before = read_manifest(output.manifest)
        self.started = before.started if before else now()
        if before is None and not output.path.exists():
            # The user removed the results and their manifest to start anew: a run writes the manifest first.
            output.journal.unlink(missing_ok=True)
        self.weights = self._checked(before) if output.earlier else {}

    def _checked(self, before: BatchManifest | None) -> dict[str, str]:
        """Return the weights of the earlier results; raises `InputError` if they were made differently."""
        if before is None:
            raise InputError(
                f"{self._earlier} has results, but no manifest says how they were made "
                f"({self.output.manifest.name} is missing)",
                hint=f"name another --out, or remove {self.output.name} to start anew",
            )
        settings = as_json(self.batch.settings)
        if (before.verb, before.settings) != (self.batch.verb, settings):
            names = differing(before.settings, settings)
            raise self._made_differently(f"other settings ({names or 'another verb'})")
        # Only the models that an earlier run used are opened to compare them.
        weights = self.batch.weights
        present = {name: weights.fingerprint(name) for name in before.weights} if weights else {}
        if names := differing(before.weights, present):
            raise self._made_differently(f"other weights ({names})")
        return dict(before.weights)

    def _made_differently(self, how: str) -> InputError:
        return InputError(
            f"{self._earlier} was made with {how}",
            hint=f"name another --out, or remove {self.output.name} and {self.output.manifest.name} to start "
            "anew",
        )

    @property
    def _earlier(self) -> str:
        """The file that has the earlier results, or the hidden one of a run that was stopped."""
        first = self.output.earlier[0]
        return str(self.output.name if first == self.output.path else first)

    def run(self, run: RunCases, progress: Progress) -> BatchManifest:
        """Run what is left and write the manifest at the beginning and at the end."""
        self._write_manifest()
        try:
            with self._writer() as writer:
                self._run_rest(writer, run, progress)
            return self._write_manifest(is_running=False, ended=now())
        except BaseException:
            with suppress(ProbativeError):  # the user must see what stopped the run
                self._write_manifest(is_running=False)
            raise

    def _writer(self) -> ResultWriter:
        """Keep the earlier results, and return the writer of the others."""
        positions = {entry.id: at for at, entry in enumerate(self.entries) if isinstance(entry, Case)}
        cases = [entry for entry in self.entries if isinstance(entry, Case)]
        stored = stored_results(self.output, cases)
        for ident, result in stored.items():
            if ident in positions:
                self.tally.add_result(ident, result.usage, result.verdicts, result.levels)
        if self.batch.unordered:
            texts = [result.text for result in stored.values()]
            return ResultWriter(self.output, {}, texts, unordered=True)
        kept = {positions[ident]: result.text for ident, result in stored.items() if ident in positions}
        others = [result.text for ident, result in stored.items() if ident not in positions]
        return ResultWriter(self.output, kept, others)

    def _run_rest(self, writer: ResultWriter, run: RunCases, progress: Progress) -> None:
        rest: list[tuple[int, Case]] = []
        for position, entry in enumerate(self.entries):
            if isinstance(entry, BadLine):
                self._write(writer, position, entry, entry.error)
            elif entry.id not in self.tally.usages:
                rest.append((position, entry))
        self._report(progress)
        for index, outcome in run([case.data for _, case in rest]) if rest else ():
            self._write(writer, *rest[index], outcome)
            self._report(progress)

    def _report(self, progress: Progress) -> None:
        progress(len(self.tally.usages), self.tally.failed, self.tally.lines)

    def _write(self, writer: ResultWriter, position: int, entry: Entry, outcome: Outcome) -> None:
        """Write a line as a whole. The manifest names the weights first: the run may be killed after it."""
        opened = self.batch.weights.weights if self.batch.weights is not None else {}
        if opened.items() - self.weights.items():
            self.weights = {**self.weights, **opened}
            self._write_manifest()
        if isinstance(outcome, ProbativeError):
            line = error_line(entry, outcome)
        else:
            assert isinstance(entry, Case)
            line = result_line(entry, outcome)
        writer.write(position, line)
        self.tally.add_outcome(entry, outcome)

    def _write_manifest(self, *, is_running: bool = True, ended: str | None = None) -> BatchManifest:
        pid = os.getpid() if is_running else None
        manifest = _manifest(
            self.batch, self.tally, self.input_sha256, self.started, ended, weights=self.weights, pid=pid
        )
        replace_file(self.output.manifest, json.dumps(manifest.to_dict(), indent=2) + "\n")
        return manifest


def _manifest(
    batch: Batch, tally: Tally, input_sha256: str, started: str, ended: str | None, **others: Any
) -> BatchManifest:
    return BatchManifest(
        version=__version__,
        verb=batch.verb,
        settings=as_json(batch.settings),
        input=str(batch.source),
        input_sha256=input_sha256,
        started=started,
        ended=ended,
        lines=tally.lines,
        done=len(tally.usages),
        failed=tally.failed,
        verdicts=dict(sorted(tally.verdicts.items())),
        levels=dict(sorted(tally.levels.items())),
        failures=tuple(tally.failures),
        extra_fields=dict(sorted(tally.extra.items())),
        usage=total([*tally.usages.values(), tally.failed_usage]),
        **others,
    )
