"""Compare runs of one experiment: their tables side by side, and paired tests over the cases they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from probative.bench.metrics import mean
from probative.bench.render.figures import cell_text
from probative.bench.render.run_report import RunReport, read_report
from probative.bench.report import Cell, Table, TableRow
from probative.bench.rows import Row
from probative.bench.run_folder import RunFolder, open_run
from probative.bench.significance import p_text
from probative.bench.statistics import paired_test
from probative.errors import InputError
from probative.types import Value

# Names of the figures of a row that are no result.
_IGNORED = frozenset({"seconds", "seed", "id"})


class Comparison(Value):
    """The tables of several runs side by side, and the tests; the runs are named by their folders."""

    experiment: str
    runs: tuple[str, ...]
    shared_cases: int
    tables: tuple[Table, ...]
    paired: Table


def compare_runs(paths: Sequence[Path]) -> Comparison:
    """Compare two or more runs; the first is what the others are compared with.

    Raises `InputError` for fewer than two runs, for a folder that is no finished run, for runs of different
    experiments, and for runs without a case in common.
    """
    if len(paths) < 2:
        raise InputError(f"a comparison needs two runs or more, got {len(paths)}")
    folders = [open_run(path) for path in paths]
    reports = [read_report(folder.path) for folder in folders]
    experiments = sorted({report.experiment for report in reports})
    if len(experiments) > 1:
        raise InputError(f"runs of different experiments cannot be compared: {', '.join(experiments)}")
    rows = [_good_rows(folder) for folder in folders]
    shared = [key for key in rows[0] if all(key in other for other in rows[1:])]
    if not shared:
        raise InputError(
            "the runs have no finished case in common",
            hint="run them with the same data, --seed and --limit",
        )
    names = run_names(paths)
    return Comparison(
        experiment=experiments[0],
        runs=tuple(names),
        shared_cases=len(shared),
        tables=tuple(_side_by_side(names, reports)),
        paired=_paired(names, [[own[key] for key in shared] for own in rows]),
    )


def run_names(paths: Sequence[Path]) -> list[str]:
    """Return the names of the folders, or their whole paths where two have the same name.

    >>> run_names([Path("runs/small"), Path("runs/large")])
    ['small', 'large']
    """
    names = [path.resolve().name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]


def figures_of(row: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, float]]:
    """Yield the figures of a row, those of inner objects with a dotted name.

    >>> list(figures_of({"key": "a", "right": True, "rag": {"f1": 0.5}}))
    [('right', 1.0), ('rag.f1', 0.5)]
    """
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from figures_of(value, f"{prefix}{name}.")
        elif isinstance(value, int | float) and name not in _IGNORED:
            yield f"{prefix}{name}", float(value)


def _good_rows(folder: RunFolder) -> dict[str, Row]:
    return {key: row for key, row in folder.rows().items() if "error" not in row}


def _side_by_side(names: Sequence[str], reports: Sequence[RunReport]) -> Iterator[Table]:
    """Yield each table of the first run with a row for each of its cells, and a column for each run."""
    others = [
        {
            (table.title, row.name, column): cell
            for table in report.report.tables
            for row in table.rows
            for column, cell in zip(table.columns, row.cells, strict=True)
        }
        for report in reports
    ]
    for table in reports[0].report.tables:
        rows = [
            TableRow(
                name=f"{row.name}, {column}",
                cells=tuple(other.get((table.title, row.name, column), "-") for other in others),
            )
            for row in table.rows
            for column in table.columns
        ]
        shown = tuple(row for row in rows if any(isinstance(cell, Cell) for cell in row.cells))
        yield Table(title=table.title, corner=table.corner, columns=tuple(names), rows=shown, note=table.note)


def _paired(names: Sequence[str], rows: Sequence[Sequence[Row]]) -> Table:
    """Return the mean of every figure of the cases for each run, the differences and their p-values."""
    columns = [names[0]]
    for name in names[1:]:
        columns += [name, f"{name}: difference", f"{name}: p"]
    flat = [[dict(figures_of(row)) for row in own] for own in rows]
    fields = dict.fromkeys(field for row in flat[0] for field in row)
    table_rows = []
    for field in fields:
        at = [case for case in range(len(flat[0])) if all(field in own[case] for own in flat)]
        if at:
            values = [[own[case][field] for case in at] for own in flat]
            table_rows.append(TableRow(name=field, cells=_tests(values)))
    return Table(
        title="Paired tests",
        corner="figure of a case",
        columns=tuple(columns),
        rows=tuple(table_rows),
        note="p: exact McNemar test where a figure is 0 or 1, otherwise Wilcoxon's signed-rank test.",
    )


def _tests(values: Sequence[Sequence[float]]) -> tuple[Cell | str, ...]:
    """Return the means as texts, so that a column of different figures keeps its decimals."""
    first = values[0]
    cells: list[Cell | str] = [_mean(first)]
    for other in values[1:]:
        difference = Cell(value=mean(other) - mean(first), n=len(first))
        p = paired_test(other, first)
        cells += [_mean(other), f"{difference.value:+.3f}", p_text(p)]
    return tuple(cells)


def _mean(values: Sequence[float]) -> str:
    return cell_text(Cell(value=mean(values), n=len(values)), 3, with_count=True)
