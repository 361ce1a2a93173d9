"""The report of a run with what it was made of: experiment, models, data, settings and errors.

Nothing in it depends on when or how fast the run was made: the same seed gives the same report.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from probative.bench.data.sets import is_kept_version
from probative.bench.experiment import Experiment, Settings
from probative.bench.report import Cell, Report, Table
from probative.bench.rows import Row, counted_rows
from probative.bench.run_folder import Manifest, RunFolder
from probative.bench.trained import describe
from probative.errors import InputError, MissingExtraError
from probative.types import Value

JSON, MARKDOWN, HTML = "report.json", "report.md", "report.html"
UNSEEN = "unseen cases only"
NOT_FINISHED = "The run is not finished"
NO_RESULT = "No case ended with a result: nothing is found out."


class DataUsed(Value):
    """A file of data and its checksum; `kept` says whether our kept reports were made with the same file."""

    path: str
    sha256: str
    kept: bool | None


class ErrorCount(Value):
    """The cases that failed with one type of error, and the message of the first."""

    type: str
    count: int
    first: str


class RunReport(Value):
    """A report with the experiment, models, data and settings it was made with.

    `trained` counts the cases that trained a shipped model, by model. `limit_of` says what `--limit` counts.
    """

    version: str
    experiment: str
    title: str
    paper: str
    shown_as: str
    models: dict[str, str | None]
    settings: dict[str, Any]
    data: tuple[DataUsed, ...]
    cases: int
    errors: tuple[ErrorCount, ...]
    trained: dict[str, int] = Field(default_factory=dict)
    notes: tuple[str, ...]
    report: Report
    limit_of: str = ""

    @property
    def unfinished(self) -> str:
        """The note that the run is not finished, or nothing."""
        return next((note for note in self.notes if note.startswith(NOT_FINISHED)), "")

    @property
    def failed(self) -> int:
        """The number of cases with an error instead of a result."""
        return sum(error.count for error in self.errors)


def write_reports(
    folder: RunFolder, experiment: Experiment, settings: Settings, manifest: Manifest, rows: Sequence[Row]
) -> RunReport:
    """Write report.json, report.md and report.html (with matplotlib only), and return the report."""
    from probative.bench.render.html import to_html
    from probative.bench.render.markdown import to_markdown

    made = _made(experiment, settings, manifest, rows)
    folder.write(JSON, made.model_dump_json(indent=2) + "\n")
    folder.write(MARKDOWN, to_markdown(made))
    try:
        folder.write(HTML, to_html(made))
    except MissingExtraError:
        (folder.path / HTML).unlink(missing_ok=True)
    return made


def read_report(folder: Path) -> RunReport:
    """Return the report in the folder of a run; raises `InputError` if there is none."""
    try:
        return RunReport.model_validate_json((folder / JSON).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder} has no report yet", hint="end the run with its command") from None
    except ValueError as error:
        raise InputError(f"{folder / JSON} cannot be read: {error}") from None


def _made(experiment: Experiment, settings: Settings, manifest: Manifest, rows: Sequence[Row]) -> RunReport:
    names = experiment.data_of(settings)
    errors: dict[str, list[str]] = {}
    for row in rows:
        if "error" in row:
            errors.setdefault(row.get("error_type", "error"), []).append(row["error"])
    return RunReport(
        version=manifest.version,
        experiment=experiment.name,
        title=experiment.title,
        paper=experiment.paper,
        shown_as=experiment.shown_as,
        models={name: value for name, value in manifest.models.items() if "url" not in name},
        settings={
            name: value
            for name, value in manifest.settings.items()
            if name != "repeats" or experiment.repeated
        },
        data=tuple(
            DataUsed(path=path, sha256=sha256, kept=is_kept_version(path, sha256, names))
            for path, sha256 in manifest.data.items()
        ),
        cases=len(rows),
        errors=tuple(
            ErrorCount(type=kind, count=len(own), first=own[0]) for kind, own in sorted(errors.items())
        ),
        trained={model: len(keys) for model, keys in manifest.trained.items()},
        notes=(*_unfinished(manifest, rows), *_failed(experiment, rows), *_notes(experiment, manifest)),
        report=_compared(experiment, manifest, _with_unseen(experiment, settings, manifest, rows)),
        limit_of=experiment.limit_of,
    )


def _compared(experiment: Experiment, manifest: Manifest, report: Report) -> Report:
    """Return the report; without a judge, published figures stand beside ours without a difference.

    Judged answers and samples that a model built are another quantity than exact match and samples that rules
    built.
    """
    if not experiment.judged or manifest.models.get("judge_model") is not None:
        return report
    return report.model_copy(update={"tables": tuple(map(_without_differences, report.tables))})


def _without_differences(table: Table) -> Table:
    rows = tuple(
        row.model_copy(
            update={
                "cells": tuple(
                    cell.model_copy(update={"comparable": False})
                    if isinstance(cell, Cell) and cell.published is not None
                    else cell
                    for cell in row.cells
                )
            }
        )
        for row in table.rows
    )
    return table.model_copy(update={"rows": rows})


def _with_unseen(
    experiment: Experiment, settings: Settings, manifest: Manifest, rows: Sequence[Row]
) -> Report:
    """Return the report; if some cases trained a shipped model, its tables stand there without them, too, and
    its findings are without them.
    """
    report = experiment.report(rows, settings)
    if rows and all("error" in row for row in rows):
        report = report.model_copy(update={"findings": (NO_RESULT, *report.findings)})
    seen = {key for keys in manifest.trained.values() for key in keys}
    unseen = [row for row in rows if row["key"] not in seen]
    if not unseen or len(unseen) == len(rows):
        return report
    without = experiment.report(unseen, settings)
    again = tuple(
        table.model_copy(update={"title": f"{table.title}: {UNSEEN}"})
        for table, whole in zip(without.tables, report.tables, strict=False)
        if table != whole
    )
    return report.model_copy(update={"tables": (*report.tables, *again), "findings": without.findings})


def _notes(experiment: Experiment, manifest: Manifest) -> tuple[str, ...]:
    notes = []
    if experiment.judged and manifest.models.get("judge_model") is None:
        notes.append(
            "No judge model: normalised exact match decides whether an answer is right"
            + (", where the paper has a judge." if experiment.paper != "ours" else ".")
        )
    if manifest.trained:
        keys = {key for own in manifest.trained.values() for key in own}
        without = (
            f'The findings, and tables called "{UNSEEN}", are without them.'
            if len(keys) < manifest.cases
            else "None is unseen."
        )
        notes.append(f"{describe(manifest.trained, manifest.cases)}. {without}")
    if manifest.settings.get("limit") is not None:
        notes.append(f"Limited with --limit {manifest.settings['limit']}.")
    return tuple(notes)


def _failed(experiment: Experiment, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return a sentence on what failed cases count as, where the run knows it."""
    failed = [row for row in rows if "error" in row]
    if not failed or experiment.paper != "ours":
        return ()
    if all(row in counted_rows([row]) for row in failed):
        return ("A case that failed counts as wrong; its cost is in no figure.",)
    return ("A case that failed is in no figure.",)


def _unfinished(manifest: Manifest, rows: Sequence[Row]) -> tuple[str, ...]:
    if len(rows) >= manifest.cases:
        return ()
    return (f"{NOT_FINISHED}: {len(rows):,} of {manifest.cases:,} cases.",)
