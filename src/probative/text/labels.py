"""Numbers as people read them in the terminal, notes and reports."""

from __future__ import annotations


def passage_label(index: int) -> str:
    """Return the label of the passage with this index; JSON and Python count from 0, labels from 1.

    >>> passage_label(0)
    '[1]'
    """
    return f"[{index + 1}]"


def counted(count: int, noun: str) -> str:
    """Return a number and a noun, in the plural unless the number is 1.

    >>> counted(1, "page"), counted(2_000, "page"), counted(0, "file")
    ('1 page', '2,000 pages', '0 files')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def with_reader(location: str, read_by: str | None) -> str:
    """Return the place of a text, and how it was read if it stood in a picture.

    >>> with_reader("a.pdf#page=2", "OCR"), with_reader("a.pdf#page=2", None), with_reader("", "OCR")
    ('a.pdf#page=2 (read by OCR)', 'a.pdf#page=2', '(read by OCR)')
    """
    return location if read_by is None else f"{location} (read by {read_by})".strip()
