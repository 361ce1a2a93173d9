"""What a corpus has: figures, dates and the first documents, without a model."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import httpx
import pytest
from openai_server import MODEL, answering_session, asked, listening
from server_app import serving
from small_corpus import write

from probative.corpus.corpus import Corpus
from probative.server.state.catalog import Catalog
from probative.server.state.contents import LISTED, QUESTIONS, asks_for_contents, contents_of

get, post = partial(httpx.get, timeout=120), partial(httpx.post, timeout=120)


def test_figures_dates_and_documents(tmp_path: Path) -> None:
    with Corpus.open(write(tmp_path / "harbour"), vectors=False) as corpus:
        contents = contents_of("harbour", corpus)
        passages = len(corpus)
    assert (contents.documents, contents.passages, contents.undated) == (4, passages, 2)
    assert (contents.earliest, contents.latest) == ("2024-05-02", "2024-06-06")
    assert contents.languages == {"en": 3, "de": 1}
    listed = [(document.source, document.date) for document in contents.listed]
    assert listed == [
        ("brief.txt", None),
        ("log.txt", None),
        ("minutes/june.md", "2024-06-06"),
        ("minutes/may.md", "2024-05-02"),
    ]
    assert contents.figures == (
        f"4 documents with {passages} passages (English 3, German 1), from 2024-05-02 to 2024-06-06; "
        "2 without a date."
    )


def test_a_long_list_is_cut_and_files_that_could_not_be_read_are_counted(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "piers", {f"{number:03}.txt": f"Pier {number}." for number in range(LISTED + 5)}
    )
    (folder / "scan.png").write_bytes(b"GIF89a" + bytes(100))
    with Corpus.open(folder, vectors=False) as corpus:
        contents = contents_of("piers", corpus)
    assert (contents.documents, len(contents.listed), contents.unread) == (LISTED + 5, LISTED, 1)
    assert contents.figures.endswith(". 1 file could not be read.")
    assert (contents.earliest, contents.latest) == (None, None)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        *((question, True) for question in QUESTIONS),
        ("what is   in here", True),
        ("What is in here about the Heron?", False),
        ("What documents are there about fares?", False),
        ("", False),
    ],
)
def test_only_the_exact_questions_ask_for_the_contents(text: str, asks: bool) -> None:
    assert asks_for_contents(text) is asks


def test_the_route_gives_them_and_the_page_is_told_which_questions_do(tmp_path: Path) -> None:
    catalog = Catalog({"harbour": Corpus.open(write(tmp_path / "harbour"), vectors=False)})
    with serving(tmp_path / "data", catalog=catalog) as client:
        contents = client.get("/api/corpora/harbour/contents").json()
        info = client.get("/api/info").json()
        assert client.get("/api/corpora/none/contents").status_code == 404
    assert (contents["documents"], contents["listed"][0]) == (4, {"source": "brief.txt", "date": None})
    assert info["contents_questions"] == list(QUESTIONS)


@pytest.mark.parametrize("question", ["What can you do?", "What is in here?"])
def test_a_model_of_the_chat_lists_its_documents_without_a_run(tmp_path: Path, question: str) -> None:
    session = answering_session()
    before = [*asked("Where was the Heron built?"), {"role": "assistant", "content": "Molde"}]
    with listening(tmp_path, session=session) as url:
        said = {"model": MODEL, "messages": [*before, *asked(question)]}
        reply = post(f"{url}/v1/chat/completions", json=said).json()
        assert get(f"{url}/api/runs").json()["runs"] == []
    text = reply["choices"][0]["message"]["content"]
    assert text.startswith("Only questions about the documents of “ferries” are answered here. ")
    assert text.endswith("\n\n2 documents with 2 passages.\n\n- ferries.md\n- news.md")
    assert (reply["probative"]["refusal"], session.seen) == (None, [])
