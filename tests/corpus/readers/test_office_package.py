"""Parts of Office files name each other; what stands outside of the file does not count."""

from __future__ import annotations

from pathlib import Path

import pytest
from office import packed, relations

from probative.corpus.readers.office_package import Part, related
from probative.corpus.readers.text_builder import FileContent
from probative.corpus.readers.zip_documents import Container


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("sheets/a.xml", "xl/sheets/a.xml"),
        ("../media/a.png", "media/a.png"),
        ("/xl/b%20c.xml", "xl/b c.xml"),
        ("../../../etc/passwd", "etc/passwd"),
    ],
)
def test_a_target_is_a_member_of_the_file(target: str, name: str) -> None:
    data = packed({"xl/_rels/book.xml.rels": relations(("worksheet", target))})
    with Container(FileContent("a.xlsx", Path("a.xlsx"), data)) as container:
        assert related(container, "xl/book.xml") == {"r1": Part("worksheet", name)}
        assert related(container, "xl/other.xml") == {}


def test_links_out_of_the_file_are_left_out() -> None:
    data = packed({"_rels/a.xml.rels": relations(("hyperlink", "http://127.0.0.1/"), external=True)})
    with Container(FileContent("a.xlsx", Path("a.xlsx"), data)) as container:
        assert related(container, "a.xml") == {}
