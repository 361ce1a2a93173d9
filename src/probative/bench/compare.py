"""Compare runs of one experiment: their tables side by side, and paired tests over the cases they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from probative.bench.metrics import mean, mean_interval
from probative.bench.registry import load_experiment
from probative.bench.render import cell_text
from probative.bench.report import FEWEST_INTERVAL, Cell, Report, Table, TableRow
from probative.bench.rows import Row
from probative.bench.run_folder import RunFolder
from probative.bench.statistics import COMPARED, TESTS, p_texts, p_value
from probative.bench.study import Settings
from probative.errors import InputError
from probative.types import Value

# Names of the figures of a row that are no result.
_IGNORED = frozenset({"seconds", "seed", "id", "percent"})
# What tells the lines of an experiment apart: the rows of each are tested on their own, since those of one
# question are not independent of each other.
_GROUPS = ("set", "percent", "method", "arm")


class Comparison(Value):
    """The tables of several runs side by side, and the tests; the runs are named by their folders.

    All are over the cases that every run has a row of. `failed` counts those that failed in each run: the
    tables treat them as the experiment does, and the tests leave them out.
    """

    experiment: str
    runs: tuple[str, ...]
    shared_cases: int
    failed: tuple[int, ...] = ()
    tables: tuple[Table, ...]
    paired: Table

    @property
    def failures(self) -> str:
        """How many cases failed in which run, or nothing."""
        failed = [f"{count:,} in {run}" for run, count in zip(self.runs, self.failed, strict=True) if count]
        return f"Failed, and left out of the tests: {', '.join(failed)}" if failed else ""


def compare_runs(paths: Sequence[Path], names: Sequence[str] | None = None) -> Comparison:
    """Compare two or more runs; the first is what the others are compared with. `names` replace the names of
    the folders.

    Raises `InputError` for fewer than two runs, for a folder that is no finished run, for runs of different
    experiments, and for runs without a case in common.
    """
    if len(paths) < 2:
        raise InputError(f"a comparison needs two runs or more, got {len(paths)}")
    folders = [RunFolder(path) for path in paths]
    settings = [Settings(data=Path(), **folder.opened().settings) for folder in folders]
    reports = [folder.report() for folder in folders]
    experiments = sorted({report.experiment for report in reports})
    if len(experiments) > 1:
        raise InputError(f"runs of different experiments cannot be compared: {', '.join(experiments)}")
    rows = [folder.rows() for folder in folders]
    shared = [key for key in rows[0] if all(key in other for other in rows[1:])]
    good = [key for key in shared if not any("error" in run[key] for run in rows)]
    if not good:
        raise InputError(
            "the runs have no finished case in common",
            hint="run them with the same data, --seed and --limit",
        )

    def report_over(at: int) -> Report:
        """Return the report over the cases in common: that of the run if it has no others."""
        if len(shared) == len(rows[at]):
            return reports[at].report
        return load_experiment(experiments[0]).report([rows[at][key] for key in shared], settings[at])

    names = names or run_names(paths)
    return Comparison(
        experiment=experiments[0],
        runs=tuple(names),
        shared_cases=len(shared),
        failed=tuple(sum("error" in run[key] for key in shared) for run in rows),
        tables=tuple(side_by_side(names, [report_over(at) for at in range(len(paths))])),
        paired=_paired(names, [[run[key] for key in good] for run in rows]),
    )


def run_names(paths: Sequence[Path]) -> list[str]:
    """Return the names of the folders, or their whole paths where two have the same name.

    >>> run_names([Path("runs/small"), Path("runs/large")])
    ['small', 'large']
    """
    names = [path.resolve().name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]


def side_by_side(names: Sequence[str], reports: Sequence[Report]) -> Iterator[Table]:
    """Yield each table of the first run with a row for each of its cells, and a column for each run. Tests
    between the methods of one run are left out.
    """
    cells = [
        {
            (table.title, row.name, column): cell
            for table in report.tables
            for row in table.rows
            for column, cell in zip(table.columns, row.cells, strict=True)
        }
        for report in reports
    ]
    for table in reports[0].tables:
        if table.corner == COMPARED:
            continue
        rows = (
            TableRow(
                name=f"{row.name}, {column}",
                cells=tuple(report.get((table.title, row.name, column), "-") for report in cells),
            )
            for row in table.rows
            for column in table.columns
        )
        shown = tuple(row for row in rows if any(isinstance(cell, Cell) for cell in row.cells))
        yield table.model_copy(update={"columns": tuple(names), "rows": shown})


def _paired(names: Sequence[str], rows: Sequence[Sequence[Row]]) -> Table:
    """Return the mean of every figure of each line for each run, the differences and their p-values."""
    lines = _lines(rows)
    scaled = {name: _in_percent(values) for name, values in lines.items()}
    columns, cells = [names[0]], {name: [_mean(values[0])] for name, values in scaled.items()}
    for at, run in enumerate(names[1:], 1):
        columns += [run, f"{run} less {names[0]}", f"{run}: p"]
        texts = p_texts([p_value(values[at], values[0]) for values in lines.values()])
        for (name, values), text in zip(scaled.items(), texts, strict=True):
            cells[name] += [_mean(values[at]), _difference(values[at], values[0]), text]
    return Table(
        title="The runs compared on the same cases",
        corner="line and figure",
        columns=tuple(columns),
        rows=tuple(TableRow(name=name, cells=tuple(texts)) for name, texts in cells.items()),
        note=f"Figures between 0 and 1 are in percent. {TESTS}",
    )


def _lines(rows: Sequence[Sequence[Row]]) -> dict[str, list[list[float]]]:
    """Return the values of each run by line and figure, those that every run has."""
    by_name: dict[str, list[list[float]]] = {}
    for case in zip(*rows, strict=True):
        figures = [dict(figures_of(row)) for row in case]
        group = ", ".join(str(case[0][field]) for field in _GROUPS if field in case[0])
        for figure in figures[0]:
            if all(figure in run for run in figures):
                shown = figure.removeprefix("metrics.").replace(".", ", ")
                values = by_name.setdefault(f"{group}: {shown}" if group else shown, [[] for _ in rows])
                for run_figures, run_values in zip(figures, values, strict=True):
                    run_values.append(run_figures[figure])
    return by_name


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


def _in_percent(values: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return figures that are all between 0 and 1 in percent, and others as they are."""
    factor = 100.0 if all(0 <= value <= 1 for run in values for value in run) else 1.0
    return [[factor * value for value in run] for run in values]


def _mean(values: Sequence[float]) -> str:
    """Return a mean as text, so that a column of different figures keeps its decimals."""
    return cell_text(Cell(value=mean(values), n=len(values)), 1, with_count=True)


def _difference(other: Sequence[float], first: Sequence[float]) -> str:
    differences = [new - old for new, old in zip(other, first, strict=True)]
    text = f"{mean(differences):+.1f}"
    if len(differences) < FEWEST_INTERVAL:
        return text
    low, high = mean_interval(differences)
    return f"{text} [{low:+.1f}, {high:+.1f}]"
