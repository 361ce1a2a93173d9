"""Reports that are shown by name: those of run folders, and kept ones.

A kept report is a file `NAME.json`: a report with the command, the date, the machine and the models it was
made with; `docs/bench` has ours. A registered folder holds run folders of `probative bench`, or kept reports,
or is itself the folder of a run. It is read again at each request, so a run that ends while the server is up
appears.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from probative.bench.compare import compare_runs, side_by_side
from probative.bench.report import RunReport, Table
from probative.bench.run_folder import JSON, MANIFEST, Manifest, RunFolder
from probative.bench.study import Settings
from probative.errors import InputError
from probative.settings import Settings as ModelSettings
from probative.types import Value

# An absolute path, as in hf:/models/small; not the slash of an address or of "yes/no".
_PATH = re.compile(r"(?<![\w/.])/(?:[\w.+-]+/)+([\w.+-]+)")
_DEFAULTS = Settings(data=Path())
_UNPAIRED = (
    "Kept reports have no single cases: each figure is over all cases of its own report, and there is no "
    "paired test."
)


class PublishedReport(Value):
    """A report and how it was made. `fingerprints` are those of the models that were opened."""

    name: str
    command: str
    date: str
    machine: str
    fingerprints: dict[str, str]
    run: RunReport


def published_run(folder: RunFolder, name: str, machine: str = "") -> PublishedReport:
    """Return the report of a run with how it was made; of absolute paths only the last part is left."""
    manifest = folder.opened()
    return PublishedReport(
        name=name,
        command=without_paths(command_of(manifest)),
        date=(manifest.ended or manifest.started)[:10],
        machine=machine,
        fingerprints={**manifest.fingerprints, **manifest.weights},
        run=RunReport.from_dict(_without_paths_in(folder.report().to_dict())),
    )


def read_kept_file(file: Path) -> PublishedReport:
    """Return a kept report; raises `InputError` if it cannot be read or has another name."""
    try:
        report = PublishedReport.model_validate_json(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{file} is no kept report: {error}", hint="keep its run again") from None
    if report.name != file.stem:
        raise InputError(f"{file} has the report of {report.name}", hint="name the file after the report")
    return report


def command_of(manifest: Manifest) -> str:
    """Return the command that makes a run, with DIR for its data, RUN for its folder and URL for servers."""
    data = ["--data", "DIR"] if manifest.data else []
    words = ["probative", "bench", "run", manifest.experiment, *data, "--out", "RUN"]
    for name, default in (("limit", None), ("seed", _DEFAULTS.seed), ("repeats", _DEFAULTS.repeats)):
        if (value := manifest.settings.get(name)) not in (default, None):
            words += [f"--{name}", str(value)]
    for name, value in (manifest.settings.get("options") or {}).items():
        shown = str(value).lower() if value is None or isinstance(value, bool) else value
        words += ["--option", f"{name}={shown}"]
    defaults = ModelSettings(model=manifest.models.get("model") or "embedded")
    usual = {"model": "embedded", "encoder": "embedded", "verdict": defaults.verdict_model}
    for name, model in manifest.models.items():
        if model is not None and model != usual.get(name):
            words += [f"--{name.replace('_', '-')}", "URL" if name.endswith("url") else model]
    return shlex.join(words)


def without_paths(text: str) -> str:
    """Return a text with the last part of each absolute path only.

    >>> without_paths("hf:/home/ada/models/small, https://example.org/a/b, yes/no")
    'hf:PATH/small, https://example.org/a/b, yes/no'
    """
    return _PATH.sub(r"PATH/\1", text)


def _without_paths_in(value: Any) -> Any:
    if isinstance(value, str):
        return without_paths(value)
    if isinstance(value, Mapping):
        return {name: _without_paths_in(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_without_paths_in(part) for part in value]
    return value


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
        for name, path in sorted(self._paths().items()):
            try:
                reports.append(_entry(_read(name, path), path))
            except InputError as error:
                unreadable.append(UnreadableReport(name=name, reason=error.what))
        return ReportList(reports=tuple(reports), unreadable=tuple(unreadable))

    def report(self, name: str) -> PublishedReport:
        """Return a report; raises `KeyError` if no report has this name."""
        return _read(name, self._paths()[name])

    def compare(self, first: str, second: str) -> ReportComparison:
        """Compare two reports of one experiment.

        Raises `KeyError` for a name that no report has, and `InputError` for reports that cannot be compared.
        """
        if first == second:
            raise InputError("a report cannot be compared with itself", hint="choose another one")
        names, every = (first, second), self._paths()
        paths = {name: every[name] for name in names}
        runs = [_read(name, path).run for name, path in paths.items()]
        if len(experiments := sorted({run.experiment for run in runs})) > 1:
            raise InputError(
                f"reports of different experiments cannot be compared: {', '.join(experiments)}",
                hint="choose two reports of one experiment",
            )
        shared, paired, note = None, None, _UNPAIRED
        if all(path.is_dir() for path in paths.values()):
            with _names_only(paths):
                compared = compare_runs(list(paths.values()), names)
            shared, tables, paired = compared.shared_cases, compared.tables, compared.paired
            note = f"{compared.failures}." if compared.failures else ""
        else:
            tables = tuple(side_by_side(names, [run.report for run in runs]))
        return ReportComparison(
            experiment=runs[0].experiment,
            title=runs[0].title,
            names=names,
            shared_cases=shared,
            tables=tables,
            paired=paired,
            note=note,
        )

    def _paths(self) -> dict[str, Path]:
        """Return the folder of each run, and the file of each kept report; of two with the same name, the
        later one gets a number.
        """
        paths: dict[str, Path] = {}
        for name, path in (named for folder in self._folders for named in _named_paths(folder)):
            unique, number = name, 2
            while unique in paths:
                unique, number = f"{name}-{number}", number + 1
            paths[unique] = path
        return paths


def _named_paths(folder: Path) -> Iterator[tuple[str, Path]]:
    if (folder / MANIFEST).is_file():
        yield folder.resolve().name, folder
        return
    for path in sorted(folder.iterdir()):
        if (path / MANIFEST).is_file():
            yield path.name, path
        elif path.suffix == ".json" and path.is_file():
            yield path.stem, path


def _file_of(path: Path) -> Path:
    return path / JSON if path.is_dir() else path


def _read(name: str, path: Path) -> PublishedReport:
    try:
        stat = _file_of(path).stat()
    except OSError:
        raise InputError(f"{name} has no report yet", hint="end the run with its command") from None
    with _names_only({name: path}):
        return _read_version(name, path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=256)
def _read_version(name: str, path: Path, changed: int, size: int) -> PublishedReport:
    """Read a report; the time and the size of the file tell its versions apart."""
    if path.is_file():
        return read_kept_file(path).model_copy(update={"name": name})
    return published_run(RunFolder(path), name)


@contextmanager
def _names_only(paths: Mapping[str, Path]) -> Iterator[None]:
    """Replace paths in the messages of errors with the names of the reports: clients never see a path."""
    try:
        yield
    except InputError as error:
        what = error.what.split("\n", 1)[0].rstrip(": ")
        for name, path in paths.items():
            what = what.replace(str(_file_of(path)), name).replace(str(path), name)
        raise InputError(without_paths(what), hint=error.hint) from None


def _entry(report: PublishedReport, path: Path) -> ReportEntry:
    run = report.run
    same = ("experiment", "title", "paper", "shown_as", "cases", "failed")
    return ReportEntry(
        name=report.name,
        kind="run" if path.is_dir() else "kept",
        **{field: getattr(run, field) for field in same},
        model=run.models.get("model"),
        finished=not run.unfinished,
        date=report.date,
    )
