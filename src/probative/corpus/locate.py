"""Find a quoted text in its document again, though its spaces or line breaks were changed."""

from __future__ import annotations


def locate(quote: str, text: str, start: int = 0, end: int | None = None) -> tuple[int, int] | None:
    r"""Return the offsets of a quote between two offsets of a text; None if it is not there.

    Spaces, line breaks and control characters do not count, on either side.

    >>> locate("It rained all day.", "Log:\nIt rained\nall  day. We left.")
    (5, 24)
    >>> locate("It snowed.", "It rained.") is None
    True
    """
    stop = len(text) if end is None else min(end, len(text))
    places = [place for place in range(start, stop) if _counts(text[place])]
    letters = "".join(text[place] for place in places)
    wanted = "".join(letter for letter in quote if _counts(letter))
    at = letters.find(wanted) if wanted else -1
    return None if at < 0 else (places[at], places[at + len(wanted) - 1] + 1)


def _counts(letter: str) -> bool:
    return letter.isprintable() and not letter.isspace()
