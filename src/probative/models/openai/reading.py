"""Read the body of an HTTP reply without letting it fill the memory.

A gzip reply of 400 KB can unpack to 400 MB, so the client unpacks the body itself, in small pieces, and
stops at a limit.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from probative.errors import ReplyError

if TYPE_CHECKING:
    import aiohttp

ACCEPTED = "gzip, deflate"
_PIECE = 1 << 16


class TooLongError(ReplyError):
    """The reply is longer than the limit."""


async def read_body(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """Return the unpacked body; raises `TooLongError` as soon as it exceeds `limit` bytes."""
    unpack = _Unpacker(response.headers.get("Content-Encoding", ""))
    parts: list[bytes] = []
    size = 0
    async for chunk in response.content.iter_any():
        for piece in unpack(chunk):
            size += len(piece)
            if size > limit:
                raise TooLongError(
                    f"the reply is longer than {limit:,} bytes",
                    hint="the server does not behave like an OpenAI-compatible one: check base_url",
                    final=True,
                )
            parts.append(piece)
    return b"".join(parts)


async def read_start(response: aiohttp.ClientResponse, size: int = _PIECE) -> bytes:
    """Return at most the first `size` bytes of the body, for an error message."""
    unpack = _Unpacker(response.headers.get("Content-Encoding", ""))
    start = b""
    async for chunk in response.content.iter_any():
        for piece in unpack(chunk):
            start += piece
            if len(start) >= size:
                return start[:size]
    return start


class _Unpacker:
    """Unpacks the chunks of a body into pieces of limited size."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding.strip().lower()
        self._inflate: Any = None
        if self._encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise ReplyError(
                f"the reply has the unknown content encoding {self._encoding[:40]!r}", final=True
            )

    def __call__(self, chunk: bytes) -> Iterator[bytes]:
        if self._encoding in ("", "identity"):
            yield chunk
            return
        if self._inflate is None:
            # 47: gzip or zlib, by the header. Some servers send deflate without a header.
            headless = self._encoding == "deflate" and chunk[0] & 0x0F != 8
            self._inflate = zlib.decompressobj(-zlib.MAX_WBITS if headless else 47)
        try:
            while chunk:
                yield self._inflate.decompress(chunk, _PIECE)
                chunk = self._inflate.unconsumed_tail
        except zlib.error as error:
            raise ReplyError(f"the reply cannot be unpacked: {error}") from error
