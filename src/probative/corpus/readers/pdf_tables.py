"""Name the columns in the rows of a PDF's tables, so that each row can be read alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from probative.corpus.readers.pdf_blocks import Block
from probative.corpus.readers.table_rows import looks_like_header, row_sentence

CELL_MARK = " | "
# Two rows may be anything; a header and two rows of the same width are a table.
_MIN_ROWS = 3


def with_column_names(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks of a page; rows below a header have the names of their columns.

    >>> def block(text):
    ...     return Block(text=text, size=9, bold=False, lines=1, row="|" in text, page=1)
    >>> rows = ["Fares", "route | fare", "Harbour | 3.20", "Island | 5.00"]
    >>> [named.text for named in with_column_names(map(block, rows))]
    ['Fares', 'route: Harbour; fare: 3.20', 'route: Island; fare: 5.00']
    """
    for is_row, group in groupby(blocks, key=lambda block: block.row):
        members = list(group)
        if not is_row:
            yield from members
            continue
        for _, table in groupby(members, key=lambda block: block.text.count(CELL_MARK)):
            yield from _named(list(table))


def _named(table: list[Block]) -> Iterator[Block]:
    """Yield the rows of a table with the names of their columns, without the header itself."""
    cells = [block.text.split(CELL_MARK) for block in table]
    if len(table) < _MIN_ROWS or not looks_like_header(cells) or any(cell.endswith(":") for cell in cells[0]):
        yield from table
        return
    for block, row in zip(table[1:], cells[1:], strict=True):
        block.text = row_sentence(cells[0], row)
        yield block
