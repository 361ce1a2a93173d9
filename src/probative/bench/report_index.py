"""Bench reports that the operator of a server registered, read by name.

A folder holds run folders of `probative bench`, or kept reports (`NAME.json`), or is itself the folder of a
run. It is read again at each request, so a run that ends while the server is up appears.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from probative.bench.compare import compare_runs, side_by_side
from probative.bench.published_report import (
    PublishedReport,
    command_of,
    read_kept_file,
    with_short_paths,
    without_paths,
)
from probative.bench.render.run_report import JSON, read_report
from probative.bench.report import Table
from probative.bench.run_folder import open_run
from probative.errors import InputError
from probative.types import Value

_MANIFEST = "manifest.json"


class ReportEntry(Value):
    """What a list shows of a report. `kind` is "run" for a run folder, whose cases can be compared in pairs,
    and "kept" for a kept report.
    """

    name: str
    kind: Literal["run", "kept"]
    experiment: str
    title: str
    paper: str
    shown_as: str
    model: str | None
    cases: int
    failed: int
    finished: bool
    date: str


class UnreadableReport(Value):
    """A report that is registered and cannot be shown."""

    name: str
    reason: str


class ReportList(Value):
    """The registered reports, by name."""

    reports: tuple[ReportEntry, ...]
    unreadable: tuple[UnreadableReport, ...] = ()


class ReportComparison(Value):
    """The tables of two reports of one experiment side by side.

    Of two run folders, all figures are over the `shared_cases` and `paired` has the tests. Kept reports have
    no cases: their tables stand side by side as they are, and `note` says so.
    """

    experiment: str
    title: str
    names: tuple[str, str]
    shared_cases: int | None
    tables: tuple[Table, ...]
    paired: Table | None
    note: str


@dataclass(frozen=True)
class _Place:
    """Where a report is: the folder of a run, or the file of a kept report."""

    path: Path
    kind: Literal["run", "kept"]

    @property
    def file(self) -> Path:
        return self.path / JSON if self.kind == "run" else self.path


class ReportIndex:
    """The reports of some folders, by name; `probative serve --bench FOLDER` makes one.

    >>> import tempfile
    >>> ReportIndex([Path(tempfile.mkdtemp())]).list().reports
    ()
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        for folder in folders:
            if not folder.is_dir():
                raise InputError(f"--bench: there is no folder {folder}", hint="name the folder of a run")
        self._folders = tuple(folders)

    def list(self) -> ReportList:
        """Return what each report is about; those that cannot be read are named with the reason."""
        reports, unreadable = [], []
        for name, place in sorted(self._places().items()):
            try:
                reports.append(_entry(name, place, _read(name, place)))
            except InputError as error:
                unreadable.append(UnreadableReport(name=name, reason=error.what))
        return ReportList(reports=tuple(reports), unreadable=tuple(unreadable))

    def report(self, name: str) -> PublishedReport:
        """Return a report; raises `KeyError` if no report has this name."""
        return _read(name, self._place(name))

    def compare(self, first: str, second: str) -> ReportComparison:
        """Compare two reports of one experiment.

        Raises `KeyError` for a name that no report has, and `InputError` for reports that cannot be compared.
        """
        if first == second:
            raise InputError("a report cannot be compared with itself", hint="choose another one")
        places = self._place(first), self._place(second)
        reports = self.report(first), self.report(second)
        experiments = {report.run.experiment for report in reports}
        if len(experiments) > 1:
            raise InputError(
                f"reports of different experiments cannot be compared: {', '.join(sorted(experiments))}",
                hint="choose two reports of one experiment",
            )
        if all(place.kind == "run" for place in places):
            return _compared_runs((first, second), places, reports)
        return ReportComparison(
            experiment=reports[0].run.experiment,
            title=reports[0].run.title,
            names=(first, second),
            shared_cases=None,
            tables=tuple(side_by_side((first, second), [report.run.report for report in reports])),
            paired=None,
            note="Kept reports have no single cases: each figure is over all cases of its own report, and "
            "there is no paired test.",
        )

    def _place(self, name: str) -> _Place:
        return self._places()[name]

    def _places(self) -> dict[str, _Place]:
        """Return the place of each report; of two with the same name, the later one gets a number."""
        places: dict[str, _Place] = {}
        for folder in self._folders:
            for name, place in _found(folder):
                unique, number = name, 2
                while unique in places:
                    unique, number = f"{name}-{number}", number + 1
                places[unique] = place
        return places


def _found(folder: Path) -> Iterator[tuple[str, _Place]]:
    if (folder / _MANIFEST).is_file():
        yield folder.resolve().name, _Place(folder, "run")
        return
    for path in sorted(folder.iterdir()):
        if path.is_dir() and (path / _MANIFEST).is_file():
            yield path.name, _Place(path, "run")
        elif path.suffix == ".json" and path.is_file():
            yield path.stem, _Place(path, "kept")


def _read(name: str, place: _Place) -> PublishedReport:
    try:
        stat = place.file.stat()
    except OSError:
        raise InputError(f"{name} has no report yet", hint="end the run with its command") from None
    with _names_only({place: name}):
        return _read_version(name, place, stat.st_mtime_ns, stat.st_size)


@contextmanager
def _names_only(places: Mapping[_Place, str]) -> Iterator[None]:
    """Replace paths in the messages of errors with the names of the reports: clients never see a path."""
    try:
        yield
    except InputError as error:
        what = error.what.split("\n", 1)[0].rstrip(": ")
        for place, name in places.items():
            what = what.replace(str(place.file), name).replace(str(place.path), name)
        raise InputError(without_paths(what), hint=error.hint) from None


@lru_cache(maxsize=256)
def _read_version(name: str, place: _Place, changed: int, size: int) -> PublishedReport:
    """Read a report; the time and the size of the file tell its versions apart."""
    if place.kind == "kept":
        return read_kept_file(place.path).model_copy(update={"name": name})
    manifest = open_run(place.path).manifest()
    assert manifest is not None
    return PublishedReport(
        name=name,
        command=without_paths(command_of(manifest)),
        date=(manifest.ended or manifest.started)[:10],
        machine="",
        fingerprints={**manifest.fingerprints, **manifest.weights},
        run=with_short_paths(read_report(place.path)),
    )


def _entry(name: str, place: _Place, report: PublishedReport) -> ReportEntry:
    run = report.run
    return ReportEntry(
        name=name,
        kind=place.kind,
        experiment=run.experiment,
        title=run.title,
        paper=run.paper,
        shown_as=run.shown_as,
        model=run.models.get("model"),
        cases=run.cases,
        failed=run.failed,
        finished=not run.unfinished,
        date=report.date,
    )


def _compared_runs(
    names: tuple[str, str], places: tuple[_Place, _Place], reports: tuple[PublishedReport, PublishedReport]
) -> ReportComparison:
    with _names_only(dict(zip(places, names, strict=True))):
        comparison = compare_runs([place.path for place in places], names)
    failed = [f"{count:,} in {name}" for name, count in zip(names, comparison.failed, strict=True) if count]
    return ReportComparison(
        experiment=comparison.experiment,
        title=reports[0].run.title,
        names=names,
        shared_cases=comparison.shared_cases,
        tables=comparison.tables,
        paired=comparison.paired,
        note=f"Failed, and left out of the tests: {', '.join(failed)}." if failed else "",
    )
