"""What callers pass in, checked before it is used: a wrong type is an `InputError`, never a wrong answer."""

from __future__ import annotations

import os
from collections.abc import Iterable
from operator import index
from pathlib import Path
from typing import Any

from probative.errors import InputError


def check_whole_number(value: Any, what: str) -> int:
    """A whole number, of whatever library.

    >>> check_whole_number(3, "n")
    3
    """
    if isinstance(value, bool):
        raise InputError(f"{what} is a whole number, not {value!r}")
    try:
        return index(value)
    except TypeError:
        raise InputError(f"{what} is a whole number, not {shown(value)}") from None


def check_numbers(count: int, values: Iterable[Any], what: str = "entities") -> list[int]:
    """The numbers of entities or relations, if there are such.

    >>> check_numbers(3, (0, 2))
    [0, 2]
    """
    try:
        numbers = [index(value) for value in values]
    except TypeError:
        raise InputError(
            f"{what} are given as a list of their numbers, not {shown(values)}",
            hint="numbers come from find, search and the rows of edges",
        ) from None
    for number in numbers:
        if not 0 <= number < count:
            raise InputError(
                f"the graph has {count:,} {what}, and none has the number {number}",
                hint="numbers come from find, search and the rows of edges",
            )
    return numbers


def check_text(value: Any, what: str) -> str:
    """A text.

    >>> check_text("quay", "a name")
    'quay'
    """
    if not isinstance(value, str):
        raise InputError(f"{what} is a text, not {shown(value)}")
    return value


def check_path(value: Any, what: str) -> Path:
    """A place on disk; `~` is the user's home.

    >>> check_path("facts.tsv", "a graph").name
    'facts.tsv'
    """
    if isinstance(value, str | os.PathLike):
        try:
            return Path(value).expanduser()
        except (TypeError, RuntimeError) as error:
            raise InputError(f"{what} is the path of a file or folder, not {shown(value)}: {error}") from None
    raise InputError(f"{what} is the path of a file or folder, not {shown(value)}")


def texts(values: Any, what: str) -> list[str]:
    """A list of texts.

    >>> texts(("a", "b"), "columns")
    ['a', 'b']
    """
    try:
        listed = list(values)
    except TypeError:
        raise InputError(f"{what} are texts, not {shown(values)}") from None
    if not all(isinstance(one, str) for one in listed):
        raise InputError(f"{what} are texts, not {shown(values)}")
    return listed


def shown(value: Any) -> str:
    """A value as a message shows it: not all of a long one.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"
    """
    written = " ".join(repr(value).split())
    return written if len(written) <= 80 else f"{written[:79]}…"
