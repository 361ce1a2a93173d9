"""Compare libraries that read tables from PDFs: cells, the names of their columns, and tables that are none.

    python benchmarks/pdf_tables.py                 all pages
    python benchmarks/pdf_tables.py --pages         and each page by itself
    python benchmarks/pdf_tables.py --set unseen    one set of pages

The pages are drawn here from our own words: those with tables that the reader was made with, those that
were written before it and not looked at while it was made (`unseen`), and those without a table, among them
nine of the ten layouts of `reading.py`. A cell is right if it has its text, in its row and its column; its
head is right if the whole name of its column is, with the names above and the unit. pdfplumber and camelot
return cells only, so they are told which rows are the head, and an empty cell of it takes the name to its
left. Both are compared if they are installed (`pip install pdfplumber camelot-py`).
"""

from __future__ import annotations

import argparse
import io
import logging
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmark_report import add_keep, show, text_table
from pdf_table_drawing import TablePage, Truth
from pdf_table_pages import table_pages, text_pages
from pdf_table_unseen import unseen_pages
from reading_layouts import ROWS, layouts

Cells = list[list[str]]


@dataclass
class Extracted:
    """A table that a library returned: its page, its rows, and the names of its columns if it has them."""

    page: int
    rows: Cells
    names: list[str] | None = None


Extract = Callable[[bytes], list[Extracted]]


def probative(data: bytes) -> list[Extracted]:
    """Return the tables as Probative's reader writes them into the text."""
    from probative.corpus.readers.pdf import blocks_of_pages, read_pages
    from probative.corpus.readers.text_builder import FileContent

    pages, _ = read_pages(FileContent("a.pdf", Path("a.pdf"), data))
    blocks, joiner = blocks_of_pages(pages)
    return [
        Extracted(number, block.table.texts(joiner), block.table.names(joiner))
        for number, page in enumerate(blocks, start=1)
        for block in page
        if block.table is not None
    ]


def pdfplumber(data: bytes, strategy: str) -> list[Extracted]:
    """Return the tables that pdfplumber finds by lines or by text."""
    import pdfplumber as library

    settings = {"vertical_strategy": strategy, "horizontal_strategy": strategy}
    with library.open(io.BytesIO(data)) as pdf:
        return [
            Extracted(page.page_number, [[cell or "" for cell in row] for row in table])
            for page in pdf.pages
            for table in page.extract_tables(settings)
        ]


def camelot(data: bytes, flavor: str) -> list[Extracted]:
    """Return the tables that camelot finds in one of its ways."""
    import camelot as library

    with tempfile.NamedTemporaryFile(suffix=".pdf") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        file.write(data)
        file.flush()
        found = library.read_pdf(file.name, pages="all", flavor=flavor, suppress_stdout=True)
        return [Extracted(int(table.page), table.df.values.tolist()) for table in found]


LIBRARIES: dict[str, tuple[str, Extract]] = {
    "probative": ("probative", probative),
    "pdfplumber, lines": ("pdfplumber", partial(pdfplumber, strategy="lines")),
    "pdfplumber, text": ("pdfplumber", partial(pdfplumber, strategy="text")),
    "camelot, lattice": ("camelot", partial(camelot, flavor="lattice")),
    "camelot, stream": ("camelot", partial(camelot, flavor="stream")),
    "camelot, network": ("camelot", partial(camelot, flavor="network")),
}


@dataclass
class Score:
    """What a library got right, of how many cells and tables, and the seconds of the processor a page."""

    cells: int = 0
    heads: int = 0
    of_cells: int = 0
    found: int = 0
    tables: int = 0
    false: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, other: Score) -> None:
        for name in ("cells", "heads", "of_cells", "found", "tables", "false"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seconds += other.seconds


def squeezed(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def score(page: TablePage, extracted: Sequence[Extracted]) -> Score:
    """Return what is right of the tables that were extracted from a file."""
    result = Score()
    kept: list[Extracted] = [_filled_columns(table) for table in extracted]
    before: list[str] | None = None
    for truth in page.tables:
        cells = [(number, at) for number, row in enumerate(truth.rows) for at, cell in enumerate(row) if cell]
        result.tables += 1
        result.of_cells += len(cells)
        there = [each for each in kept if each.page == truth.page]
        best = max((_compare(truth, each, before) for each in there), default=(0, 0, None))
        result.cells += best[0]
        result.heads += best[1]
        result.found += 2 * best[0] >= len(cells)
        before = best[2] or before
    result.false = sum(_is_false(each, page.tables) for each in kept)
    return result


def _filled_columns(table: Extracted) -> Extracted:
    """Return a table without its empty rows and columns."""
    rows = [[squeezed(cell) for cell in row] for row in table.rows if any(map(squeezed, row))]
    width = max(map(len, rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in rows]
    names = list(map(squeezed, table.names)) if table.names is not None else None
    filled = [at for at in range(width) if any(row[at] for row in rows) or (names and names[at])]
    return Extracted(
        table.page,
        [[row[at] for at in filled] for row in rows],
        [names[at] for at in filled] if names else names,
    )


def _compare(truth: Truth, table: Extracted, before: list[str] | None) -> tuple[int, int, list[str] | None]:
    """Return how many cells are right, how many of them with the right head, and the names of the columns."""
    rows = [[squeezed(cell) for cell in row] for row in truth.rows]
    columns = _columns(rows, table.rows)
    pairs = _rows(rows, table.rows, columns)
    if not pairs:
        return 0, 0, None
    names = table.names if table.names is not None else _names(truth, table.rows[: pairs[0][1]], before)
    header = [squeezed(name) for name in truth.header]
    right = [
        (at, columns[at])
        for number, other in pairs
        for at, cell in enumerate(rows[number])
        if cell and at in columns and table.rows[other][columns[at]] == cell
    ]
    heads = sum(other < len(names) and names[other] == header[at] for at, other in right)
    return len(right), heads, names


def _names(truth: Truth, above: Cells, before: list[str] | None) -> list[str]:
    """Return the names of the columns from the rows of the head: as many as in truth, those above the body
    with most of its words. An empty cell has the name to its left if another name stands below it.
    """
    words = {squeezed(part) for name in truth.header for part in (name, *name.split())}
    starts = range(len(above) - truth.heads + 1) if truth.heads else ()
    windows = [above[start : start + truth.heads] for start in reversed(starts)]
    if not windows:
        return before or []
    best = max(windows, key=lambda rows: sum(cell in words for row in rows for cell in row))
    head = [list(row) for row in best]
    for row, lower in pairwise(head):
        for at in range(1, len(row)):
            if not row[at] and lower[at]:
                row[at] = row[at - 1]
    return ["".join(dict.fromkeys(column)) for column in zip(*head, strict=True)]


def _columns(truth: Cells, rows: Cells) -> dict[int, int]:
    """Return the column of a table that has most cells of each true one, in order."""
    wide = len(rows[0]) if rows else 0
    counts = [Counter(row[at] for row in rows if row[at]) for at in range(wide)]
    shared = [
        [sum((Counter(row[at] for row in truth if row[at]) & other).values()) for other in counts]
        for at in range(len(truth[0]))
    ]
    return dict(_in_order(shared))


def _rows(truth: Cells, rows: Cells, columns: dict[int, int]) -> list[tuple[int, int]]:
    """Return the pairs of rows with most cells in common, in order."""
    shared = [
        [sum(bool(row[at]) and row[at] == other[place] for at, place in columns.items()) for other in rows]
        for row in truth
    ]
    return _in_order(shared)


def _in_order(shared: list[list[int]]) -> list[tuple[int, int]]:
    """Return the pairs with the highest sum whose numbers both rise."""
    wide = len(shared[0]) if shared else 0
    best = [[0] * (wide + 1) for _ in range(len(shared) + 1)]
    for one in range(len(shared) - 1, -1, -1):
        for other in range(wide - 1, -1, -1):
            both = shared[one][other] + best[one + 1][other + 1]
            best[one][other] = max(both, best[one + 1][other], best[one][other + 1])
    pairs: list[tuple[int, int]] = []
    one = other = 0
    while one < len(shared) and other < wide:
        if shared[one][other] and best[one][other] == shared[one][other] + best[one + 1][other + 1]:
            pairs.append((one, other))
            one, other = one + 1, other + 1
        elif best[one][other] == best[one + 1][other]:
            one += 1
        else:
            other += 1
    return pairs


def _is_false(table: Extracted, truths: Sequence[Truth]) -> bool:
    """Return whether a table of two rows and columns has less than half of its cells from a true one."""
    cells = Counter(cell for row in table.rows for cell in row if cell)
    if len(table.rows) + bool(table.names) < 2 or not table.rows or len(table.rows[0]) < 2:
        return False
    for truth in truths:
        names = [part for name in truth.header for part in (squeezed(name), *name.split())]
        true = Counter(squeezed(cell) for row in truth.rows for cell in row) + Counter(names)
        if truth.page == table.page and 2 * sum((cells & true).values()) >= sum(cells.values()):
            return False
    return True


def layout_pages() -> list[TablePage]:
    """Return the ten layouts; one of them has a table."""
    table = Truth(1, tuple(ROWS[0]), tuple(map(tuple, ROWS[1:])))
    return [
        TablePage(layout.name, layout.data, (table,) if "a table" in layout.name else ())
        for layout in layouts()
    ]


SETS: dict[str, Callable[[], list[TablePage]]] = {
    "tables": table_pages,
    "unseen": unseen_pages,
    "text": text_pages,
    "layouts": layout_pages,
}


def measure(pages: Sequence[TablePage], extract: Extract) -> list[Score]:
    """Return what a library gets right of each file."""
    from pypdfium2 import PdfDocument

    extract(pages[0].data)  # the first call loads the library
    scores: list[Score] = []
    for page in pages:
        start = time.process_time()
        extracted = extract(page.data)
        spent = time.process_time() - start
        file = PdfDocument(page.data)
        result = score(page, extracted)
        result.seconds = [spent / len(file)] * len(file)
        file.close()
        scores.append(result)
    return scores


def summary(scores: dict[str, Score]) -> list[list[str]]:
    """Return the rows of the table of a set: a measure each."""
    of = next(iter(scores.values()))
    rows: list[list[str]] = []
    if of.tables:
        rows = [
            [
                f"cells right, of {of.of_cells}",
                *(_percent(each.cells, each.of_cells) for each in scores.values()),
            ],
            [
                "cells right with their head",
                *(_percent(each.heads, each.of_cells) for each in scores.values()),
            ],
            [f"tables found, of {of.tables}", *(str(each.found) for each in scores.values())],
        ]
    rows.append(["false tables", *(str(each.false) for each in scores.values())])
    times = [f"{1000 * sum(each.seconds) / len(each.seconds):.0f}" for each in scores.values()]
    return [*rows, ["ms a page, of the processor", *times]]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main(words: Sequence[str] | None = None) -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", choices=SETS, action="append", help="only this set; may be repeated")
    parser.add_argument("--pages", action="store_true", help="print each page, too")
    parser.add_argument("--alone", action="store_true", help="without other libraries")
    add_keep(parser)
    given = parser.parse_args(words)
    logging.disable(logging.WARNING)
    there = {name: extract for name, (module, extract) in LIBRARIES.items() if find_spec(module)}
    missing = sorted({module for module, _ in LIBRARIES.values() if not find_spec(module)})
    if given.alone:
        there = {"probative": probative}
    elif missing:
        print(f"not installed, and not compared: {', '.join(missing)}")
    tables: list[Any] = []
    for name in given.set or SETS:
        pages = SETS[name]()
        by_library = {library: measure(pages, extract) for library, extract in there.items()}
        totals = {library: Score() for library in there}
        for library, scores in by_library.items():
            for each in scores:
                totals[library].add(each)
        if given.pages:
            rows = [
                [page.name, *(_page_cell(scores[number]) for scores in by_library.values())]
                for number, page in enumerate(pages)
            ]
            title = f"{name}: cells right / with their head / of all; false tables"
            tables.append(text_table(title, ["page", *there], rows))
        tables.append(text_table(f"Pages of the set {name}", ["", *there], summary(totals)))
    show(tables, given, __file__, title="Tables in PDFs", name="pdf-tables")


def _page_cell(result: Score) -> str:
    right = f"{result.cells} / {result.heads} / {result.of_cells}" if result.of_cells else ""
    return "; ".join(filter(None, (right, f"{result.false} false" if result.false else ""))) or "-"


if __name__ == "__main__":
    main()
