"""Write the levels of the models in other languages into the package.

    python docs/tools/languages.py docs/bench/languages-small.json docs/bench/languages-large.json

Each REPORT is a kept report of `probative bench run languages`, or a folder that `--out` made. Levels of a
model that has no report here stay as they are. `src/probative/verdict/languages.py` decides by them which
languages are read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from probative.bench.report import Cell, RunReport
from probative.bench.reports import published_run, read_kept_file
from probative.bench.run_folder import RunFolder
from probative.bench.studies.languages import LEVELS as TITLE
from probative.bench.studies.languages import RIGHT, WRONG, Languages
from probative.errors import InputError, ProbativeError
from probative.settings import TUNED_MODELS
from probative.verdict.languages import FILE, LEVELS, Level, Levels


def levels_of(run: RunReport) -> Levels:
    """Return the levels of the model of a run; raises `InputError` for another study, for a model that is not
    ours, and for a run with two models or with a part of the cases.
    """
    model, verdict = run.models.get("model") or TUNED_MODELS[0], run.models.get("verdict")
    if run.experiment != Languages.name:
        raise InputError(f"this is a report of {run.experiment}", hint=f"use one of {Languages.name}")
    if model not in TUNED_MODELS or verdict not in (None, model):
        raise InputError(
            f"levels of {model} with verdicts of {verdict} are not kept",
            hint=f"run it with --model {' or '.join(TUNED_MODELS)}, and no other model",
        )
    if run.unfinished or run.settings.get("limit") is not None:
        raise InputError("the run is not on all cases", hint="end it, without --limit")
    (table,) = (table for table in run.report.tables if table.title == TITLE)
    levels: Levels = {model: {}}
    for row in table.rows:
        language, _, task = row.name.partition(", ")
        cells = dict(zip(table.columns, row.cells, strict=True))
        level = {"rows": _cell(cells[RIGHT]).n, "right": _share(cells[RIGHT])}
        level["wrong_and_supported"] = _share(cells[WRONG])
        levels[model].setdefault(language, {})[task] = Level.model_validate(level)  # type: ignore[index]
    return levels


def _cell(cell: Cell | str) -> Cell:
    assert isinstance(cell, Cell)
    return cell


def _share(cell: Cell | str) -> float:
    return round((_cell(cell).value or 0.0) / 100, 4)


def write_levels(reports: Sequence[Path], file: Path = FILE) -> Levels:
    """Write the levels of these reports into a file, beside those that it has of other models."""
    levels = LEVELS.validate_json(file.read_bytes())
    for path in reports:
        kept = published_run(RunFolder(path), path.name) if path.is_dir() else read_kept_file(path)
        levels |= levels_of(kept.run)
    file.write_bytes(LEVELS.dump_json(levels, indent=1) + b"\n")
    return levels


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the levels and print which languages are read; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reports", type=Path, nargs="+", metavar="REPORT")
    given = parser.parse_args(arguments)
    try:
        levels = write_levels(given.reports)
    except ProbativeError as error:
        print(f"not written: {error}", file=sys.stderr)
        return 1
    for model, languages in levels.items():
        for language, tasks in languages.items():
            for task, level in tasks.items():
                print(f"{model}, {language}, {task}s: {'read' if level.is_enough else 'refused'} ({level})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
