"""The documents of registered corpora as resources of the MCP server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from mcp_world import World, refusal, world

from probative.corpus.documents.document import Citation
from probative.server.mcp import resources
from probative.server.mcp.resources import document_uri, parse_uri

TEXTS = {f"notes/{number:02}.txt": f"Note {number}.\n" for number in range(7)}
ODD = {"a b & c#1.txt": "One.\n", "grüße?.txt": "Two.\n", "100%25.txt": "Three.\n"}


@pytest.fixture
def made(tmp_path: Path) -> Any:
    with world(tmp_path / "documents", texts={**TEXTS, **ODD}) as opened:
        yield opened


async def every_page(made: World) -> list[Any]:
    pages = []
    async with Client(made.server()) as client:
        cursor = None
        while not pages or cursor is not None:
            page = await client.list_resources(cursor=cursor)
            pages.append(page.resources)
            cursor = page.next_cursor
    return pages


def read(made: World, uri: str) -> str:
    async def main() -> str:
        async with Client(made.server()) as client:
            (contents,) = (await client.read_resource(uri)).contents
            assert contents.uri == uri
            return str(contents.text)

    return anyio.run(main)


@pytest.mark.parametrize(("size", "pages"), [(3, 4), (5, 2), (100, 1)])
def test_documents_are_listed_page_by_page(
    made: World, monkeypatch: pytest.MonkeyPatch, size: int, pages: int
) -> None:
    monkeypatch.setattr(resources, "PAGE", size)
    listed = anyio.run(every_page, made)
    assert [len(page) for page in listed[:-1]] == [size] * (pages - 1)
    names = [resource.name for page in listed for resource in page]
    assert names == sorted([*TEXTS, *ODD])


def test_each_listed_address_is_the_address_of_its_text(made: World) -> None:
    for resource in anyio.run(every_page, made)[0]:
        text = {**TEXTS, **ODD}[resource.name]
        assert read(made, resource.uri) == text
        assert resource.size == len(text)


def test_the_sheet_of_a_citation_keeps_its_name() -> None:
    fragment = parse_uri("probative://harbour/a.xlsx#sheet=Ropes%20%26%20tar&cells=A2%3AB3&char=3%2C9")[2]
    citation = Citation.parse(f"a.xlsx#{fragment}")
    assert (citation.words, citation.start, citation.end) == ("sheet Ropes & tar, A2:B3", 3, 9)


def test_a_citation_is_the_cited_text(made: World) -> None:
    assert read(made, "probative://harbour/notes/03.txt#char=5,7") == "3."


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("probative://harbour/../../etc/passwd", "no document"),
        ("probative://harbour/%2e%2e/%2e%2e/etc/passwd", "no document"),
        ("probative://harbour//etc/passwd", "no document"),
        ("probative://harbour/notes", "no document"),
        ("probative://other/notes/03.txt", "no corpus"),
        ("file:///etc/passwd", "names no document"),
        ("probative://harbour", "names no document"),
        ("probative://harbour/notes/03.txt#char=0,999", "the citation ends at 999"),
        ("probative://harbour/notes/03.txt#line=1", "not a citation"),
    ],
)
def test_only_registered_documents_are_read(made: World, tmp_path: Path, uri: str, says: str) -> None:
    error = refusal(made.server(), lambda client: client.read_resource(uri))
    assert says in error.message
    assert error.data["type"] in ("InputError", "NotThereError")
    assert str(tmp_path) not in str(error.error)


@pytest.mark.parametrize("cursor", ["?", "e30=", "WyJvdGhlciIsIDBd", "WyJoYXJib3VyIiwgLTFd"])
def test_a_foreign_cursor_is_refused(made: World, cursor: str) -> None:
    error = refusal(made.server(), lambda client: client.list_resources(cursor=cursor))
    assert "not one of this server" in error.message


def test_the_template_has_the_form_of_the_addresses(made: World) -> None:
    async def main() -> Any:
        async with Client(made.server()) as client:
            return (await client.list_resource_templates()).resource_templates

    (template,) = anyio.run(main)
    from mcp import UriTemplate

    matched = UriTemplate.parse(template.uri_template).match("probative://harbour/notes/03.txt")
    assert matched == {"corpus": "harbour", "source": "notes/03.txt"}


@given(st.text(min_size=1), st.text(st.characters(exclude_characters="\x00"), min_size=1))
def test_an_address_names_its_document(corpus: str, source: str) -> None:
    if not any("\ud800" <= character <= "\udfff" for character in corpus + source):
        assert parse_uri(document_uri(corpus, source)) == (corpus, source, "")
