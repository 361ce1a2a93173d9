"""`/api/uploads`: files that a user drops on the page."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request

from probative.errors import InputError
from probative.server.routes.replies import ERRORS
from probative.server.uploads import Upload
from probative.server.workbench import Workbench

UploadId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="the id of an upload")]
# A body is held in memory until it is read. A slow client may hold its place for _RECEIVE_SECONDS at most.
_RECEIVED_AT_ONCE = 4
_RECEIVE_SECONDS = 120.0
# Reading a large PDF takes a core for seconds.
_READ_AT_ONCE = 2


def upload_routes(bench: Workbench) -> APIRouter:
    """Return the routes of uploads."""
    shown: dict[int | str, dict[str, Any]] = {
        status: ERRORS[status] for status in (400, 401, 403, 404, 413, 415, 422, 503)
    }
    router = APIRouter(prefix="/api/uploads", tags=["uploads"], responses=shown)
    receiving = asyncio.Semaphore(_RECEIVED_AT_ONCE)
    reading = asyncio.Semaphore(_READ_AT_ONCE)

    @router.post(
        "",
        operation_id="upload",
        status_code=201,
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
            }
        },
    )
    async def upload(request: Request, name: Annotated[str, Query(min_length=1, max_length=500)]) -> Upload:
        """Take a file as the body of the request, read its text and keep that for some hours."""
        async with receiving:
            try:
                async with asyncio.timeout(_RECEIVE_SECONDS):
                    data = await request.body()
            except TimeoutError:
                raise InputError(f"the file took longer than {_RECEIVE_SECONDS:g} s to arrive") from None
            if not data:
                raise InputError("the file is empty")
            async with reading:
                return await asyncio.to_thread(bench.uploads.add, name, data)

    @router.get("/{identity}", operation_id="get_upload")
    def get_upload(identity: UploadId) -> Upload:
        """Return an upload with its text."""
        return bench.uploads.get(identity)

    @router.delete("/{identity}", operation_id="delete_upload", status_code=204)
    def delete_upload(identity: UploadId) -> None:
        """Delete an upload."""
        bench.uploads.delete(identity)

    return router
