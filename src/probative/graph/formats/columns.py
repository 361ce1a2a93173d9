"""The columns of a table that hold head, relation and tail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from probative.errors import InputError
from probative.graph.formats.arguments import check_texts
from probative.text.labels import counted

PARTS = ("head", "relation", "tail")
Columns = str | Sequence[str] | Mapping[str, str]
"""`"relation,head,tail"` is the order of the columns (a column with any other name is ignored);
`"head=subject,relation=predicate,tail=object"` selects them by their names in the header.
"""

# Headers that are recognized, in lower case.
_KNOWN_HEADERS = (
    PARTS,
    ("subject", "predicate", "object"),
    ("subject", "relation", "object"),
    ("source", "relation", "target"),
    ("source", "edge", "target"),
    ("from", "relation", "to"),
    ("start", "relation", "end"),
    ("h", "r", "t"),
    ("s", "p", "o"),
)
_HINT = "give their order (--columns relation,head,tail) or names (head=NAME,relation=NAME,tail=NAME)"


@dataclass(frozen=True)
class ColumnChoice:
    """The user's choice of columns: their order, or their names in the header."""

    order: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class ColumnPositions:
    """The positions of head, relation and tail in a line, the number of cells in a line (`width`), and
    whether the first line is a header.
    """

    head: int
    relation: int
    tail: int
    width: int
    header: bool


def parse_columns(columns: Columns | None) -> ColumnChoice:
    """Parse the user's choice of columns.

    >>> parse_columns("relation, head, tail").order
    ('relation', 'head', 'tail')
    >>> parse_columns("head=subject,relation=predicate,tail=object").names
    ('subject', 'predicate', 'object')
    """
    if columns is None:
        return ColumnChoice()
    if isinstance(columns, Mapping):
        names = check_texts(columns.values(), "columns")
        items = [f"{part}={name}" for part, name in zip(columns, names, strict=True)]
    else:
        items = columns.split(",") if isinstance(columns, str) else check_texts(columns, "columns")
    items = [item.strip() for item in items]
    if any("=" in item for item in items):
        by_part = {part.strip(): name.strip() for part, _, name in (item.partition("=") for item in items)}
        if sorted(by_part) != sorted(PARTS) or len(items) != 3 or not all(by_part.values()):
            raise InputError(f"columns must name head, relation and tail, got {', '.join(items)}", hint=_HINT)
        return ColumnChoice(names=tuple(by_part[part] for part in PARTS))
    if any(items.count(part) != 1 for part in PARTS):
        raise InputError(
            f"columns must contain head, relation and tail, each once, got {', '.join(items)}", hint=_HINT
        )
    return ColumnChoice(order=tuple(items))


def find_columns(first: Sequence[str], columns: ColumnChoice, source: str) -> ColumnPositions:
    """Find the columns of head, relation and tail from the first line of a table.

    >>> find_columns(["id", "Subject", "Predicate", "Object"], ColumnChoice(), "a.csv")
    ColumnPositions(head=1, relation=2, tail=3, width=4, header=True)
    >>> find_columns(["predicate", "subject", "object"], parse_columns("relation,head,tail"), "a.csv").header
    True
    >>> find_columns(["ferry", "part of", "fleet"], ColumnChoice(), "a.csv")
    ColumnPositions(head=0, relation=1, tail=2, width=3, header=False)
    """
    cells = [cell.strip() for cell in first]
    low = [cell.casefold() for cell in cells]
    if columns.names:
        missing = [name for name in columns.names if name not in cells]
        if missing:
            raise InputError(
                f"{source} has no column {_listed(missing)}; it has {_listed(cells)}",
                hint="give the names as they are in its first line",
            )
        head, relation, tail = (cells.index(name) for name in columns.names)
        return ColumnPositions(head, relation, tail, len(cells), header=True)
    if columns.order:
        head, relation, tail = (columns.order.index(part) for part in PARTS)
        header = low == [name.casefold() for name in columns.order]
        if len(cells) == len(columns.order):
            # The user's order counts, whatever the header says, but a header is never an edge.
            names = {low[head], low[relation], low[tail]}
            header = header or any(names == set(header_names) for header_names in _KNOWN_HEADERS)
        return ColumnPositions(head, relation, tail, len(columns.order), header=header)
    for header_names in _KNOWN_HEADERS:
        if set(header_names) <= set(low):
            head, relation, tail = (low.index(name) for name in header_names)
            return ColumnPositions(head, relation, tail, len(cells), header=True)
    if len(cells) != 3:
        raise InputError(
            f"the columns of head, relation and tail in {source} are unknown; it has "
            f"{counted(len(cells), 'column')}: {_listed(cells[:6])}",
            hint=_HINT if len(cells) > 1 else f"{_HINT}, or give another to `graph import --separator`",
        )
    return ColumnPositions(0, 1, 2, 3, header=False)


def find_keys(first: Mapping[str, object], columns: ColumnChoice, source: str) -> tuple[str, str, str]:
    """Find the keys of head, relation and tail from the first of the records of a file.

    >>> find_keys({"subject": "a", "predicate": "b", "object": "c"}, ColumnChoice(), "a.jsonl")
    ('subject', 'predicate', 'object')
    """
    names = list(first)
    if columns.order and not set(PARTS) <= set(names):
        if len(columns.order) != len(names):
            raise InputError(
                f"--columns has {len(columns.order)} names, but {source} has {len(names)}: {_listed(names)}",
                hint=_HINT,
            )
        return tuple(names[columns.order.index(part)] for part in PARTS)  # type: ignore[return-value]
    choice = ColumnChoice(names=columns.names or (PARTS if columns.order else ()))
    positions = find_columns(names, choice, source)
    return names[positions.head], names[positions.relation], names[positions.tail]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)
