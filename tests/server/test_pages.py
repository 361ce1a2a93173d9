"""Pages of PDFs over REST: for readers of their corpus, or of the upload, from the file as it came, and from
nothing else.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from layouts import Pdf
from own_corpora import add, made, settled
from scans import drawn, saved
from server_app import serving

from probative.corpus.corpus import Corpus
from probative.server.base.options import Limits
from probative.server.state.catalog import Catalog

SENTENCE = "The mast was struck by lightning in 1931."


def harbour() -> bytes:
    pdf = Pdf()
    page = pdf.page()
    page.paragraph(60, 780, ["Harbour notes", "", "It rained all day and nobody went out to the mast."])
    page = pdf.page()
    page.paragraph(60, 700, ["A second page begins here.", SENTENCE])
    return pdf.bytes()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with serving(tmp_path / "data") as opened:
        made(opened, "harbour", notes__pdf=harbour())
        yield opened


def place(client: TestClient) -> str:
    text = client.get("/api/corpora/harbour/document", params={"source": "notes.pdf"}).json()["text"]
    start = text.index(SENTENCE)
    return f"{start},{start + len(SENTENCE)}"


def test_a_page_is_drawn_and_its_sentence_marked(client: TestClient) -> None:
    query = {"source": "notes.pdf", "page": 2}
    reply = client.get("/api/corpora/harbour/page", params={**query, "width": 300})
    assert (reply.status_code, reply.headers["content-type"]) == (200, "image/png")
    assert reply.content.startswith(b"\x89PNG")
    assert int.from_bytes(reply.content[16:20], "big") in (300, 301)
    found = client.get("/api/corpora/harbour/boxes", params={**query, "char": [place(client), "0,7"]}).json()
    assert (found["page"], found["pages"]) == (2, 2)
    ((box,), nothing) = found["boxes"]
    assert 0.08 < box["left"] < 0.12
    assert 0.1 < box["top"] < 0.25
    assert nothing == []


@pytest.mark.slow
def test_a_picture_is_drawn_with_the_words_that_ocr_read(client: TestClient) -> None:
    add(client, "harbour", "fax.png", saved(drawn(["The mast was", "made in Bergen."]), "PNG"))
    settled(client, "harbour")
    query = {"source": "fax.png", "page": 1}
    reply = client.get("/api/corpora/harbour/page", params={**query, "width": 300})
    assert (reply.status_code, reply.content[:4]) == (200, b"\x89PNG")
    text = client.get("/api/corpora/harbour/document", params={"source": "fax.png"}).json()["text"]
    start = text.index("was")
    place = f"{start},{text.index('made') + 4}"
    found = client.get("/api/corpora/harbour/boxes", params={**query, "char": place}).json()
    ((first, second),) = found["boxes"]
    assert first["left"] > second["left"]
    assert first["top"] < second["top"]
    assert found["pages"] == 1


def test_what_is_not_there_is_refused(client: TestClient, tmp_path: Path) -> None:
    add(client, "harbour", "log.txt", b"It rained in Molde all day.")
    made(client, "other", log__txt=b"It rained in Molde all day.")
    settled(client, "harbour")
    (tmp_path / "secret.pdf").write_bytes(harbour())
    for name, source, page, status in (
        ("harbour", "notes.pdf", 3, 404),
        ("harbour", "notes.pdf", 0, 422),
        ("harbour", "log.txt", 1, 404),
        ("harbour", "../../../secret.pdf", 1, 404),
        ("harbour", str(tmp_path / "secret.pdf"), 1, 404),
        ("other", "notes.pdf", 1, 404),
        ("none", "notes.pdf", 1, 404),
    ):
        query = {"source": source, "page": page}
        assert client.get(f"/api/corpora/{name}/page", params=query).status_code == status, source
        found = client.get(f"/api/corpora/{name}/boxes", params={**query, "char": "0,5"})
        assert found.status_code == status
    for char in ("5,2", "a,b", "-1,5"):
        query = {"source": "notes.pdf", "page": 1, "char": char}
        assert client.get("/api/corpora/harbour/boxes", params=query).status_code in (400, 422)


def test_an_uploaded_pdf_shows_its_pages(client: TestClient) -> None:
    added = [
        client.post("/api/uploads", params={"name": "notes.pdf"}, content=data).json()["id"]
        for data in (two_lines("It rained in Molde."), harbour())
    ]
    request = {"question": "What struck the mast?", "uploads": added}
    run = client.post("/api/ask", json=request).headers["Probative-Run"]
    first, second = client.get(f"/api/runs/{run}/sources").json()["sources"]
    assert (first["source"], second["source"], second["id"]) == ("notes.pdf", "notes (2).pdf", added[1])
    assert len(second["structure"]["pages"]) == 2
    folder = f"/api/uploads/{added[1]}"
    picture = client.get(f"{folder}/page", params={"page": 2, "width": 300})
    assert (picture.headers["content-type"], picture.content[:4]) == ("image/png", b"\x89PNG")
    start = second["text"].index(SENTENCE)
    places = [f"{start},{start + len(SENTENCE)}", "0,7"]
    found = client.get(f"{folder}/boxes", params={"page": 2, "char": places}).json()
    ((box,), nothing) = found["boxes"]
    assert (found["pages"], nothing) == (2, [])
    assert 0.1 < box["top"] < 0.25
    original = client.get(f"{folder}/original")
    assert original.content == harbour()
    assert original.headers["content-type"] == "application/octet-stream"
    assert original.headers["content-disposition"] == 'attachment; filename="notes.pdf"'
    assert client.get(f"{folder}/page", params={"page": 3}).status_code == 404


def test_the_pages_of_an_upload_are_for_those_who_know_it(client: TestClient, tmp_path: Path) -> None:
    added, text = (
        client.post("/api/uploads", params={"name": name}, content=data).json()["id"]
        for name, data in (("notes.pdf", harbour()), ("log.txt", b"It rained in Molde all day."))
    )
    stolen = tmp_path / "data" / "uploads" / f"{added}.original"
    assert stolen.read_bytes() == harbour()
    for identity in (
        text,
        "a" * len(added),
        f"{added}.original",
        f"..%2Fuploads%2F{added}",
        added.swapcase(),
    ):
        for part in ("page", "boxes", "original"):
            query = {"page": 1, "char": "0,5", "source": "notes.pdf"}
            reply = client.get(f"/api/uploads/{identity}/{part}", params=query)
            assert reply.status_code in (404, 422), (identity, part)
    # Of another server, and of nobody after it was deleted.
    with serving(tmp_path / "other") as other:
        assert other.get(f"/api/uploads/{added}/original").status_code == 404
    assert client.delete(f"/api/uploads/{added}").status_code == 204
    assert client.get(f"/api/uploads/{added}/original").status_code == 404
    assert not stolen.exists()


def two_lines(line: str) -> bytes:
    pdf = Pdf()
    pdf.page().paragraph(60, 780, [line, "Nobody went out."])
    return pdf.bytes()


def test_a_deleted_corpus_shows_no_page(client: TestClient) -> None:
    client.delete("/api/corpora/harbour")
    reply = client.get("/api/corpora/harbour/page", params={"source": "notes.pdf", "page": 1})
    assert reply.status_code == 404


def test_a_file_that_was_damaged_since_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "notes.pdf").write_bytes(harbour())
    catalog = Catalog({"mill": Corpus.open(folder, vectors=False)})
    with serving(tmp_path / "data", catalog=catalog) as client:
        query = {"source": "notes.pdf", "page": 1}
        assert client.get("/api/corpora/mill/page", params=query).status_code == 200
        (folder / "notes.pdf").write_bytes(b"no PDF any more")
        damaged = client.get("/api/corpora/mill/page", params=query)
        assert (damaged.status_code, "cannot be drawn" in damaged.text) == (400, True)
        (folder / "notes.pdf").unlink()
        assert client.get("/api/corpora/mill/page", params=query).status_code == 404


def picture_bomb(side: int) -> bytes:
    """Return a PDF with a page of one picture: hundreds of kilobytes that unpack to `side`² bytes."""
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(bytes(side)) for _ in range(side)) + packer.flush()
    drawing = b"q 500 0 0 500 50 150 cm /Im Do Q BT /F 12 Tf 50 100 Td (It rained in Molde.) Tj ET"
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
        b"/Resources<</XObject<</Im 5 0 R>>/Font<</F 6 0 R>>>>>>",
        b"<</Length %d>>stream\n%b\nendstream" % (len(drawing), drawing),
        b"<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8"
        b"/Filter/FlateDecode/Length %d>>stream\n%b\nendstream" % (side, side, len(data), data),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    file, places = b"%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    return (
        file
        + head
        + table
        + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (
            len(parts) + 1,
            len(file),
        )
    )


@pytest.mark.slow
def test_a_picture_that_unpacks_to_more_than_the_memory_harms_nothing_else(tmp_path: Path) -> None:
    limits = Limits(read_memory_bytes=700_000_000, read_seconds=20)
    with serving(tmp_path / "data", limits=limits) as client:
        made(client, "harbour", notes__pdf=harbour(), bomb__pdf=picture_bomb(24_000))
        query = {"page": 1, "width": 2_400}
        bomb = client.get("/api/corpora/harbour/page", params={**query, "source": "bomb.pdf"})
        assert bomb.status_code in (200, 400), bomb.text
        notes = client.get("/api/corpora/harbour/page", params={**query, "source": "notes.pdf"})
        assert notes.status_code == 200


def test_pages_need_the_token(tmp_path: Path) -> None:
    with serving(tmp_path / "data", token="a-token-of-this-test") as client:
        for part in ("page", "boxes", "original"):
            query = {"source": "notes.pdf", "page": 1, "char": "0,1"}
            for address in (f"/api/corpora/harbour/{part}", f"/api/uploads/abcdefgh/{part}"):
                assert client.get(address, params=query).status_code == 401
