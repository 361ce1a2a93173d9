"""Small files that are made to take much time or memory: entities, headers, attributes, nested tables."""

from __future__ import annotations

import cProfile
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from layouts import docx

from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import passages_of
from probative.corpus.readers.formats import read_document
from probative.errors import UnreadableError

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
ENTITIES = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
BODY = f'<w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:body></w:document>'


def read(data: bytes, folder: Path, name: str) -> Document:
    file = folder / name
    file.write_bytes(data)
    return read_document(file)


def calls(work: Callable[[], object]) -> int:
    """Return the number of calls that some work makes: a count that does not depend on the machine."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(int(entry.callcount) for entry in profile.getstats())


@pytest.mark.parametrize(
    ("start", "encoding"),
    [
        ("", "utf-8"),
        ("<!--" + "x" * 10_000 + "-->", "utf-8"),
        ("<?a b?>\n\n" * 2_000, "utf-8"),
        ("<?xml version='1.0' encoding='utf-16'?>", "utf-16"),
        ("<?xml version='1.0' encoding='utf-16'?><!--x-->", "utf-16-be"),
    ],
)
@pytest.mark.parametrize("declaration", [ENTITIES, "<!DOCTYPE d>", '<!DOCTYPE d SYSTEM "d.dtd">'])
@pytest.mark.parametrize("member", ["word/document.xml", "word/styles.xml"])
def test_every_document_type_is_refused(
    tmp_path: Path, start: str, encoding: str, declaration: str, member: str
) -> None:
    text = start + declaration + BODY % ("&b;" if "ENTITY" in declaration else "It rained.")
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    members = {"word/document.xml": BODY % "It rained.", member: mark + text.encode(encoding)}
    with pytest.raises(UnreadableError, match=f"{member} of a.docx has a document type"):
        read(packed(members), tmp_path, "a.docx")


def packed(members: dict[str, str | bytes]) -> bytes:

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        for name, content in members.items():
            written.writestr(name, content)
    return file.getvalue()


def test_utf_16_without_a_document_type_is_read(tmp_path: Path) -> None:
    xml = ("<?xml version='1.0' encoding='utf-16'?>" + BODY % "It rained.").encode("utf-16")
    assert read(packed({"word/document.xml": xml}), tmp_path, "a.docx").text == "It rained."


@pytest.mark.parametrize("encoding", ["none-such", "shift_jis"])
def test_an_encoding_that_xml_cannot_be_read_in_is_damage(tmp_path: Path, encoding: str) -> None:
    xml = f"<?xml version='1.0' encoding='{encoding}'?>" + BODY % "It rained."
    with pytest.raises(UnreadableError, match=r"word/document\.xml of a\.docx is not XML"):
        read(packed({"word/document.xml": xml}), tmp_path, "a.docx")


def nested(depth: int) -> bytes:
    start = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>It rained.</w:t></w:r></w:p>"
    return docx(start * depth + "</w:tc></w:tr></w:tbl>" * depth)


def test_nested_tables_are_read_once_and_in_linear_steps(tmp_path: Path) -> None:
    assert read(nested(3), tmp_path, "a.docx").text.count("It rained.") == 3
    read(nested(1), tmp_path, "a.docx")  # imports are not counted
    steps = [calls(lambda depth=depth: read(nested(depth), tmp_path, "a.docx")) for depth in (200, 400)]  # type: ignore[misc]
    assert steps[1] < 2.2 * steps[0]
    assert read(nested(5_000), tmp_path, "a.docx").text.count("It rained.") == 5_000


def test_long_headers_of_a_message_are_cut_and_noted(tmp_path: Path) -> None:
    encoded = "=?utf-8?q?rain_in_Molde?= " * 20_000
    document = read(f"Subject: {encoded}\n\nIt rained.".encode(), tmp_path, "a.eml")
    assert document.notes == ("the header Subject is cut after 10,000 characters",)
    assert len(document.text) < 11_000
    assert document.text.endswith("It rained.")
    assert max(len(passage.title or "") for passage in passages_of(document)) <= 201


@pytest.mark.parametrize("header", ["To", "Content-Type", "Content-Disposition", "Date"])
@pytest.mark.parametrize(
    "value", ["(" * 100_000, "a*0*=%41; " * 20_000, "=?utf-8?b?" * 20_000, "\x00<" * 500]
)
def test_a_header_that_cannot_be_parsed_spoils_nothing(tmp_path: Path, header: str, value: str) -> None:
    document = read(f"Subject: Rain\n{header}: {value}\n\nIt rained.".encode(), tmp_path, "a.eml")
    assert (document.title, document.text.endswith("It rained.")) == ("Rain", True)


@pytest.mark.parametrize("name", ["a.html", "a.eml"])
@pytest.mark.parametrize("attribute", ["a{}=x", "a{}", "a{}='x > y'", 'a{}="<p>"'])
def test_a_tag_with_very_many_attributes_is_refused(tmp_path: Path, attribute: str, name: str) -> None:
    head = "Subject: Rain\nContent-Type: text/html\n\n" if name == "a.eml" else ""

    def page(count: int) -> bytes:
        attributes = " ".join(attribute.format(number) for number in range(count))
        return f"{head}<html><body><p {attributes}>It rained.</p></body></html>".encode()

    assert read(page(900), tmp_path, name).text.endswith("It rained.")
    with pytest.raises(UnreadableError, match="a tag with more than 1,000 attributes"):
        read(page(40_000), tmp_path, name)


def test_a_long_title_or_field_is_not_repeated_whole_in_every_passage(tmp_path: Path) -> None:
    page = f"<title>{'t' * 50_000}</title><meta name=author content='{'m' * 50_000}'><h1>{'h' * 50_000}</h1>"
    document = read((page + "<p>It rained all day.</p>" * 500).encode(), tmp_path, "a.html")
    for passage in passages_of(document)[1:]:
        assert len(passage.to_json()) < 5_000


def test_half_of_a_character_in_json_becomes_a_mark(tmp_path: Path) -> None:
    lines = rb"""{"title": "Rain \ud800", "text": "It rained \udc00 in Molde.", "k\ud800": "v\ud800"}"""
    document = read(lines, tmp_path, "a.jsonl")
    document.to_json()
    assert "It rained \ufffd in Molde." in document.text
