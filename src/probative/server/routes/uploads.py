"""`/api/uploads`: files that a user drops on the page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path as FilePath
from typing import Annotated, TypeVar

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import FileResponse

from probative.corpus.reading.process import Cancellation
from probative.errors import InputError
from probative.server.base.errors import ClientGoneError, ErrorBody, documented
from probative.server.routes.replies import client_gone
from probative.server.state.export import DOWNLOAD_POLICY
from probative.server.state.server_state import State
from probative.server.state.uploads import ArrivingFile, Upload, Uploads

Result = TypeVar("Result")
UploadId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="the id of an upload")]
# A body goes to the disk and holds no place meanwhile; one that nearly stops is given up.
_FIRST_SECONDS = 10.0
_BYTES_PER_SECOND = 50_000
FILE_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""A body that is a file, as OpenAPI describes it."""

router = APIRouter(
    prefix="/api/uploads",
    tags=["uploads"],
    responses=documented(ErrorBody, 400, 401, 403, 404, 413, 415, 422, 503),
)


@router.post("", operation_id="upload", status_code=201, openapi_extra=FILE_BODY)
async def upload(
    request: Request, server: State, name: Annotated[str, Query(min_length=1, max_length=500)]
) -> Upload:
    """Take a file as the body of the request, read its text and keep that for some hours."""
    with server.uploads.arriving() as arriving:
        await receive(request, server.uploads, arriving)
        if not arriving.size:
            raise InputError("the file is empty")
        return await in_turn(request, server.uploads, partial(server.uploads.add_file, name, arriving))


@router.get("/{identity}", operation_id="get_upload")
def get_upload(server: State, identity: UploadId) -> Upload:
    """Return an upload with its text."""
    return server.uploads.get(identity)


@router.delete("/{identity}", operation_id="delete_upload", status_code=204)
def delete_upload(server: State, identity: UploadId) -> None:
    """Delete an upload."""
    server.uploads.delete(identity)


def as_it_came(file: FilePath, name: str) -> FileResponse:
    """Reply with a file that is only saved, never shown."""
    return FileResponse(
        file,
        media_type="application/octet-stream",
        filename=name.rpartition("/")[2],
        headers={"Content-Security-Policy": DOWNLOAD_POLICY},
    )


async def receive(request: Request, uploads: Uploads, arriving: ArrivingFile) -> None:
    """Write the body of a request to the disk; raises `InputError` if it comes too slowly."""
    start = asyncio.get_running_loop().time() + _FIRST_SECONDS
    chunks = request.stream()
    with suppress(StopAsyncIteration):
        while True:
            try:
                async with asyncio.timeout_at(start + arriving.size / _BYTES_PER_SECOND):
                    chunk = await anext(chunks)
            except TimeoutError:
                raise InputError(
                    f"the file arrived at less than {_BYTES_PER_SECOND:,} bytes a second",
                    hint="send it again over a better connection, or split it",
                ) from None
            await asyncio.to_thread(uploads.receive, arriving, chunk)


async def in_turn(request: Request, uploads: Uploads, work: Callable[[Cancellation], Result]) -> Result:
    """Return what `work` reads in another process, when it is its turn; end it if the client goes away."""
    working = asyncio.ensure_future(_when_free(uploads, work))
    gone = asyncio.ensure_future(client_gone(request))
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientGoneError("the client that waits for a file is gone")
    finally:
        gone.cancel()
        if working.cancel():
            await asyncio.wait((working,))


async def _when_free(uploads: Uploads, work: Callable[[Cancellation], Result]) -> Result:
    """Do `work` in a thread. If this is cancelled, the process that reads for it is killed."""
    async with uploads.turns:
        cancellation = Cancellation()
        thread = asyncio.ensure_future(asyncio.to_thread(work, cancellation))
        try:
            return await asyncio.shield(thread)
        except asyncio.CancelledError:
            cancellation.cancel(ClientGoneError("nobody waits for the file"))
            # Its place is free when its file is gone; the thread ends as soon as the process is dead.
            await asyncio.wait((thread,))
            thread.exception()  # that nobody waits for it
            raise
