"""Rows of a table as text that can be read without the table around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# Headers longer than this are sentences, not names of columns.
_MAX_HEADER = 60


def row_sentences(rows: Sequence[Sequence[str]], *, has_header: bool | None = None) -> Iterator[str]:
    """Yield each row as one line, with the name of the column before each value.

    `has_header` says whether the first row names the columns; None decides by its cells.

    >>> list(row_sentences([["Route", "Fare"], ["Harbour", "3.20"], ["Island", "5.00"]], has_header=True))
    ['Route: Harbour; Fare: 3.20', 'Route: Island; Fare: 5.00']
    >>> list(row_sentences([["Harbour", "3.20"]], has_header=False))
    ['Harbour | 3.20']
    """
    header = named_columns(rows, has_header=has_header)
    for row in rows[1:] if header else rows:
        line = row_sentence(header, row)
        if line:
            yield line


def named_columns(rows: Sequence[Sequence[str]], *, has_header: bool | None = None) -> Sequence[str]:
    """Return the names of the columns, which are the first row; nothing if a table has none.

    >>> named_columns([["Route", "Fare"], ["Harbour", "3.20"]]), named_columns([["Harbour", "3.20"]])
    (['Route', 'Fare'], ())
    """
    if len(rows) < 2 or len(rows[0]) < 2:
        return ()
    named = looks_like_header(rows) if has_header is None else has_header
    return rows[0] if named else ()


def row_sentence(header: Sequence[str], row: Sequence[str]) -> str:
    """Return one row as a line; cells without text are left out."""
    cells = [" ".join(cell.split()) for cell in row]
    if not header:
        return " | ".join(cell for cell in cells if cell)
    names = [*header, *([""] * (len(cells) - len(header)))]
    pairs = ((name.strip().rstrip(":"), cell) for name, cell in zip(names, cells, strict=False) if cell)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs)


def looks_like_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names the columns: full, short, different cells without numbers."""
    first = [cell.strip() for cell in rows[0]]
    filled = [cell for cell in first if cell]
    return (
        len(rows) > 1
        and len(filled) >= max(2, len(first) - 1)
        and len(set(filled)) == len(filled)
        and all(len(cell) <= _MAX_HEADER and not any(sign.isdigit() for sign in cell) for cell in filled)
    )
