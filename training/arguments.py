"""Command-line arguments that trainings share."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def data_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with --data."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=os.environ.get("PROBATIVE_DATA"), help="folder of the data sets"
    )
    return parser


def data_folder(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> Path:
    """Return the folder of the data sets, or end with an error that says how to name it."""
    if arguments.data is None:
        parser.error("no data: name the folder of the data sets with --data DIR or PROBATIVE_DATA")
    return Path(arguments.data)


def parse_part(text: str) -> tuple[int, int]:
    """Return the two numbers of "I/N".

    >>> parse_part("3/8")
    (3, 8)
    """
    first, step = (int(number) for number in text.split("/"))
    if not 0 <= first < step:
        raise ValueError(f"a part is I/N with I from 0 to N - 1, got {text}")
    return first, step


def take_part(cases: Sequence[T], part: tuple[int, int]) -> list[T]:
    """Return every N-th case, starting at I.

    >>> take_part("abcdef", (1, 3))
    ['b', 'e']
    """
    return list(cases[part[0] :: part[1]])
