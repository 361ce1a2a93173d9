"""Triples from a Parquet file, through duckdb."""

from __future__ import annotations

import glob
from collections.abc import Iterator

from probative.errors import InputError, MissingExtraError
from probative.graph.formats.columns import PARTS, find_keys
from probative.graph.formats.sources import Row, Source
from probative.text.cleaning import clean

_ROWS_A_FETCH = 10_000
# Without hive partitioning: a folder called year=2020 is not a column of the file.
_TABLE = "read_parquet(?, hive_partitioning = false)"


def read_parquet(source: Source) -> Iterator[Row]:
    """Read the rows of a Parquet file; the number of a row is its number in the file."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError("graph", "reading Parquet") from None
    if not source.path.is_file():
        raise InputError(
            f"{source.path} is not a regular file", hint="Parquet cannot be read from a pipe: save it first"
        )
    path = glob.escape(str(source.path))  # duckdb reads *, ? and [ as a pattern
    with duckdb.connect() as database:
        try:
            described = database.execute(f"SELECT * FROM {_TABLE} LIMIT 0", [path]).description
            (total,) = database.execute(f"SELECT count(*) FROM {_TABLE}", [path]).fetchall()[0]
            names = [str(column[0]) for column in described or []]
            keys = find_keys(dict.fromkeys(names), source.columns, source.path.name)
            chosen = ", ".join(f'CAST("{key.replace(chr(34), chr(34) * 2)}" AS VARCHAR)' for key in keys)
            database.execute(f"SELECT {chosen} FROM {_TABLE}", [path])
            number = 0
            source.progress = lambda: number / max(1, total)
            while rows := database.fetchmany(_ROWS_A_FETCH):
                for row in rows:
                    number += 1
                    triple = tuple((part or "").strip() for part in row)
                    if all(triple):
                        yield number, triple[0], triple[1], triple[2]
                    else:
                        source.malformed.add(number, f"has no {PARTS[triple.index('')]}")
        except duckdb.Error as error:
            # The first line says what is wrong; the others repeat our query.
            message = clean(str(error).partition("\n")[0])
            raise InputError(
                f"{source.path} cannot be read as Parquet: {message}",
                hint="if it has another format, name it: --format",
            ) from None
