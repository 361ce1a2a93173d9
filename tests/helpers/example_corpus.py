"""The documents of the example corpus as plain text and table rows, read without the readers of the package.

A document that was made (PDF, Word, EPUB, e-mail) is read from its source; the others are read as they are.
"""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
CORPUS = EXAMPLES / "corpus"
SOURCES = EXAMPLES / "sources"


@dataclass(frozen=True)
class PlainDocument:
    """The words of a document on one line, and the cells of its table rows."""

    text: str
    rows: tuple[tuple[str, ...], ...]

    def has(self, quote: str) -> bool:
        """Return whether the document has this quote. "a | b" is a row with these cells in this order."""
        if " | " not in quote:
            return one_line(quote) in self.text
        cells = quote.split(" | ")
        return any(_in_order(cells, row) for row in self.rows)


def _in_order(cells: list[str], row: tuple[str, ...]) -> bool:
    rest = iter(row)
    return all(cell in rest for cell in cells)


def one_line(text: str) -> str:
    """Return the text with single spaces for all white space."""
    return " ".join(text.split())


def read_lines(name: str) -> list[dict[str, Any]]:
    """Return the objects of a file of JSON lines in the folder of examples."""
    return [json.loads(line) for line in (EXAMPLES / name).read_text(encoding="utf-8").splitlines()]


def plain_document(source: str, corpus: Path = CORPUS) -> PlainDocument:
    """Return the document that the corpus has under this name."""
    path = corpus / source
    made_from = SOURCES / f"{source}.md"
    if made_from.exists():
        return _from_markdown(made_from.read_text(encoding="utf-8").split("---\n", 2)[2])
    match path.suffix:
        case ".md":
            return _from_markdown(path.read_text(encoding="utf-8"))
        case ".html":
            encoding = "iso-8859-1" if b"iso-8859-1" in path.read_bytes() else "utf-8"
            return _from_html(path.read_text(encoding=encoding))
        case ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                return PlainDocument("", tuple(tuple(row) for row in csv.reader(file)))
        case ".jsonl":
            objects = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            return PlainDocument(one_line("\n".join(line["text"] for line in objects)), ())
        case _:
            return PlainDocument(one_line(path.read_text(encoding="utf-8")), ())


def _from_markdown(text: str) -> PlainDocument:
    text = re.sub(r"\[\^\d+\]:? ?|[*#]", "", text)
    rows = [re.split(r" *\| *", line.strip("| ")) for line in text.splitlines() if line.startswith("|")]
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
    return PlainDocument(one_line(prose), tuple(map(tuple, rows)))


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)
        if self.rows and data.strip():
            self.rows[-1].append(data)


def _from_html(text: str) -> PlainDocument:
    words = _Words()
    words.feed(text)
    return PlainDocument(one_line("".join(words.pieces)), tuple(map(tuple, words.rows)))
