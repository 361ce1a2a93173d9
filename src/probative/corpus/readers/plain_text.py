"""Read plain text. The text of the document is the decoded file, character for character."""

from __future__ import annotations

import re

from probative.corpus.document import Document, Heading
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.file_content import FileContent
from probative.corpus.readers.text_builder import document_of

# A line over a line of the same sign: "Fares" over "=====".
_UNDERLINED = re.compile(r"^(?P<text>[^\s\-=~].{0,118})\n(?P<line>=+|-+|~+)[ \t]*$", re.MULTILINE)
_LEVELS = {"=": 1, "-": 2, "~": 3}
_TITLE_LENGTH = 100


def read_text(content: FileContent) -> Document:
    """Return the document of a plain text file. Underlined lines are headings."""
    decoded = decode(content.data, content.source)
    text = decoded.text
    headings = [
        Heading(
            start=match.start(),
            end=match.start() + len(match["text"].rstrip()),
            level=_LEVELS[match["line"][0]],
            text=match["text"].rstrip(),
        )
        for match in _UNDERLINED.finditer(text.replace("\r\n", " \n"))
        if len(match["line"]) >= 3
    ]
    return document_of(
        content,
        text,
        title=headings[0].text if headings else _first_line(text),
        headings=headings,
        notes=decoded.notes,
    )


def _first_line(text: str) -> str:
    """Return the first line if it stands alone and does not read like a sentence; else ""."""
    lines = text.lstrip("\ufeff\r\n \t")[: 10 * _TITLE_LENGTH].splitlines()
    if not lines or len(lines) < 3 or lines[1].strip():
        return ""
    line = lines[0].strip()
    return line if len(line) <= _TITLE_LENGTH and not line.endswith((".", "!", "?", ":", ",", ";")) else ""
