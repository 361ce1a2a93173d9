"""Triples from a Parquet file, through duckdb."""

from __future__ import annotations

from collections.abc import Iterator

from probative.errors import InputError, MissingExtraError
from probative.graph.columns import PARTS, keys_of
from probative.graph.sources import Row, Source

_AT_ONCE = 10_000


def read_parquet(source: Source) -> Iterator[Row]:
    """The rows of a Parquet file, some thousands at a time; the number of a row is its number in the file."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError("graph", "reading Parquet") from None
    path = str(source.path)
    with duckdb.connect() as database:
        try:
            described = database.execute("SELECT * FROM read_parquet(?) LIMIT 0", [path]).description
            (total,) = database.execute("SELECT count(*) FROM read_parquet(?)", [path]).fetchall()[0]
            names = [str(column[0]) for column in described or []]
            keys = keys_of(dict.fromkeys(names), source.columns, source.path.name)
            chosen = ", ".join(f'CAST("{key.replace(chr(34), chr(34) * 2)}" AS VARCHAR)' for key in keys)
            database.execute(f"SELECT {chosen} FROM read_parquet(?)", [path])
            number = 0
            source.place = lambda: number / max(1, total)
            while rows := database.fetchmany(_AT_ONCE):
                for row in rows:
                    number += 1
                    triple = tuple((part or "").strip() for part in row)
                    if all(triple):
                        yield number, triple[0], triple[1], triple[2]
                    else:
                        source.faults.add(number, f"has no {PARTS[triple.index('')]}")
        except duckdb.Error as error:
            raise InputError(f"{source.path} is no Parquet file that can be read: {error}") from None
