"""Tables, JSON lines, e-mail and EPUB."""

from __future__ import annotations

import io
import json
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import passages_of
from probative.corpus.readers.formats import read_document
from probative.errors import UnreadableError


def read(data: str | bytes, folder: Path, name: str) -> Document:
    file = folder / name
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_document(file)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_rows_have_the_names_of_their_columns(tmp_path: Path, separator: str) -> None:
    rows = [["boat", "berth", "note"], ["Gull", "4", '"old, but dry"'], ["Tern", "5", ""]]
    data = "".join(separator.join(row) + "\r\n" for row in rows)
    document = read(data, tmp_path, "berths.csv")
    assert document.text == "boat: Gull; berth: 4; note: old, but dry\n\nboat: Tern; berth: 5"
    assert document.title == "berths"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (
            "plot,tenant,size_m2\n4,Ada,120\n5,,80\n",
            "plot: 4; tenant: Ada; size_m2: 120\n\nplot: 5; size_m2: 80",
        ),
        ("boat,Q1 2026\nGull,12\nTern,\n", "boat: Gull; Q1 2026: 12\n\nboat: Tern"),
        ("line1,town\nOak Lane 5,Dale\n", "line1: Oak Lane 5; town: Dale"),
        ("A12,north\nB7,south\n", "A12 | north\n\nB7 | south"),
        ("May 2026,12\nJune 2026,\n", "May 2026 | 12\n\nJune 2026"),
        ("Gull 2,Ada\nTern 5,Ben\n", "Gull 2 | Ada\n\nTern 5 | Ben"),
    ],
)
def test_names_of_columns_may_have_digits_and_values_are_no_names(
    tmp_path: Path, data: str, text: str
) -> None:
    assert read(data, tmp_path, "plots.csv").text == text


def test_an_empty_cell_keeps_its_column(tmp_path: Path) -> None:
    assert read("1,2,3\n4,,6\n,8,\n", tmp_path, "a.csv").text == "1 | 2 | 3\n\n4 |  | 6\n\n | 8"


def test_a_table_without_a_header(tmp_path: Path) -> None:
    assert read("1,2\n3,4\n", tmp_path, "a.csv").text == "1 | 2\n\n3 | 4"


def test_records_with_a_text_are_sections(tmp_path: Path) -> None:
    records = [{"title": "Gull", "text": "A boat.\n\nIt is old."}, {"id": 7, "crew": ["Ada", "Bo"]}]
    data = "".join(json.dumps(record) + "\n" for record in records)
    document = read(data + "not json\n", tmp_path, "boats.jsonl")
    assert document.text == "Gull\n\nA boat.\n\nIt is old.\n\nid: 7; crew: Ada, Bo"
    assert [heading.text for heading in document.headings] == ["Gull"]
    assert document.notes == ("line 3 is not JSON",)
    assert read(json.dumps(records), tmp_path, "boats.json").text == document.text


@pytest.mark.parametrize("data", ["nothing here\n", "[" * 100_000])
def test_what_is_no_json_says_so(tmp_path: Path, data: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read(data, tmp_path, "a.jsonl")
    assert caught.value.reason == "damaged"


def message() -> EmailMessage:
    made = EmailMessage()
    made["From"] = "Ada Holm <ada@example.org>"
    made["To"] = "bo@example.org"
    made["Subject"] = "Anlegestelle für die Möwe"
    made["Date"] = "Sun, 03 May 2026 23:30:00 +0200"
    return made


def test_an_email_has_its_headers_its_date_and_its_text(tmp_path: Path) -> None:
    mail = message()
    mail.set_content("Hallo Bo,\n\ndie Möwe liegt an Platz vier.\n", charset="iso-8859-1")
    mail.add_alternative("<p>Hallo</p>", subtype="html")
    mail.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="plan.pdf")
    document = read(mail.as_bytes(), tmp_path, "mail.eml")
    assert document.text == (
        "From: Ada Holm <ada@example.org>\nTo: bo@example.org\nDate: Sun, 03 May 2026 23:30:00 +0200\n"
        "Subject: Anlegestelle für die Möwe\n\nHallo Bo,\n\ndie Möwe liegt an Platz vier."
    )
    assert (document.title, document.date) == ("Anlegestelle für die Möwe", "2026-05-03")
    assert document.notes == ("the attachment plan.pdf is not read (damaged)",)


def test_attachments_are_read_below_their_names(tmp_path: Path) -> None:
    inner = message()
    inner.set_content("The pier is 40 m long.")
    mail = message()
    mail.set_content("See the fares.")
    mail.add_attachment(
        b"# Fares\n\nA ticket is 3 crowns.\n", maintype="text", subtype="x", filename="fares.md"
    )
    mail.add_attachment(inner)
    mail.add_attachment(b"\x00\x01", maintype="image", subtype="png", filename="logo.png")
    document = read(mail.as_bytes(), tmp_path, "mail.eml")
    headings = [(heading.level, heading.text) for heading in document.headings]
    assert headings[:2] == [(2, "Attachment: fares.md"), (3, "Fares")]
    assert headings[2][1].startswith("Attachment: ")
    assert all(document.text[each.start : each.end] == each.text for each in document.headings[:1])
    assert "A ticket is 3 crowns." in document.text
    assert "The pier is 40 m long." in document.text
    assert [note for note in document.notes if "logo.png" in note]


def test_messages_in_messages_end_somewhere(tmp_path: Path) -> None:
    mail = message()
    mail.set_content("Level 0.")
    for level in range(1, 6):
        outer = message()
        outer.set_content(f"Level {level}.")
        outer.add_attachment(mail)
        mail = outer
    document = read(mail.as_bytes(), tmp_path, "mail.eml")
    assert [level for level in range(6) if f"Level {level}." in document.text] == [3, 4, 5]
    assert any("too deep" in note for note in document.notes)


def test_what_is_quoted_at_the_end_is_not_said_by_the_sender(tmp_path: Path) -> None:
    mail = message()
    mail.set_content("Platform four.\n\nOn Sunday Bo wrote:\n> Is it platform two?\n>> Or five?\n")
    document = read(mail.as_bytes(), tmp_path, "mail.eml")
    (quoted,) = document.headings
    assert quoted.text == "Quoted from an earlier message"
    assert "Platform four." in document.text[: quoted.start]
    assert document.text[quoted.end :].split("\n") == ["", "", "Is it platform two?", "Or five?"]


def reply(text: str, identity: str, *before: str) -> EmailMessage:
    mail = message()
    mail["Message-ID"] = f"<{identity}>"
    if before:
        mail["References"] = " ".join(f"<{each}>" for each in before)
        mail["In-Reply-To"] = f"<{before[-1]}>"
    mail.set_content(text)
    return mail


def test_what_is_quoted_names_the_message_that_it_is_from(tmp_path: Path) -> None:
    mail = reply("Four, then.\n\n> Or five?\n>> Is it platform two?\n>>> Hello.\n", "c@x", "a@x", "b@x")
    document = read(mail.as_bytes(), tmp_path, "mail.eml")
    assert document.metadata["message id"] == "c@x"
    assert document.metadata["references"] == "a@x b@x"
    quoted = [(each.metadata, document.text[each.start : each.end]) for each in document.records]
    head = "Quoted from an earlier message\n\n"
    assert quoted == [
        ({"quoted from": "b@x"}, f"{head}Or five?"),
        ({"quoted from": "a@x"}, f"{head}Is it platform two?"),
    ]
    assert document.text.endswith(f"{head}Hello.")  # of a message before those that are known
    assert "quoted from" not in passages_of(document)[0].metadata


@pytest.mark.parametrize(
    "headers",
    [
        b"Message-ID: <a@x>\nIn-Reply-To: <a@x>\nReferences: <a@x> <a@x>",
        b"Message-ID: <" + b"i" * 900 + b"@x>\nIn-Reply-To: <>\nReferences: <<<>>> no id",
        b"Message-ID: \xff\xfe\nReferences: " + b"\n ".join(b"<%d@example.org>" % n for n in range(9_000)),
        b"In-Reply-To: =?utf-8?B?/////w==?= (\nReferences: =?x?Q?<a@x>?=\nMessage-ID: [",
        b"References: " + b"<" * 50_000,
        b"Message-ID: <a@[\nReferences: <b@[",
    ],
    ids=["itself", "long", "thousands", "malformed", "open", "bracket"],
)
def test_hostile_headers_join_nothing_and_cost_nothing(tmp_path: Path, headers: bytes) -> None:
    text = b"Four.\n\n" + b"".join(b">" * (1 + n % 90) + b" Or five?\n" for n in range(2_000))
    document = read(b"From: ada@example.org\n" + headers + b"\n\n" + text, tmp_path, "mail.eml")
    assert "Four." in document.text
    assert document.text.count("Or five?") == 2_000
    assert len(document.records) <= 100
    assert len(document.metadata.get("references", "").split()) <= 3
    assert all(len(value) <= 1_000 for value in document.metadata.values())


@pytest.mark.parametrize("name", ["[one]@mail.example]", "a:b@example.org", "'a'@b:c", "plain@example.org"])
def test_an_id_is_kept_as_replies_name_it(tmp_path: Path, name: str) -> None:
    first = f"From: ada@example.org\nMessage-ID: <{name}>\n\nFour.\n".encode()
    answer = f"From: bo@example.org\nIn-Reply-To: <{name}>\n\nFive.\n".encode()
    assert read(first, tmp_path, "first.eml").metadata["message id"] == name
    assert read(answer, tmp_path, "answer.eml").metadata["references"] == name


def test_the_messages_of_a_mailbox_have_their_own_date_and_sender(tmp_path: Path) -> None:
    first, second = reply("Is it platform two?\n", "a@x"), reply("Four.\n\n> Two?\n", "b@x", "a@x")
    second.replace_header("Date", "Tue, 05 May 2026 08:00:00 +0200")
    second.replace_header("From", "Bo <bo@example.org>")
    parts = [b"From ada@example.org Sun May  3 2026\n" + each.as_bytes() + b"\n" for each in (first, second)]
    passages = passages_of(read(b"".join(parts), tmp_path, "thread.mbox"))
    facts = [
        (each.date, each.date_source, each.metadata["author"], each.metadata.get("quoted from"))
        for each in passages
    ]
    assert facts == [
        ("2026-05-03", "header", "Ada Holm <ada@example.org>", None),
        ("2026-05-05", "header", "Bo <bo@example.org>", None),
        ("2026-05-05", "header", "Bo <bo@example.org>", "a@x"),
    ]


def test_a_mailbox_has_a_heading_for_each_message(tmp_path: Path) -> None:
    second = message()
    second.replace_header("Date", "Tue, 05 May 2026 08:00:00 +0200")
    second.replace_header("Subject", "Re: Anlegestelle")
    parts = []
    for number, mail in enumerate((message(), second)):
        mail.set_content(f"Message {number}.\n")
        parts.append(b"From ada@example.org Sun May  3 2026\n" + mail.as_bytes() + b"\n")
    document = read(b"".join(parts), tmp_path, "thread.mbox")
    assert [heading.text for heading in document.headings] == [
        "Anlegestelle für die Möwe, Ada Holm <ada@example.org>, 2026-05-03",
        "Re: Anlegestelle, Ada Holm <ada@example.org>, 2026-05-05",
    ]
    assert document.date == "2026-05-05"
    assert document.text.index("Message 0.") < document.headings[1].start < document.text.index("Message 1.")
    with pytest.raises(UnreadableError):
        read("no mailbox at all", tmp_path, "thread.mbox")


def test_a_mailbox_with_damaged_deep_and_active_messages_is_read_as_far_as_it_can_be(tmp_path: Path) -> None:
    mail = message()
    mail.set_content("Level 0.")
    for level in range(1, 6):
        outer = message()
        outer.set_content(f"Level {level}.")
        outer.add_attachment(mail)
        mail = outer
    active = message()
    active.set_content(
        "<script>alert(1)</script><p>Four.</p><img src='http://127.0.0.1:9/x.png'>", subtype="html"
    )
    active.add_attachment(
        b"MZ\x00\x01", maintype="application", subtype="x-msdownload", filename="../run.exe"
    )
    separator = b"\n\nFrom ada@example.org Sun May  3 2026\n"
    parts = [b"", mail.as_bytes(), b"\x00\xff no headers", active.as_bytes()]
    document = read(separator.join(parts).lstrip(), tmp_path, "thread.mbox")
    assert [level for level in range(6) if f"Level {level}." in document.text] == [3, 4, 5]
    assert "Four." in document.text
    assert not any(word in document.text for word in ("alert", "127.0.0.1", "MZ"))
    for words in ("cannot be read", "too deep", "run.exe is not read"):
        assert any(words in note for note in document.notes), (words, document.notes)


def test_an_email_of_html_only(tmp_path: Path) -> None:
    mail = message()
    mail.set_content("<p>Platz <b>vier</b>.</p><p>Gruß</p>", subtype="html")
    assert read(mail.as_bytes(), tmp_path, "mail.eml").text.endswith("\n\nPlatz vier.\n\nGruß")


def test_what_is_no_email_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError):
        read("\n\nno headers", tmp_path, "mail.eml")


def epub(parts: dict[str, str], chapters: list[str]) -> bytes:
    items = "".join(
        f'<item id="c{i}" href="{name}" media-type="application/xhtml+xml"/>'
        for i, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{i}"/>' for i in range(len(chapters)))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>The pier</dc:title><dc:creator>Ada Holm</dc:creator><dc:language>en-GB</dc:language>"
        f"<dc:date>1998</dc:date></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    container = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("mimetype", "application/epub+zip")
        packed.writestr("META-INF/container.xml", container)
        packed.writestr("OPS/book.opf", package)
        for name, text in parts.items():
            packed.writestr(name, text)
    return file.getvalue()


def test_chapters_of_a_book_are_in_the_order_of_the_spine(tmp_path: Path) -> None:
    parts = {
        "OPS/b.xhtml": "<html><body><h1>Two</h1><p>It burnt.</p></body></html>",
        "OPS/a one.xhtml": "<html><body><h1>One</h1><p>It was built.</p></body></html>",
    }
    document = read(epub(parts, ["a%20one.xhtml", "b.xhtml"]), tmp_path, "pier.epub")
    assert document.text == "One\n\nIt was built.\n\nTwo\n\nIt burnt."
    assert [heading.text for heading in document.headings] == ["One", "Two"]
    assert (document.title, document.date, document.language) == ("The pier", "1998", "en")
    assert document.metadata == {"author": "Ada Holm"}


def test_a_missing_chapter_is_noted_and_protection_is_an_error(tmp_path: Path) -> None:
    parts = {"OPS/a.xhtml": "<p>It was built.</p>"}
    document = read(epub(parts, ["a.xhtml", "gone.xhtml"]), tmp_path, "pier.epub")
    assert document.notes == ("1 chapter is missing, the first: OPS/gone.xhtml",)
    protected = parts | {"META-INF/encryption.xml": '<e><CipherReference URI="OPS/a.xhtml"/></e>'}
    with pytest.raises(UnreadableError) as caught:
        read(epub(protected, ["a.xhtml"]), tmp_path, "pier.epub")
    assert caught.value.reason == "encrypted"
