"""A number with its noun, in words for people."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Return a number and a noun, in the plural unless the number is 1.

    >>> counted(1, "page"), counted(2_000, "page"), counted(0, "file")
    ('1 page', '2,000 pages', '0 files')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
