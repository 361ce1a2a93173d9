"""Make the PDF, Word, EPUB and e-mail files of the example corpus from their sources.

    python examples/tools/make_corpus.py [--out FOLDER]

A source `examples/sources/FOLDER/NAME.pdf.md` becomes `examples/corpus/FOLDER/NAME.pdf`. The other files of
the corpus are plain text and are written by hand. Needs the development extra (reportlab and python-docx).
The same sources and the same versions of the libraries give the same bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from corpus_source import read_source
from docx_writer import write_docx
from eml_writer import write_eml
from epub_writer import write_epub
from pdf_writer import write_pdf

EXAMPLES = Path(__file__).resolve().parent.parent
SOURCES = EXAMPLES / "sources"
WRITERS = {".pdf": write_pdf, ".docx": write_docx, ".epub": write_epub, ".eml": write_eml}


def make_corpus(out: Path) -> list[Path]:
    """Write every made document into the folder `out`, and return their paths."""
    made = []
    for source in sorted(SOURCES.rglob("*.md")):
        path = out / source.relative_to(SOURCES).with_suffix("")
        path.parent.mkdir(parents=True, exist_ok=True)
        WRITERS[path.suffix](read_source(source), path)
        made.append(path)
    return made


def main() -> None:
    """Parse the arguments and make the files."""
    parser = argparse.ArgumentParser(description="Make the files of the example corpus.")
    parser.add_argument("--out", type=Path, default=EXAMPLES / "corpus")
    made = make_corpus(parser.parse_args().out)
    print(f"{len(made)} files, {sum(path.stat().st_size for path in made):,} bytes")


if __name__ == "__main__":
    main()
