"""Conversations of e-mails: joined by ids, whatever the headers say."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import SearchFilters
from probative.corpus.documents.threads import threads
from probative.settings import Settings

IDS = st.sampled_from(["1", "2", "3", "4", "5"])
MAILS = st.lists(st.tuples(IDS, st.lists(IDS, max_size=4)), max_size=8)
RENT = "The rent of the boathouse is 40 crowns a month, to be paid on the first day."
ANSWER = "The board agrees, and asks for it in writing until Friday."


@given(MAILS)
def test_a_conversation_is_what_ids_connect(mails: list[tuple[str, list[str]]]) -> None:
    given = [
        (f"{number}.eml", None, {"message id": own, "references": " ".join(others)})
        for number, (own, others) in enumerate(mails)
    ]
    listed = threads(given, [source for source, _, _ in given])
    found = {source: {mail.source for mail in others} for source, others in listed.items()}
    # By an independent method: ids spread until nothing changes any more.
    ids = [{own, *others} for own, others in mails]
    for _ in ids:
        ids = [set().union(*(other for other in ids if other & each)) for each in ids]
    for number, each in enumerate(ids):
        connected = {f"{n}.eml" for n, other in enumerate(ids) if other == each and n != number}
        assert found[f"{number}.eml"] == connected


def test_thousands_of_mails_are_listed_in_part() -> None:
    chain = [
        (
            f"{number}.eml",
            f"2026-01-{number % 28 + 1:02}",
            {"message id": str(number), "references": str(number + 1)},
        )
        for number in range(20_000)
    ]
    assert len(threads(chain, ["7.eml"])["7.eml"]) == 50


def write(folder: Path, name: str, text: str, day: int, identity: str, *before: str) -> None:
    mail = EmailMessage()
    mail["From"] = f"{name} <{name}@example.org>"
    mail["Subject"] = "Re: the boathouse"
    mail["Date"] = f"Sun, {day:02} May 2026 10:00:00 +0200"
    mail["Message-ID"] = f"<{identity}>"
    if before:
        mail["References"] = " ".join(f"<{each}>" for each in before)
    mail.set_content(text)
    (folder / f"{name}.eml").write_bytes(mail.as_bytes())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mails"
    folder.mkdir()
    write(folder, "ada", f"{RENT}\n", 3, "a@x")
    write(folder, "bo", f"{ANSWER}\n\nAda wrote:\n> {RENT[:40]}\n> {RENT[40:]}\n", 4, "b@x", "a@x")
    write(folder, "cy", f"So be it.\n\n> {ANSWER}\n>\n>> {RENT}\n", 5, "c@x", "a@x", "b@x")
    return folder


def found(folder: Path, query: str) -> list[tuple[str | None, str]]:
    with Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus:
        hits = corpus.search(query, 10)
    return sorted((hit.passage.source, hit.passage.metadata.get("quoted from", "")) for hit in hits)


def test_what_is_quoted_is_found_in_its_own_mail_alone(folder: Path) -> None:
    assert found(folder, "rent of the boathouse in crowns")[0] == ("ada.eml", "")
    assert not [source for source, quoted in found(folder, "rent 40 crowns month") if quoted]
    (folder / "ada.eml").unlink()
    # Nobody has it but those who quote it.
    assert [each for each in found(folder, "rent 40 crowns month") if each[1]] != []


@pytest.mark.parametrize(
    ("filters", "sources"),
    [
        (SearchFilters(), {"ada.eml"}),
        (SearchFilters(sources=("bo.eml",)), {"bo.eml"}),
        (SearchFilters(since="2026-05-04"), {"bo.eml"}),  # of equal texts, one is found
    ],
)
def test_a_quotation_is_found_where_filters_leave_its_mail_out(
    folder: Path, filters: SearchFilters, sources: set[str]
) -> None:
    with Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus:
        hits = corpus.search("rent crowns month", 10, filters=filters)
    assert {
        hit.passage.source for hit in hits if "40 crowns" in " ".join(hit.passage.text.split())
    } == sources


def test_a_mail_that_only_claims_the_id_hides_nothing(folder: Path) -> None:
    write(folder, "ada", "Nothing of that was ever written by me, and nobody pays anything.\n", 3, "a@x")
    quoted = [each for each in found(folder, "rent 40 crowns month") if each[1] == "a@x"]
    assert {source for source, _ in quoted} <= {"bo.eml", "cy.eml"}
    assert quoted


def test_the_list_of_documents_links_a_conversation(folder: Path) -> None:
    write(folder, "dee", "Another boathouse.\n", 6, "d@x")
    with Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus:
        listed = {each.source: each.thread for each in corpus.summaries()}
    linked = [(mail.source, mail.date, mail.author) for mail in listed["bo.eml"]]
    assert linked == [
        ("ada.eml", "2026-05-03", "ada <ada@example.org>"),
        ("cy.eml", "2026-05-05", "cy <cy@example.org>"),
    ]
    assert listed["dee.eml"] == ()  # of the same subject, which says nothing


def test_a_mailbox_and_files_share_a_conversation(folder: Path) -> None:
    lines = b"From ada@example.org Sun May  3 2026\n"
    (folder / "box.mbox").write_bytes(lines + (folder / "ada.eml").read_bytes() + b"\n")
    (folder / "ada.eml").unlink()
    with Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus:
        (first, _) = next(each.thread for each in corpus.summaries() if each.source == "bo.eml")
    assert (first.source, first.date, first.author) == ("box.mbox", "2026-05-03", "ada <ada@example.org>")
    assert not [source for source, quoted in found(folder, "rent 40 crowns month") if quoted]
