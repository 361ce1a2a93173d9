"""Which column of a table is the head, the relation and the tail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from probative.errors import InputError
from probative.graph.arguments import texts

PARTS = ("head", "relation", "tail")
Columns = str | Sequence[str] | Mapping[str, str]
"""`"relation,head,tail"` is the order of the columns (a name that is none of the three is passed over);
`"head=subject,relation=predicate,tail=object"` takes them by their names in the header.
"""

# Headers that speak for themselves, in lower case.
_KNOWN = (
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
_MEND = "say which they are: --columns relation,head,tail (their order) or head=NAME,relation=NAME,tail=NAME"


@dataclass(frozen=True)
class ColumnChoice:
    """What the user says of the columns: their order, or their names in the header."""

    order: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class ColumnPositions:
    """Where head, relation and tail stand in a line, how many cells a line has, and whether the first one is
    a header.
    """

    head: int
    relation: int
    tail: int
    width: int
    header: bool


def wanted(columns: Columns | None) -> ColumnChoice:
    """Read what the user says of the columns.

    >>> wanted("relation, head, tail").order
    ('relation', 'head', 'tail')
    >>> wanted("head=subject,relation=predicate,tail=object").names
    ('subject', 'predicate', 'object')
    """
    if columns is None:
        return ColumnChoice()
    if isinstance(columns, Mapping):
        given = [
            f"{part}={name}" for part, name in zip(columns, texts(columns.values(), "columns"), strict=True)
        ]
    else:
        given = columns.split(",") if isinstance(columns, str) else texts(columns, "columns")
    listed = [one.strip() for one in given]
    if any("=" in one for one in listed):
        named = {part.strip(): name.strip() for part, _, name in (one.partition("=") for one in listed)}
        if sorted(named) != sorted(PARTS) or len(listed) != 3 or not all(named.values()):
            raise InputError(
                f"the columns {', '.join(listed)} do not name head, relation and tail", hint=_MEND
            )
        return ColumnChoice(names=tuple(named[part] for part in PARTS))
    if any(listed.count(part) != 1 for part in PARTS):
        raise InputError(
            f"the columns {', '.join(listed)} need head, relation and tail, each once", hint=_MEND
        )
    return ColumnChoice(order=tuple(listed))


def places(first: Sequence[str], columns: ColumnChoice, source: str) -> ColumnPositions:
    """Where the three stand, seen from the first line of a table.

    >>> places(["id", "Subject", "Predicate", "Object"], ColumnChoice(), "a.csv")
    ColumnPositions(head=1, relation=2, tail=3, width=4, header=True)
    >>> places(["predicate", "subject", "object"], wanted("relation,head,tail"), "a.csv").header
    True
    >>> places(["ferry", "part of", "fleet"], ColumnChoice(), "a.csv")
    ColumnPositions(head=0, relation=1, tail=2, width=3, header=False)
    """
    cells = [cell.strip() for cell in first]
    low = [cell.casefold() for cell in cells]
    if columns.names:
        missing = [name for name in columns.names if name not in cells]
        if missing:
            raise InputError(
                f"{source} has no column {_listed(missing)}; it has {_listed(cells)}",
                hint="give their names as they stand in its first line",
            )
        head, relation, tail = (cells.index(name) for name in columns.names)
        return ColumnPositions(head, relation, tail, len(cells), header=True)
    if columns.order:
        head, relation, tail = (columns.order.index(part) for part in PARTS)
        spelt = low == [one.casefold() for one in columns.order]
        if len(cells) == len(columns.order):
            # The order is the user's, whatever the header says; the header is none of the edges.
            named = {low[head], low[relation], low[tail]}
            spelt = spelt or any(named == set(known) for known in _KNOWN)
        return ColumnPositions(head, relation, tail, len(columns.order), header=spelt)
    for known in _KNOWN:
        if set(known) <= set(low):
            head, relation, tail = (low.index(name) for name in known)
            return ColumnPositions(head, relation, tail, len(cells), header=True)
    if len(cells) != 3:
        raise InputError(
            f"which columns of {source} are head, relation and tail is not clear; it has {len(cells)}: "
            f"{_listed(cells[:6])}",
            hint=_MEND if len(cells) > 1 else f"{_MEND}; or another --separator",
        )
    return ColumnPositions(0, 1, 2, 3, header=False)


def find_keys(first: Mapping[str, object], columns: ColumnChoice, source: str) -> tuple[str, str, str]:
    """The keys of head, relation and tail in records that have names for them.

    >>> find_keys({"subject": "a", "predicate": "b", "object": "c"}, ColumnChoice(), "a.jsonl")
    ('subject', 'predicate', 'object')
    """
    names = list(first)
    if columns.order and not set(PARTS) <= set(names):
        if len(columns.order) != len(names):
            raise InputError(
                f"--columns lists {len(columns.order)}, and {source} has {len(names)}: {_listed(names)}",
                hint=_MEND,
            )
        return tuple(names[columns.order.index(part)] for part in PARTS)  # type: ignore[return-value]
    found = places(names, ColumnChoice(names=columns.names or (PARTS if columns.order else ())), source)
    return names[found.head], names[found.relation], names[found.tail]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)
