"""Findings: plain sentences on what the figures of a report show, and on what they do not show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from probative.bench.metrics import wilson_interval
from probative.bench.render import cell_text, column_digits, number
from probative.bench.report import FEWEST_COMPARED, Cell, Table
from probative.bench.rows import Rows, groups_by, rows_of
from probative.bench.statistics import AGAINST, DIFFERENCE, NO_TEST, STAR
from probative.bench.tables import Finding, Metric, known_cells

# Neither paired test can give p < 0.05 for fewer cases, even if all of them differ in one direction.
FEWEST = 6
# Differences, names or groups that a sentence lists.
LISTED = 4


class Difference(NamedTuple):
    """A difference of two methods in a table of paired tests; `group` is the data set or figure."""

    group: str
    first: str
    second: str
    cell: Cell
    p: str

    @property
    def is_sure(self) -> bool:
        """Whether p is below 0.05 after correction for the tests of the column."""
        return self.p.endswith(STAR)


def joined(texts: Iterable[str], last: str = "and") -> str:
    """Return texts with commas, and a word before the last one.

    >>> joined(["A"]), joined(["A", "B", "C"]), joined(["A", "B"], "or")
    ('A', 'A, B and C', 'A or B')
    """
    *most, end = texts
    return f"{', '.join(most)} {last} {end}" if most else end


def counted(n: int, unit: str) -> str:
    """Return a number with its unit in the singular or plural.

    >>> counted(1, "claim"), counted(1200, "claim")
    ('1 claim', '1,200 claims')
    """
    return f"{n:,} {unit}{'' if n == 1 else 's'}"


def differences(tables: Iterable[Table]) -> list[Difference]:
    """Return the differences in tables of paired tests; other tables are passed over."""
    every = []
    for table in tables:
        for at, column in enumerate(table.columns):
            if not column.endswith(DIFFERENCE):
                continue
            for row in table.rows:
                first, _, second = row.name.partition(AGAINST)
                cell, p = row.cells[at], row.cells[at + 1]
                if isinstance(cell, Cell) and isinstance(p, str) and cell.value is not None:
                    every.append(Difference(column.removesuffix(DIFFERENCE), first, second, cell, p))
    return every


def difference_finding(
    tables: Iterable[Table],
    figure: str,
    unit: str = "question",
    *,
    keep: Callable[[Difference], bool] = lambda _: True,
) -> str:
    """Return one sentence on the paired tests of a report: which differences are larger than chance.

    `figure` says what differs, as "F1"; `keep` chooses the differences that the sentence is about.
    """
    every = [difference for difference in differences(tables) if keep(difference)]
    if not every:
        return f"Nothing is compared: no two methods have a result for the same {unit}."
    if all(difference.p == NO_TEST for difference in every):
        return f"The differences in {figure} were not tested, which {NO_TEST}."
    sure = [difference for difference in every if difference.is_sure]
    return _some(sure, len(every) - len(sure), figure) if sure else _none(every, figure, unit)


def compared(
    figure: str, unit: str = "question", keep: Callable[[Difference], bool] = lambda _: True
) -> Finding:
    """Return the finding on the paired tests of a study."""
    return lambda results: [difference_finding(results.tests, figure, unit, keep=keep)]


def ranked(column: str, figure: str = "") -> Finding:
    """Return the finding on the lines with the highest figure in a column, for each table."""
    return lambda results: filter(None, (ranked_finding(table, column, figure) for table in results.tables))


class _ShownCell:
    """A cell in a template: `share`, `auroc` and `n` are formats besides those of a number; of a share also
    `count` (the rows for which it holds), `is` (the verb for these) and `interval`.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell

    def __format__(self, form: str) -> str:
        cell = self.cell
        count = round((cell.value or 0.0) * (cell.n or 0) / 100)
        special: dict[str, Callable[[], str]] = {
            "n": lambda: str(cell.n),
            "share": lambda: share_text(cell),
            "auroc": lambda: auroc_text(cell),
            "count": lambda: str(count),
            "is": lambda: "is" if count == 1 else "are",
            "interval": lambda: "{:.1f} to {:.1f}%".format(*wilson_interval(count, cell.n or 1)),
        }
        return special[form]() if form in special else format(cell.value, form)


def sentences(template: str, *columns: str, line: str | None = None) -> Finding:
    """Return the finding with a sentence for each line (or one) of the tables that have the columns, where
    all its cells have a figure. In the template are {title}, {line} and the cells: {0:share}, {1:.1f}.

    >>> from probative.bench.report import TableRow
    >>> from probative.bench.tables import Results
    >>> row = TableRow(name="BM25", cells=(Cell(value=50.0, n=20),))
    >>> table = Table(title="WiCE", corner="method", columns=("F1",), rows=(row,))
    >>> list(sentences("{title}: {line} has {0:.1f} of {0:n}.", "F1")(Results([], [table], [], [], {})))
    ['WiCE: BM25 has 50.0 of 20.']
    """
    return lambda results: [
        template.format(*map(_ShownCell, cells), title=table.title, line=name)
        for table in results.tables
        if set(columns) <= set(table.columns)
        for name, cells in known_cells(table, *columns)
        if line in (None, name)
    ]


def group_sentences(field: str, template: str, *metrics: Metric) -> Finding:
    """Return the finding with a sentence for each value of a field, as `sentences`, with these metrics."""

    def cells(rows: Rows) -> list[_ShownCell]:
        return [_ShownCell(cell) for metric in metrics if isinstance(cell := metric(rows), Cell)]

    return lambda results: [
        template.format(*cells(rows), line=value) for value, rows in groups_by(results.rows, field)
    ]


def _some(sure: Sequence[Difference], others: int, figure: str) -> str:
    listed: dict[tuple[str, str], dict[str, list[str]]] = {}
    for difference in sorted(sure, key=lambda difference: -abs(difference.cell.value or 0.0))[:LISTED]:
        assert difference.cell.value is not None
        where = "" if difference.group == figure else f"{difference.group}: "
        size = f"{where}{difference.cell.value:+.1f} points, n = {difference.cell.n}"
        direction = "higher" if difference.cell.value > 0 else "lower"
        seconds = listed.setdefault((difference.first, direction), {})
        seconds.setdefault(difference.second, []).append(size)
    sentences = [
        f"{first} has a {direction} {figure} than "
        + joined(f"{second} ({'; '.join(sizes)})" for second, sizes in seconds.items())
        for (first, direction), seconds in listed.items()
    ]
    if len(sure) > LISTED:
        sentences.append(f"{_larger(len(sure) - LISTED, 'more')} larger than chance")
    if others:
        sentences.append(f"{_larger(others, 'other')} not larger than chance")
    return f"{'; '.join(sentences)}."


def _larger(n: int, which: str) -> str:
    """Return the subject of a sentence on n differences, with its verb.

    >>> _larger(1, "other"), _larger(3, "more")
    ('1 other difference is', '3 more differences are')
    """
    return f"{n} {which} difference is" if n == 1 else f"{n} {which} differences are"


def _none(every: Sequence[Difference], figure: str, unit: str) -> str:
    firsts = list(dict.fromkeys(difference.first for difference in every))
    seconds = list(dict.fromkeys(difference.second for difference in every))
    groups = list(dict.fromkeys(difference.group.replace(",", "") for difference in every))
    counts = sorted(difference.cell.n or 0 for difference in every)
    many = f"n = {counts[0]}" + (f" to {counts[-1]}" if counts[0] != counts[-1] else "")
    where = f"{joined(groups)}; " if 1 < len(groups) <= LISTED else ""
    few = f"; fewer than {FEWEST} {unit}s cannot show one" if counts[-1] < FEWEST else ""
    return f"No difference in {figure}{_between(firsts, seconds)} is larger than chance ({where}{many}{few})."


def _between(firsts: Sequence[str], seconds: Sequence[str]) -> str:
    if len(firsts) > 1 and len(seconds) > 1:
        return ""
    first, others = (firsts[0], seconds) if len(firsts) == 1 else (seconds[0], firsts)
    named = joined(others, "or") if len(others) <= LISTED else f"the {len(others)} others"
    return f" between {first} and {named}"


def ranked_finding(table: Table, column: str, figure: str = "") -> str | None:
    """Return which rows of a table have the highest figure in a column; None without two figures.

    >>> from probative.bench.report import TableRow
    >>> rows = [TableRow(name=name, cells=(Cell(value=f1, n=20),)) for name, f1 in (("A", 40.0), ("B", 55.0))]
    >>> ranked_finding(Table(title="WiCE", corner="method", columns=("F1",), rows=tuple(rows)), "F1")
    'WiCE: B has the highest F1 (55.0), then A (40.0); n = 20.'
    """
    digits = column_digits(table, table.columns.index(column))
    cells = {name: cell for name, (cell,) in known_cells(table, column)}
    if len(cells) < 2:
        return None
    texts = {name: number(cell.value or 0.0, digits) for name, cell in cells.items()}
    order = sorted(cells, key=lambda name: -(cells[name].value or 0.0))
    top = [name for name in order if texts[name] == texts[order[0]]]
    if len(top) == len(order):
        sentence = f"the {figure or column} is the same ({texts[top[0]]}) for {joined(top)}"
    else:
        lower = ", ".join(f"{name} ({texts[name]})" for name in order[len(top) :][:LISTED])
        verb = "has" if len(top) == 1 else "have"
        sentence = f"{joined(top)} {verb} the highest {figure or column} ({texts[top[0]]}), then {lower}"
    return f"{table.title}: {sentence}; {count_text(cells.values())}."


def count_text(cells: Iterable[Cell]) -> str:
    """Return how many cases cells rest on.

    >>> count_text([Cell(value=1.0, n=6), Cell(value=2.0, n=20)])
    'n = 6 to 20'
    """
    counts = sorted({cell.n for cell in cells if cell.n is not None})
    if not counts:
        return "n unknown"
    return f"n = {counts[0]:,}" + (f" to {counts[-1]:,}" if len(counts) > 1 else "")


def share_text(cell: Cell) -> str:
    """Return a share in percent with its interval and the number of cases.

    >>> share_text(Cell(value=85.7, low=77.4, high=91.3, n=98))
    '85.7% [77.4, 91.3] of 98'
    """
    if cell.value is None:
        return "none of 0"
    interval = f" [{cell.low:.1f}, {cell.high:.1f}]" if cell.low is not None and cell.high is not None else ""
    return f"{cell.value:.1f}%{interval} of {cell.n:,}"


def auroc_text(cell: Cell) -> str:
    """Return an AUROC with its interval, and whether chance (0.5) is inside it.

    >>> auroc_text(Cell(value=0.625, low=0.41, high=0.828, n=40))
    'AUROC 0.625 [0.410, 0.828], n = 40, not more than chance'
    """
    if cell.value is None:
        return "no AUROC"
    many = f", n = {cell.n:,}" if cell.n is not None else ""
    chance = ", not more than chance" if cell.low is not None and cell.low <= 0.5 else ""
    if cell.n is not None and cell.n < FEWEST_COMPARED:
        chance = ", too few to tell from chance"  # a bootstrap over a few cases has too narrow an interval
    return f"AUROC {cell_text(Cell(value=cell.value, low=cell.low, high=cell.high), 3)}{many}{chance}"


def problem_findings(rows: Rows, titles: Mapping[str, str]) -> Iterator[str]:
    """Yield how often each method failed, with the first reason: its answer counts as wrong."""
    for method, title in titles.items():
        trials = [trial for row in rows for trial in rows_of(row.get("trials", ()), method=method)]
        problems = [str(trial["problem"]).splitlines()[0] for trial in trials if "problem" in trial]
        if problems:
            count = f"{len(problems)} of {len(trials)} trials"
            yield f"{title} failed in {count}, counted as wrong: {problems[0]}"
