"""`/api/corpora`: the corpora that users make here, their files, and the dates of their documents."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import FileResponse, Response

from probative.errors import InputError
from probative.server.base.errors import ErrorBody, documented
from probative.server.base.whole_text import WholeTextRoute
from probative.server.routes.catalogue import PartName
from probative.server.routes.uploads import FILE_BODY, as_it_came, receive
from probative.server.state.library import CorpusInfo, checked_source
from probative.server.state.server_state import State
from probative.types import Value

Source = Annotated[str, Query(min_length=1, max_length=2_000, description="the name of a file")]

router = APIRouter(
    prefix="/api/corpora",
    tags=["corpora"],
    route_class=WholeTextRoute,
    responses=documented(ErrorBody, 400, 401, 403, 404, 409, 422),
)
files = APIRouter(
    prefix="/api/corpora",
    tags=["corpora"],
    responses=documented(ErrorBody, 400, 401, 403, 404, 409, 413, 415, 422, 503),
)


class CorpusList(Value):
    """The corpora: those that the server was given, then those made here, also what was deleted today.

    `bytes` are those of the corpora made here, with their indexes; `limit` is how many there may be.
    """

    corpora: tuple[CorpusInfo, ...]
    bytes: int
    limit: int


class CorpusName(Value):
    """The name of a corpus: letters, digits, '-', '_' and '.'."""

    name: Annotated[str, Field(min_length=1, max_length=64)]


class DocumentDate(Value):
    """The date of a document (YYYY, YYYY-MM or YYYY-MM-DD), or null for the one that it has itself."""

    date: Annotated[str, Field(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")] | None


@router.get("", operation_id="list_corpora")
def list_corpora(server: State) -> CorpusList:
    """Return the corpora with their sizes, and what could not be read."""
    library = server.library
    return CorpusList(
        corpora=tuple(library.list()), bytes=library.stored_bytes(), limit=server.options.limits.corpora_bytes
    )


@router.post("", operation_id="create_corpus", status_code=201)
def create_corpus(server: State, body: CorpusName) -> CorpusInfo:
    """Make an empty corpus."""
    return server.library.create(body.name)


@router.get("/{name}", operation_id="get_corpus")
def get_corpus(server: State, name: PartName) -> CorpusInfo:
    """Return a corpus, with how far its indexing is."""
    return server.library.get(name)


@router.patch("/{name}", operation_id="rename_corpus")
def rename_corpus(server: State, name: PartName, body: CorpusName) -> CorpusInfo:
    """Give a corpus another name; runs that name it by the old one still find it."""
    return server.library.rename(name, body.name)


@router.delete("/{name}", operation_id="delete_corpus", status_code=204)
def delete_corpus(server: State, name: PartName) -> None:
    """Delete a corpus with its files, marks and threads; for a day, `restore` brings them back."""
    server.delete_corpus(name)


@router.post("/{identity}/restore", operation_id="restore_corpus")
def restore_corpus(
    server: State,
    identity: Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", description="the id of a deleted corpus")],
) -> CorpusInfo:
    """Take back that a corpus was deleted."""
    return server.restore_corpus(identity)


@files.post("/{name}/documents", operation_id="add_document", status_code=202, openapi_extra=FILE_BODY)
async def add_document(request: Request, server: State, name: PartName, source: Source) -> CorpusInfo:
    """Take a file as the body of the request into a corpus; it is read in the background.

    `source` is its path below the corpus. A file that the corpus has by this name is replaced.
    """
    checked_source(source)
    with server.uploads.arriving() as arriving:
        await receive(request, server.uploads, arriving)
        if not arriving.size:
            raise InputError("the file is empty")
        return await asyncio.to_thread(server.library.add, name, source, arriving)


@router.delete("/{name}/documents", operation_id="remove_document", status_code=202)
def remove_document(server: State, name: PartName, source: Source) -> CorpusInfo:
    """Remove a file from a corpus for good."""
    return server.library.remove(name, source)


@router.post("/{name}/reread", operation_id="read_again", status_code=202)
def read_again(
    server: State,
    name: PartName,
    source: Annotated[str | None, Query(min_length=1, max_length=2_000, description="one file alone")] = None,
) -> CorpusInfo:
    """Read the files of a corpus again, or one of them, though they have not changed."""
    return server.library.read_again(name, source)


@router.put("/{name}/date", operation_id="set_date", status_code=202)
def set_date(server: State, name: PartName, source: Source, body: DocumentDate) -> CorpusInfo:
    """Set the date of a document; null takes that back."""
    return server.library.set_date(name, source, body.date)


@router.get("/{name}/original", operation_id="get_original", response_class=Response)
def get_original(server: State, name: PartName, source: Source) -> FileResponse:
    """Download the file of a document as it came."""
    return as_it_came(server.library.original(name, source), source)
