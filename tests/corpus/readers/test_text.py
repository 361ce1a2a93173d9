"""Text and Markdown keep every character; encodings are found, or guessed and said."""

from __future__ import annotations

from pathlib import Path

import pytest

from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import passages_of
from probative.corpus.readers import text_builder
from probative.corpus.readers.formats import read_document
from probative.errors import UnreadableError

GERMAN = "Die Fähre fährt täglich über die Bucht. Das Büro schließt früh, und die Brücke ist gesperrt.\n"
RUSSIAN = "Паром отправляется каждое утро в шесть часов. Билеты продаются на борту, и дети едут бесплатно.\n"


def read(data: bytes, folder: Path, name: str = "log.txt") -> Document:
    file = folder / name
    file.write_bytes(data)
    return read_document(file)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"])
def test_western_text_is_decoded(tmp_path: Path, encoding: str) -> None:
    document = read(GERMAN.encode(encoding), tmp_path)
    assert document.text == GERMAN
    assert document.language == "de"
    guessed = encoding in ("utf-16-le", "cp1252")
    assert any("guessed" in note for note in document.notes) == guessed


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "utf-16-be"])
def test_russian_text_is_decoded(tmp_path: Path, encoding: str) -> None:
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    document = read(mark + RUSSIAN.encode(encoding), tmp_path)
    assert document.text == RUSSIAN
    assert document.language == "ru"


def test_a_few_wrong_bytes_do_not_change_the_rest(tmp_path: Path) -> None:
    document = read((GERMAN * 3).encode() + b"\xff ende", tmp_path)
    assert document.text.startswith(GERMAN)
    assert document.text.endswith("\ufffd ende")
    assert "1 bytes are not valid UTF-8" in document.notes[0]


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 20, b"\x7fELF" + bytes(500), b"\xff\xfe\x00\x00\x00\x00" * 9]
)
def test_binary_files_say_so(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UnreadableError) as caught:
        read(data, tmp_path)
    assert caught.value.reason == "binary"


def test_an_image_and_an_empty_file_say_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="image"):
        read(b"GIF89a" + bytes(50), tmp_path, "photo.png")
    with pytest.raises(UnreadableError, match="empty"):
        read(b"", tmp_path)
    with pytest.raises(UnreadableError, match="no text"):
        read(b" \n\n", tmp_path)


def test_a_file_of_a_gigabyte_is_refused_without_reading_it(tmp_path: Path) -> None:
    file = tmp_path / "huge.txt"
    with file.open("wb") as opened:
        opened.truncate(2**30)  # sparse: takes no room on the disk
    with pytest.raises(UnreadableError, match="1,073,741,824 bytes") as caught:
        read_document(file)
    assert caught.value.reason == "too large"


def test_a_file_that_keeps_changing_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "log.txt"
    file.write_text("one line\n", encoding="utf-8")
    check = text_builder._check_kind

    def write_more(*arguments: object) -> None:
        check(*arguments)  # type: ignore[arg-type]
        with file.open("a", encoding="utf-8") as opened:
            opened.write("another line\n")

    monkeypatch.setattr(text_builder, "_check_kind", write_more)
    with pytest.raises(UnreadableError) as caught:
        read_document(file)
    assert caught.value.reason == "changing"


def test_a_file_that_changed_once_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "log.txt"
    file.write_text("old\n", encoding="utf-8")
    check = text_builder._check_kind
    texts = iter(["new and whole\n"])

    def write_once(*arguments: object) -> None:
        check(*arguments)  # type: ignore[arg-type]
        for text in texts:
            file.write_text(text, encoding="utf-8")

    monkeypatch.setattr(text_builder, "_check_kind", write_once)
    assert read_document(file).text == "new and whole\n"


def test_missing_files_and_folders_say_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="does not exist"):
        read_document(tmp_path / "none.txt")
    with pytest.raises(UnreadableError, match="not a regular file"):
        read_document(tmp_path)


def test_markdown_headings_by_the_rules(tmp_path: Path) -> None:
    text = (
        "---\ntitle: 'Pier log'\ndate: 2026-05-03\nlang: en\nauthor: Ada\n---\n# *Pier* [log](x.md)\n\n"
        "Text.\n\n```\n# not a heading\n```\n\nBoats\n-----\n\nMore.\n\n> # quoted\n"
    )
    document = read(text.encode(), tmp_path, "log.md")
    assert document.text == text
    assert [(heading.text, heading.level) for heading in document.headings] == [("Pier log", 1), ("Boats", 2)]
    assert document.quote(document.headings[0].start, document.headings[0].end) == "# *Pier* [log](x.md)"
    assert document.quote(document.headings[1].start, document.headings[1].end) == "Boats\n-----"
    assert (document.title, document.date, document.metadata) == ("Pier log", "2026-05-03", {"author": "Ada"})


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_front_matter_is_metadata_and_in_no_passage(tmp_path: Path, line_end: str) -> None:
    lines = [
        "---",
        "author: Ada Lund",
        "tags:",
        "  - boats",
        "- nets",
        "---",
        "",
        "It rained.",
        "",
        "# Nets",
        "",
        "Dry.",
    ]
    text = line_end.join(lines)
    document = read(text.encode(), tmp_path, "log.md")
    assert document.text == text
    assert document.metadata == {"author": "Ada Lund", "tags": "boats, nets"}
    passages = passages_of(document)
    assert [passage.text for passage in passages] == ["It rained.", "Dry."]
    assert [document.quote(passage.start or 0, passage.end or 0) for passage in passages] == [
        "It rained.",
        "Dry.",
    ]


def test_text_between_two_rules_is_text(tmp_path: Path) -> None:
    document = read(b"---\nIt rained all day.\n---\nWe left: early.\n", tmp_path, "log.md")
    assert document.metadata == {}
    assert "It rained all day." in "".join(passage.text for passage in passages_of(document)) + str(
        document.headings
    )
    alone = read(b"---\ntitle: Log\nauthor: Ada\n---\n", tmp_path, "alone.md")
    assert (alone.title, len(passages_of(alone))) == ("Log", 1)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_offsets_hold_with_every_line_end(tmp_path: Path, line_end: str) -> None:
    text = f"# One{line_end}{line_end}Text.{line_end}{line_end}## Two{line_end}{line_end}End."
    document = read(text.encode(), tmp_path, "log.md")
    assert [document.quote(heading.start, heading.end) for heading in document.headings] == [
        "# One",
        "## Two",
    ]
    plain = read(f"One{line_end}==={line_end}{line_end}Text.".encode(), tmp_path)
    assert [plain.quote(heading.start, heading.end) for heading in plain.headings] == ["One"]


def test_titles_and_dates_come_from_names_where_the_text_has_none(tmp_path: Path) -> None:
    document = read(b"It rained all day.", tmp_path, "2026-05-03_harbour_log.txt")
    assert (document.title, document.date) == ("2026-05-03 harbour log", "2026-05-03")
    named = read(b"Harbour log\n\nDate: 4 May 2026\nIt rained.", tmp_path)
    assert (named.title, named.date) == ("Harbour log", "2026-05-04")


@pytest.mark.parametrize("name", ["протокол.txt", "議事録.txt", "محضر.txt", "a b#c%20d.txt", "ünïcode 🛥.txt"])
def test_names_in_any_alphabet(tmp_path: Path, name: str) -> None:
    assert read(b"It rained.", tmp_path, name).source == name


def test_a_name_that_does_not_fit_the_content_is_noted(tmp_path: Path) -> None:
    document = read(b"<!DOCTYPE html><html><body><p>Hello there.</p></body></html>", tmp_path, "page.txt")
    assert document.text == "Hello there."
    assert document.notes == ("the name ends in .txt, the content is html",)
