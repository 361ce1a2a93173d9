"""A verification as a Word document: the text, with a comment at each claim.

A claim is underlined as on the page: solid if it is supported, double if contradicted, dotted if neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from probative.errors import MissingExtraError
from probative.text.labels import counted
from probative.types import Verdict
from probative.verify.verification import CheckedClaim, Verification
from probative.views.blocks import SIGNS, TONES, WORDS
from probative.views.html import visible
from probative.views.verification import evidence_lines, outcome_of, segments_of, title_of

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

# The mark at the beginning of a line of Markdown, and the style that stands for it.
_MARK = re.compile(r"(?P<heading>#{1,6})[ \t]+|(?P<item>[-*+])[ \t]+|(?P<number>\d{1,3}[.)])[ \t]+")
_EMPHASIS = re.compile(r"(\*\*|__|`)")
# XML has no place for these characters.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


class _Piece(NamedTuple):
    """Characters of one claim, or of none, on one line."""

    text: str
    number: int | None


def check_installed() -> None:
    """Raise `MissingExtraError` without python-docx."""
    if find_spec("docx") is None:
        raise MissingExtraError("docx", "a Word document")


def word_document(verification: Verification, *, made: str = "") -> bytes:
    """Return the Word document of a verification; `made` says at its end how and when it was made."""
    check_installed()
    import docx
    from docx.enum.text import WD_UNDERLINE

    document = docx.Document()
    document.core_properties.title = _clean(title_of(verification))[:255]
    document.core_properties.author = "Probative"
    document.core_properties.comments = ""
    document.add_heading(_clean(title_of(verification)), 0)
    document.add_paragraph(_summary(verification))
    lines = {
        Verdict.SUPPORTED: WD_UNDERLINE.SINGLE,
        Verdict.CONTRADICTED: WD_UNDERLINE.DOUBLE,
        Verdict.INSUFFICIENT: WD_UNDERLINE.DOTTED,
    }
    runs = _write_text(document, verification)
    around: list[Run] = []
    for number, claim in enumerate(verification.claims, 1):
        own = runs.get(number, [])
        for run in own:
            run.font.underline = lines[claim.verdict]
        # A claim inside another one, such as a cell of a row, has its comment there.
        around = own or around or [document.add_paragraph().add_run(_clean(claim.claim) or "…")]
        document.add_comment(around, _clean(_comment(claim)), author="Probative", initials=str(number))
    if verification.unchecked:
        document.add_heading(f"Not checked: {len(verification.unchecked)}", 2)
        for part in verification.unchecked:
            document.add_paragraph(_clean(f"{part.text} ({part.reason})"), style="List Bullet")
    names = (made, verification.verdict_model, verification.usage.describe(), *verification.notes)
    document.add_paragraph(_clean(" · ".join(name for name in names if name)), style="Caption")
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def _clean(text: str) -> str:
    return _CONTROL.sub("", visible(text))


def _summary(verification: Verification) -> str:
    parts = [f"{SIGNS[verdict]} {verification.counts[verdict]} {WORDS[verdict]}" for verdict in TONES]
    return f"{counted(len(verification.claims), 'claim')}: {', '.join(parts)}"


def _lines(verification: Verification) -> Iterator[list[_Piece]]:
    """Yield the lines of the text in pieces."""
    line: list[_Piece] = []
    for segment in segments_of(verification):
        first, *others = segment.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        line.append(_Piece(first, segment.number))
        for text in others:
            yield line
            line = [_Piece(text, segment.number)]
    yield line


def _write_text(document: Document, verification: Verification) -> dict[int, list[Run]]:
    """Write the text, and return the runs of each claim."""
    runs: dict[int, list[Run]] = {}
    paragraph: Paragraph | None = None
    for line in _lines(verification):
        words = "".join(piece.text for piece in line)
        if not words.strip():
            paragraph = None
            continue
        mark = _MARK.match(words.lstrip())
        left = len(words) - len(words.lstrip())
        skipped = left if mark is None else left + mark.end()
        if mark is not None:
            heading = mark["heading"]
            style = f"Heading {len(heading)}" if heading else "List Bullet" if mark["item"] else "List Number"
            paragraph = document.add_paragraph(style=style)
        elif paragraph is None or words.lstrip().startswith("|"):
            paragraph = document.add_paragraph()
        else:
            paragraph.add_run(" ")  # a line that goes on with the one before
        for piece in line:
            text, skipped = piece.text[skipped:], max(0, skipped - len(piece.text))
            _write_piece(paragraph, text, runs.setdefault(piece.number, []) if piece.number else [])
        if mark is not None and mark["heading"]:
            paragraph = None
    return runs


def _write_piece(paragraph: Paragraph, text: str, runs: list[Run]) -> None:
    """Write a piece of a line without the marks of emphasis, and keep its runs."""
    bold = False
    for part in _EMPHASIS.split(_clean(text)):
        if _EMPHASIS.fullmatch(part):
            bold = not bold if part != "`" else bold
        elif part:
            run = paragraph.add_run(part)
            run.bold = bold or None
            runs.append(run)


def _comment(claim: CheckedClaim) -> str:
    """Return what a comment says: the verdict, the sentences that decide, the citations, and notes."""
    share = claim.probabilities.describe(claim.verdict) if claim.judged else "not judged"
    lines = [f"{SIGNS[claim.verdict]} {WORDS[claim.verdict]} ({share})"]
    if claim.claim != claim.text:
        lines.append(f"read as: {claim.claim}")
    if claim.conflict:
        lines.append("The sources disagree.")
    lines += evidence_lines(claim)
    lines += [f"cited {citation.marker}: {outcome_of(citation)}" for citation in claim.citations]
    return "\n".join([*lines, *claim.notes])
