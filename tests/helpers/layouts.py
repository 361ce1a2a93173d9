"""Documents made for tests: PDFs in several layouts, and DOCX files part by part."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 595.0, 842.0
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


class Page:
    """One page of a PDF that is being drawn: lines of text at places, in points from the bottom left."""

    def __init__(self, canvas: Any) -> None:
        self._canvas = canvas

    def line(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 11,
        *,
        bold: bool = False,
        wide: float | None = None,
    ) -> None:
        """Draw a line; `wide` stretches its spaces to this width, as in justified text."""
        font = "Helvetica-Bold" if bold else "Helvetica"
        drawn = self._canvas.beginText(x, y)
        drawn.setFont(font, size)
        if wide is not None and " " in text:
            free = wide - self._canvas.stringWidth(text, font, size)
            drawn.setWordSpace(free / text.count(" "))
        drawn.textOut(text)
        self._canvas.drawText(drawn)

    def raised(self, x: float, y: float, before: str, mark: str, after: str, size: float = 11) -> None:
        """Draw a line with the mark of a footnote in it."""
        drawn = self._canvas.beginText(x, y)
        drawn.setFont("Helvetica", size)
        drawn.textOut(before)
        drawn.setRise(4)
        drawn.setFont("Helvetica", 0.6 * size)
        drawn.textOut(mark)
        drawn.setRise(0)
        drawn.setFont("Helvetica", size)
        drawn.textOut(after)
        self._canvas.drawText(drawn)

    def paragraph(
        self, x: float, y: float, lines: Sequence[str], size: float = 11, pitch: float = 1.25
    ) -> float:
        """Draw lines below one another; return the height of the next one."""
        for text in lines:
            self.line(x, y, text, size)
            y -= pitch * size
        return y

    def spaced(self, x: float, y: float, words: Sequence[str], size: float = 11, *, rule: bool) -> float:
        """Draw words with 0.42 em between them, as TeX sets underscores: with or without a rule in the gap.

        Return where the last word ends.
        """
        for index, word in enumerate(words):
            if index:
                if rule:
                    self.rule(x + 0.06 * size, y - 0.4, 0.3 * size)
                x += 0.42 * size
            self.line(x, y, word, size)
            x += self._canvas.stringWidth(word, "Helvetica", size)
        return x

    def rule(self, x: float, y: float, width: float, height: float = 0.4) -> None:
        """Draw a black bar."""
        self._canvas.rect(x, y, width, height, stroke=0, fill=1)

    def shrink(self, factor: float) -> None:
        """Draw what follows smaller, as browsers print."""
        self._canvas.scale(factor, factor)

    def frame(self, x: float, y: float, width: float, height: float) -> None:
        """Draw the outline of a rectangle."""
        self._canvas.rect(x, y, width, height, stroke=1, fill=0)

    def image(self, x: float, y: float, width: float, height: float) -> None:
        """Draw a grey picture."""
        from PIL import Image
        from reportlab.lib.utils import ImageReader

        self._canvas.drawImage(ImageReader(Image.new("L", (8, 8), 128)), x, y, width, height)

    def picture(self, picture: Any, x: float, y: float, width: float) -> None:
        """Draw a picture with its lower left corner at a place."""
        from reportlab.lib.utils import ImageReader

        self._canvas.drawImage(ImageReader(picture), x, y, width, width * picture.height / picture.width)


class Pdf:
    """A PDF that is being made: `page()` for each page, then `bytes()`."""

    def __init__(self, title: str = "", password: str = "") -> None:
        from reportlab.lib.pdfencrypt import StandardEncryption
        from reportlab.pdfgen.canvas import Canvas

        self._file = io.BytesIO()
        encrypt = StandardEncryption(password) if password else None
        self._canvas = Canvas(self._file, pagesize=(WIDTH, HEIGHT), invariant=True, encrypt=encrypt)
        if title:
            self._canvas.setTitle(title)
        self._pages = 0

    def page(self) -> Page:
        """Start the next page."""
        if self._pages:
            self._canvas.showPage()
        self._pages += 1
        return Page(self._canvas)

    def bytes(self) -> bytes:
        """Return the file."""
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()


def docx(body: str, parts: Mapping[str, str] | None = None) -> bytes:
    """Return a DOCX file with this XML in its body; `parts` are further members."""
    document = f'<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", document)
        for name, text in (parts or {}).items():
            packed.writestr(name, text)
    return file.getvalue()


def paragraph(text: str, style: str = "", properties: str = "") -> str:
    """Return the XML of a paragraph; `text` may hold XML of runs if it starts with "<"."""
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    runs = text if text.startswith("<") else f"<w:r><w:t xml:space='preserve'>{escape(text)}</w:t></w:r>"
    return f"<w:p><w:pPr>{styled}{properties}</w:pPr>{runs}</w:p>"


STYLES = (
    f'<w:styles xmlns:w="{_WORD}">'
    '<w:style w:styleId="Titre"><w:name w:val="Title"/></w:style>'
    '<w:style w:styleId="Titre1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Eigene"><w:name w:val="Own"/><w:basedOn w:val="Titre2"/></w:style>'
    '<w:style w:styleId="Titre2"><w:name w:val="heading 2"/></w:style>'
    "</w:styles>"
)


def footnotes(*texts: str) -> str:
    """Return the XML of footnotes with ids from 1."""
    notes = "".join(
        f'<w:footnote w:id="{number}">{paragraph(text)}</w:footnote>'
        for number, text in enumerate(texts, start=1)
    )
    return f'<w:footnotes xmlns:w="{_WORD}">{notes}</w:footnotes>'
