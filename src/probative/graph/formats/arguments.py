"""Checks of the arguments that callers pass to the graph: a wrong type raises `InputError`."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from operator import index
from pathlib import Path
from typing import Any

from probative.errors import InputError

_NUMBERS_HINT = "take numbers from find, search or the rows of edges"


def check_whole_number(value: Any, what: str) -> int:
    """Return `value` as an int; accept the integers of any library, such as numpy.

    >>> check_whole_number(3, "n")
    3
    """
    if isinstance(value, bool):
        raise InputError(f"{what} must be a whole number, got {value!r}")
    try:
        return index(value)
    except TypeError:
        raise InputError(f"{what} must be a whole number, got {short_repr(value)}") from None


def check_numbers(count: int, values: Iterable[Any], what: str = "entities") -> list[int]:
    """Return the numbers of entities or relations; each must be at least 0 and below `count`.

    >>> check_numbers(3, (0, 2))
    [0, 2]
    """
    try:
        numbers = [index(value) for value in values]
    except TypeError:
        raise InputError(
            f"{what} must be a list of numbers, got {short_repr(values)}", hint=_NUMBERS_HINT
        ) from None
    for number in numbers:
        if not 0 <= number < count:
            raise InputError(
                f"the graph has {count:,} {what}, and none has the number {number}", hint=_NUMBERS_HINT
            )
    return numbers


def check_text(value: Any, what: str) -> str:
    """Return `value`, which must be a string.

    >>> check_text("quay", "the name")
    'quay'
    """
    if not isinstance(value, str):
        raise InputError(f"{what} must be a string, got {short_repr(value)}")
    return value


def check_texts(values: Any, what: str) -> list[str]:
    """Return a list of strings.

    >>> check_texts(("a", "b"), "columns")
    ['a', 'b']
    """
    try:
        items = list(values)
    except TypeError:
        raise InputError(f"{what} must be strings, got {short_repr(values)}") from None
    if not all(isinstance(item, str) for item in items):
        raise InputError(f"{what} must be strings, got {short_repr(values)}")
    return items


def check_path(value: Any, what: str) -> Path:
    """Return a path with `~` expanded. The file need not exist, but its name must be usable.

    >>> check_path("facts.tsv", "the graph").name
    'facts.tsv'
    """
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{what} must be the path of a file or folder, got {short_repr(value)}")
    try:
        path = Path(value).expanduser()
        path.stat()
    except (TypeError, RuntimeError, ValueError) as error:
        raise InputError(
            f"{what} must be the path of a file or folder, got {short_repr(value)}: {error}"
        ) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError(
                f"{what} cannot be opened: {path} is a symbolic link that leads back to itself",
                hint="remove the link, or give another path",
            ) from None
        if error.errno == errno.ENAMETOOLONG:
            raise InputError(
                f"{what} cannot be opened: the name {short_repr(path.name)} is too long",
                hint="give a shorter path",
            ) from None
        # A missing file, or a folder without permission: the caller reports it with what it wanted to do.
    return path


def short_repr(value: Any) -> str:
    """Return the repr of a value for a message, cut to 80 characters.

    >>> short_repr("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:79]}…"
