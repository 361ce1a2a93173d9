"""Compare libraries that read documents: how much of the text can be cited from what they return.

    python benchmarks/reading.py pdf         ten layouts with five readers
    python benchmarks/reading.py html        five web pages with four readers
    python benchmarks/reading.py encodings   one sentence in each of 17 encodings, guessed

A sentence counts as found if it comes out whole and alone, word for word, when the text is split into
sentences: only then can it be quoted, judged and found again. The layouts and sentences are our own, and the
readers here were written with them in view: what others do on them is a comparison, not a contest.
Needs `pip install pdfminer.six pypdf lxml beautifulsoup4 charset-normalizer` beside the `dev` extra.
"""

from __future__ import annotations

import argparse
import io
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmark_report import add_keep, show, text_table
from reading_layouts import Layout, layouts
from reading_pages import pages

Read = Callable[[bytes], str]
# The mark of a list item.
_MARK = re.compile(r"^(?:[•●-]|\d+[.)]?)\s+")


def probative(data: bytes) -> str:
    """Return the text by Probative's own reader: pypdfium2 with an analysis of the layout."""
    from probative.corpus.readers.pdf import read_pdf
    from probative.corpus.readers.text_builder import FileContent

    return read_pdf(FileContent("a.pdf", Path("a.pdf"), data)).text


def pypdfium2(data: bytes) -> str:
    """Return the text as pypdfium2 gives it."""
    import pypdfium2

    pdf = pypdfium2.PdfDocument(data)
    return "\n".join(page.get_textpage().get_text_range() for page in pdf)


def pypdf(data: bytes) -> str:
    """Return the text as pypdf gives it."""
    import pypdf

    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)


def pypdf_layout(data: bytes) -> str:
    """Return the text as pypdf gives it with the layout kept."""
    import pypdf

    pages = pypdf.PdfReader(io.BytesIO(data)).pages
    return "\n".join(page.extract_text(extraction_mode="layout") for page in pages)


def pdfminer(data: bytes) -> str:
    """Return the text as pdfminer.six gives it, with its own analysis of the layout."""
    from pdfminer.high_level import extract_text

    return str(extract_text(io.BytesIO(data)))


def probative_html(data: bytes) -> str:
    """Return the text by Probative's own reader: selectolax, and blocks from its tree."""
    from probative.corpus.readers.html import read_html
    from probative.corpus.readers.text_builder import FileContent

    return read_html(FileContent("a.html", Path("a.html"), data)).text


def selectolax(data: bytes) -> str:
    """Return the text as selectolax gives it, with a line end between elements."""
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser(data).body
    return body.text(separator="\n") if body is not None else ""


def lxml(data: bytes) -> str:
    """Return the text as lxml gives it."""
    from lxml import html

    return str(html.document_fromstring(data).body.text_content())


def beautifulsoup(data: bytes) -> str:
    """Return the text as Beautiful Soup gives it with the parser of the standard library."""
    from bs4 import BeautifulSoup

    body = BeautifulSoup(data, "html.parser").body
    return body.get_text("\n") if body is not None else ""


HTML_READERS: dict[str, Read] = {
    "probative": probative_html,
    "selectolax": selectolax,
    "lxml": lxml,
    "beautifulsoup4": beautifulsoup,
}
READERS: dict[str, Read] = {
    "probative": probative,
    "pypdfium2": pypdfium2,
    "pypdf": pypdf,
    "pypdf, layout": pypdf_layout,
    "pdfminer.six": pdfminer,
}


def found(layout: Layout, text: str) -> float:
    """Return the share of the pieces of a layout that come out whole; of what must not be in the text, each
    piece found takes one away.

    A sentence must come out as a sentence of its own when the text is split; a heading must be in the text,
    and the cells of a row of a table must stand together.
    """
    from probative.text.sentences import split_sentences

    squeezed = _squeezed(text)
    own = {_squeezed(_MARK.sub("", sentence.text)) for sentence in split_sentences(text, "en")}
    right = sum(
        _squeezed(piece) in own if piece.endswith(".") else _has_cells(squeezed, piece)
        for piece in layout.pieces
    )
    wrong = sum(_squeezed(piece) in squeezed for piece in layout.unwanted)
    return max(0, right - wrong) / len(layout.pieces)


def _has_cells(squeezed: str, row: str) -> bool:
    """Return whether a text has the cells of a row one after the other, perhaps with names between them."""
    cells = (re.escape(_squeezed(cell)) for cell in row.split(" | "))
    return re.search(".{0,20}?".join(cells), squeezed) is not None


def _squeezed(text: str) -> str:
    """Return a text without white space, cell marks and marks of footnotes, which each reader writes in its
    own way; a sentence stays one whether its words are joined by a space or a line end.
    """
    return re.sub(r"\[\d+\]|[\s|\u00a0]+", "", text)


def compare(made: Sequence[Layout], readers: dict[str, Read]) -> list[list[str]]:
    """Return a row a layout, and the means and times."""
    rows: list[list[str]] = []
    sums = dict.fromkeys(readers, 0.0)
    seconds = dict.fromkeys(readers, 0.0)
    for layout in made:
        cells = [layout.name]
        for name, read in readers.items():
            read(layout.data)  # the first call loads the library
            start = time.perf_counter()
            text = read(layout.data)
            seconds[name] += time.perf_counter() - start
            share = found(layout, text)
            sums[name] += share
            cells.append(f"{100 * share:.0f}")
        rows.append(cells)
    rows.append(["mean", *(f"{100 * total / len(made):.1f}" for total in sums.values())])
    rows.append(["ms a file", *(f"{1000 * total / len(made):.1f}" for total in seconds.values())])
    return rows


def compare_encodings(sentences: dict[str, str]) -> list[list[str]]:
    """Return a row an encoding: whether each guesser reads the sentence."""
    from charset_normalizer import from_bytes

    from probative.corpus.readers.decoding import guess_encoding

    def by_normalizer(data: bytes) -> str | None:
        best = from_bytes(data).best()
        return best.encoding if best is not None else None

    rows = []
    for encoding, sentence in sentences.items():
        data = sentence.encode(encoding)
        guesses = [guess_encoding(data), by_normalizer(data)]
        rows.append([encoding, *(_outcome(data, guess, sentence) for guess in guesses)])
    right = [str(sum(row[column] == "right" for row in rows)) for column in (1, 2)]
    return [*rows, ["right", *right]]


def _outcome(data: bytes, guess: str | None, sentence: str) -> str:
    if guess is not None and data.decode(guess, "replace") == sentence:
        return "right"
    return f"wrong: {guess}"


def main(words: Sequence[str] | None = None) -> None:
    """Run one comparison."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("pdf", "html", "encodings"), nargs="?", default="pdf")
    add_keep(parser)
    given = parser.parse_args(words)
    if given.what == "pdf":
        table = text_table(
            "Sentences that can be quoted from ten layouts, %",
            ["layout", *READERS],
            compare(layouts(), READERS),
        )
        show([table], given, __file__, title="Reading PDFs", name="reading-pdf")
        return
    if given.what == "html":
        rows = compare(pages(), HTML_READERS)
        table = text_table(
            "Sentences that can be quoted from five web pages, %", ["page", *HTML_READERS], rows
        )
        show([table], given, __file__, title="Reading web pages", name="reading-html")
        return
    from encoding_sentences import SENTENCES

    table = text_table(
        "Encodings guessed from one sentence",
        ["encoding", "probative", "charset-normalizer"],
        compare_encodings(SENTENCES),
    )
    show([table], given, __file__, title="Guessing encodings", name="reading-encodings")


if __name__ == "__main__":
    main()
