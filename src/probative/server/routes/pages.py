"""`page` and `boxes` below `/api/corpora/NAME` and `/api/uploads/ID`: pages of a PDF as they look, and where
sentences stand on them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, Response

from probative.corpus.documents.document import Document
from probative.corpus.readers.pdf_page import MAX_WIDTH, Box, DrawnPage, Quote, letters_of
from probative.corpus.reading.messages import PageTask, ReadTask
from probative.corpus.reading.process import Cancellation
from probative.errors import InputError
from probative.server.base.errors import ErrorBody, NotThereError, documented
from probative.server.routes.catalogue import PartName
from probative.server.routes.corpora import Source
from probative.server.routes.uploads import UploadId, as_it_came, in_turn
from probative.server.state.server_state import ServerState, State
from probative.types import Value

Number = Annotated[int, Query(alias="page", ge=1, le=20_000, description="the number of the page, from 1")]
Places = Annotated[
    list[Annotated[str, Query(pattern=r"^\d{1,9},\d{1,9}$")]],
    Query(alias="char", min_length=1, max_length=40, description="START,END of a citation; may be repeated"),
]
Width = Annotated[int, Query(ge=50, le=MAX_WIDTH, description="pixels")]
# A sentence is shorter; more would take long to find.
_MAX_QUOTE = 4_000

router = APIRouter(responses=documented(ErrorBody, 400, 401, 403, 404, 413, 422, 503))
Find = Callable[[], tuple[Document, Path]]
"""Finds a document and its file; raises `NotThereError`."""


class PageBoxes(Value):
    """A page of a PDF, of how many, and its size in points. `boxes` has those of each place, in the order
    of the request, one for each line; none if the place is not on the page or was not found.
    """

    page: int
    pages: int
    width: float
    height: float
    boxes: tuple[tuple[Box, ...], ...]


_PNG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get(
    "/api/corpora/{name}/page",
    operation_id="get_page",
    tags=["corpora"],
    response_class=Response,
    responses=_PNG,
)
async def get_page(
    request: Request, server: State, name: PartName, source: Source, number: Number, width: Width = 1_000
) -> Response:
    """Return a page of a PDF as PNG, drawn from its file."""
    return await _picture(request, server, lambda: _in_corpus(server, name, source), number, width)


@router.get("/api/corpora/{name}/boxes", operation_id="get_boxes", tags=["corpora"])
async def get_boxes(
    request: Request, server: State, name: PartName, source: Source, number: Number, places: Places
) -> PageBoxes:
    """Return where cited characters of a document stand on a page of its PDF."""
    return await _boxes(request, server, lambda: _in_corpus(server, name, source), number, places)


@router.get(
    "/api/uploads/{identity}/page",
    operation_id="get_upload_page",
    tags=["uploads"],
    response_class=Response,
    responses=_PNG,
)
async def get_upload_page(
    request: Request, server: State, identity: UploadId, number: Number, width: Width = 1_000
) -> Response:
    """Return a page of an uploaded PDF as PNG."""
    return await _picture(request, server, lambda: server.uploads.original(identity), number, width)


@router.get("/api/uploads/{identity}/boxes", operation_id="get_upload_boxes", tags=["uploads"])
async def get_upload_boxes(
    request: Request, server: State, identity: UploadId, number: Number, places: Places
) -> PageBoxes:
    """Return where characters of an upload stand on a page of its PDF."""
    return await _boxes(request, server, lambda: server.uploads.original(identity), number, places)


@router.get(
    "/api/uploads/{identity}/original",
    operation_id="get_upload_original",
    tags=["uploads"],
    response_class=Response,
)
def get_upload_original(server: State, identity: UploadId) -> FileResponse:
    """Download an uploaded file that has pages as it came."""
    document, file = server.uploads.original(identity)
    return as_it_came(file, document.source)


def _in_corpus(server: ServerState, name: str, source: str) -> tuple[Document, Path]:
    try:
        document = server.catalog.corpus(name).document(source)
    except InputError:
        raise NotThereError(f"there is no document {source[:200]!r} in the corpus {name!r}") from None
    return document, server.library.original(name, document.source)


async def _picture(request: Request, server: ServerState, find: Find, number: int, width: int) -> Response:
    _, picture = await _draw(request, server, find, number, (), width)
    return Response(picture, media_type="image/png")


async def _boxes(
    request: Request, server: ServerState, find: Find, number: int, places: list[str]
) -> PageBoxes:
    page, _ = await _draw(request, server, find, number, tuple(map(_span, places)), 0)
    return PageBoxes(page=number, pages=page.pages, width=page.width, height=page.height, boxes=page.boxes)


def _span(place: str) -> tuple[int, int]:
    start, end = map(int, place.split(","))
    if start > end:
        raise InputError(f"the place {place} ends before it starts")
    return start, end


async def _draw(
    request: Request,
    server: ServerState,
    find: Find,
    number: int,
    spans: tuple[tuple[int, int], ...],
    width: int,
) -> tuple[DrawnPage, bytes]:
    """Draw a page in a reading process; raises `NotThereError` or `UnreadableError`."""

    def work(cancellation: Cancellation) -> tuple[DrawnPage, bytes]:
        document, file = find()
        if number > len(document.pages):
            pages = len(document.pages)
            raise NotThereError(f"{document.source[:200]} has {f'{pages:,} pages' if pages else 'no pages'}")
        limits = server.options.limits
        try:
            size = file.stat().st_size
        except OSError:  # deleted meanwhile
            raise NotThereError(
                f"the file of {document.source[:200]} is not kept", hint="its text is"
            ) from None
        task = ReadTask(
            path=str(file.absolute()),
            source=document.source,
            max_bytes=max(limits.upload_bytes, size),
            seconds=limits.read_seconds,
            memory_bytes=limits.read_memory_bytes,
            page=PageTask(number=number, quotes=quotes_on(document, number, spans), width=width),
        )
        reply, picture = server.uploads.read(task, cancellation)
        assert reply.drawn is not None, "a page was asked for"
        drawn = reply.drawn.model_copy(update={"pages": len(document.pages)})
        return drawn.model_copy(update={"boxes": boxes_on(document, number, spans, drawn.boxes)}), picture

    return await in_turn(request, server.uploads, work)


def boxes_on(
    document: Document,
    number: int,
    spans: tuple[tuple[int, int], ...],
    found: tuple[tuple[Box, ...], ...] = (),
) -> tuple[tuple[Box, ...], ...]:
    """Return the boxes of spans of characters on a page: those of words whose places the document knows (in
    tables, or read by OCR), otherwise those that were `found` by their letters.
    """
    known = word_boxes_on(document, number, spans)
    return tuple(words or letters for words, letters in zip_longest(known, found, fillvalue=()))


def word_boxes_on(
    document: Document, number: int, spans: tuple[tuple[int, int], ...]
) -> tuple[tuple[Box, ...], ...]:
    """Return where spans of characters stand on a page by the places of words: a box for each line.

    >>> words = ((0, 2, 0.1, 0.1, 0.2, 0.15), (3, 9, 0.25, 0.1, 0.4, 0.15), (10, 13, 0.1, 0.2, 0.2, 0.25))
    >>> scan = Document(source="a.png", text="It rained all", pages=(0,), words=words)
    >>> [(box.left, round(box.width, 2)) for box in word_boxes_on(scan, 1, ((0, 13),))[0]]
    [(0.1, 0.3), (0.1, 0.1)]
    """
    first = document.pages[number - 1]
    last = document.pages[number] if number < len(document.pages) else len(document.text)
    boxes = []
    for start, end in spans:
        begin, stop = max(start, first), min(end, last)
        lines: list[tuple[float, float, float, float]] = []
        for word in document.words:
            if word.end <= begin or word.start >= stop:
                continue
            left, top, right, bottom = lines[-1] if lines else (0.0, 0.0, 0.0, 0.0)
            if lines and word.left > left and top < (word.top + word.bottom) / 2 < bottom:
                right, top, bottom = max(right, word.right), min(top, word.top), max(bottom, word.bottom)
                lines[-1] = (left, top, right, bottom)
            else:
                lines.append((word.left, word.top, word.right, word.bottom))
        boxes.append(
            tuple(Box(left=x, top=y, width=right - x, height=low - y) for x, y, right, low in lines[:200])
        )
    return tuple(boxes)


def quotes_on(document: Document, number: int, spans: tuple[tuple[int, int], ...]) -> tuple[Quote, ...]:
    """Return what spans of characters have on a page; how often the same words stand there before tells them
    apart.
    """
    first = document.pages[number - 1]
    last = document.pages[number] if number < len(document.pages) else len(document.text)
    quotes = []
    for start, end in spans:
        begin, stop = max(start, first), min(end, last, start + _MAX_QUOTE)
        text = document.text[begin:stop] if begin < stop else ""
        letters = letters_of(text)
        before = letters_of(document.text[first:begin]).count(letters) if letters else 0
        quotes.append(Quote(text=text, before=before))
    return tuple(quotes)
