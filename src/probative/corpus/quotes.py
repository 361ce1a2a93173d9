"""Find a quote in a document: the same words, whatever white space, markup and marks stand between them."""

from __future__ import annotations

import re

from probative.corpus.document import Document
from probative.corpus.passages import sentences_of

_CELL = re.compile(r"\s+\|\s+")
# What may stand between two words of a quote: white space with emphasis, quotation marks of e-mails, bars of
# tables and marks of footnotes.
_BETWEEN = r"(?:[*_`]|\[\^?\w{1,4}\])*(?:\s|[>|])+(?:[*_`>])*"
_SAME = {
    "'": "['’‘]",
    "’": "['’‘]",
    '"': '["“”„]',
    "“": '["“”„]',
    "”": '["“”„]',
    "-": "[-‐‑–]",
    "–": "[-‐‑–]",
}


def find_quote(document: Document, quote: str) -> tuple[int, int] | None:
    r"""Return the characters of the first place where a document has a quote; None if it has not.

    A quote of a row of a table has its cells in order, separated by " | "; cells may be left out. The whole
    row is returned then.

    >>> text = "The **rent** is\n40 crowns.[2]\n\nboat: Gull; berth: 4; rent: 40"
    >>> document = Document(source="a.md", text=text)
    >>> find_quote(document, "The rent is 40 crowns."), find_quote(document, "Gull | 40")
    ((0, 26), (31, 61))
    """
    cells = [cell for cell in _CELL.split(quote.strip().strip("|").strip()) if cell]
    if not cells:
        return None
    if len(cells) == 1:
        match = re.search(_pattern(cells[0]), document.text)
        return match.span() if match else None
    row = re.compile(
        r"(?:^|.*?(?<!\w))" + r"(?!\w).*?(?<!\w)".join(map(_pattern, cells)) + r"(?!\w)", re.DOTALL
    )
    return next((span for span in sentences_of(document) if row.match(document.text[slice(*span)])), None)


def _pattern(words: str) -> str:
    """Return a pattern for words in this order."""
    return _BETWEEN.join(_word(word) for word in words.split())


def _word(word: str) -> str:
    return "".join(_SAME.get(letter) or re.escape(letter) for letter in word)


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
