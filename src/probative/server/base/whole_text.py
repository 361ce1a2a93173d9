"""Refuse texts that are half of a character, wherever a request has them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from probative.server.base.validation_messages import printable

Path = tuple[int | str, ...]

# In JSON without escaped backslashes: a first half that no second half follows, or a second half alone.
_LONE_SURROGATE = re.compile(
    rb"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]", re.DOTALL
)


class WholeTextRoute(APIRoute):
    """A route that refuses half of a surrogate pair anywhere in its body, since no reply could hold it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of the route, with the check before it."""
        handler = super().get_route_handler()

        async def checked(request: Request) -> Response:
            path = _path_of_half(await request.body()) if request.method == "POST" else None
            if path is not None:
                raise RequestValidationError([{"type": "string_unicode", "loc": path}])
            return await handler(request)

        return checked


def _path_of_half(body: bytes) -> Path | None:
    """Return where a body has half of a surrogate pair."""
    if not _LONE_SURROGATE.search(body.replace(rb"\\", b"")):
        return None
    try:
        return _path_of_surrogate(json.loads(body), ("body",))
    except (ValueError, RecursionError):  # no JSON: the handler says so
        return None


def _path_of_surrogate(value: Any, path: Path) -> Path | None:
    """Return where a JSON value has half of a surrogate pair: the path of the text, or that of the object
    whose field has such a name.
    """
    if isinstance(value, str):
        return path if printable(value) != value else None
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        if isinstance(key, str) and printable(key) != key:
            return path
        if (inside := _path_of_surrogate(each, (*path, key))) is not None:
            return inside
    return None
