"""Who may call: known hosts, the same origin, the token; how much they may send; and what browsers allow.

Plain ASGI, so that streams and disconnected clients pass through unchanged.
"""

from __future__ import annotations

import hmac
import json
import logging
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from probative.errors import ProbativeError
from probative.server.base.errors import (
    RefusedError,
    TooLargeError,
    UnexpectedError,
    WrongTypeError,
    body_of,
    status_of,
)
from probative.server.base.openai_errors import error_body, is_openai_path, message_of
from probative.server.base.options import LOOPBACK, ServerOptions, is_loopback

log = logging.getLogger("probative.server")

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"content-security-policy", PAGE_POLICY.encode()),
    (b"cache-control", b"no-store"),
)
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# What a form can send without asking the browser for permission.
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
_TAKES_FILES = re.compile(r"/api/uploads|/api/corpora/[^/]+/documents")
# The page itself holds no data; a monitor needs no token.
_OPEN_PATHS = ("/", "/healthz", "/favicon.ico")
_OPEN_FOLDERS = ("/static/",)


class Guard:
    """The outermost layer of the server: refuses requests before anything reads them."""

    def __init__(self, app: App, options: ServerOptions) -> None:
        self._app = app
        self._limits = options.limits
        self._token = None if options.token is None else options.token.get_secret_value().encode()
        self._hosts = _known_hosts(options)
        self._any_host = not is_loopback(options.host) and not options.allowed_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request and pass it on; reply with an error otherwise."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        guarded = _Guarded(send)
        try:
            headers = _headers(scope)
            self._check_host(headers)
            self._check_origin(scope, headers)
            self._check_token(scope, headers)
            _check_type(scope, headers)
            bounded = _Bounded(receive, self._limit(scope["path"]), headers)
        except ProbativeError as error:
            await _reply(guarded, error, scope["path"])
            return
        try:
            await self._app(scope, bounded, guarded)
        except _BodyTooLargeError:
            await _reply(guarded, bounded.error, scope["path"])
        except ClientDisconnect:
            return
        except Exception:
            # Starlette's own reply to a fault is outside of this layer and would lack the headers.
            log.exception("%s %s failed", scope["method"], scope["path"])
            if guarded.started:
                raise
            await _reply(
                guarded,
                UnexpectedError("the request failed for a reason of ours", hint="see the log of the server"),
                scope["path"],
            )

    def _limit(self, path: str) -> int:
        return self._limits.upload_bytes if _TAKES_FILES.fullmatch(path) else self._limits.body_bytes

    def _check_host(self, headers: dict[str, str]) -> None:
        """Refuse a name that is not ours: a page elsewhere whose name was bound to this address."""
        host = host_name(headers.get("host", ""))
        if not self._any_host and host not in self._hosts:
            raise RefusedError(
                f"the server is not called {host[:80]!r}",
                status=403,
                hint="behind a proxy, name its host: probative serve --allow-host NAME",
            )

    def _check_origin(self, scope: Scope, headers: dict[str, str]) -> None:
        """Refuse what a page of another site sends. It may link to this server, and nothing else."""
        site = headers.get("sec-fetch-site", "none")
        foreign = site not in ("none", "same-origin")
        if scope["method"] in _SAFE_METHODS:
            if not foreign or headers.get("sec-fetch-mode") == "navigate":
                return
        else:
            origin = headers.get("origin")
            if not foreign and (origin is None or _authority(origin) == headers.get("host", "").lower()):
                return
        raise RefusedError("a page of another site may not call this server", status=403)

    def _check_token(self, scope: Scope, headers: dict[str, str]) -> None:
        path = scope["path"]
        if self._token is None or path in _OPEN_PATHS or path.startswith(_OPEN_FOLDERS):
            return
        kind, _, given = headers.get("authorization", "").partition(" ")
        right = hmac.compare_digest(given.strip(" ").encode("latin-1"), self._token)
        if kind.lower() != "bearer" or not right:
            raise RefusedError(
                "the token is missing or wrong",
                status=401,
                hint="send the header Authorization: Bearer TOKEN",
            )


def _check_type(scope: Scope, headers: dict[str, str]) -> None:
    """Refuse a body that is not JSON where JSON is taken: a form of another site can send no JSON."""
    path = scope["path"]
    if scope["method"] != "POST" or not path.startswith(("/api/", "/v1/")):
        return
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if _TAKES_FILES.fullmatch(path):
        # A form would send its own envelope around the file, or what a page of another site chose.
        if kind in _FORMS:
            raise WrongTypeError(
                f"the body must be the file itself, not {kind}",
                hint="send the header Content-Type: application/octet-stream",
            )
        return
    empty = headers.get("content-length", "") in ("", "0") and "transfer-encoding" not in headers
    if kind != "application/json" and not empty:
        raise WrongTypeError("the body must be JSON", hint="send the header Content-Type: application/json")


class _BodyTooLargeError(HTTPException):
    """Ends the reading of a body."""


class _Bounded:
    """The body of a request, up to a number of bytes."""

    def __init__(self, receive: Receive, limit: int, headers: dict[str, str]) -> None:
        self._receive = receive
        self._limit = limit
        self._read = 0
        self.error = TooLargeError(f"the body has more than {limit:,} bytes")
        declared = headers.get("content-length", "")
        if declared.isascii() and declared.isdigit() and (len(declared) > 15 or int(declared) > limit):
            raise self.error

    async def __call__(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        if self._read > self._limit:
            raise _BodyTooLargeError(status_of(self.error), self.error.what)
        return message


def host_name(host: str) -> str:
    """Return the name of a `Host` header without its port.

    >>> host_name("LOCALHOST:8377"), host_name("[::1]:8377"), host_name("evil.example")
    ('localhost', '::1', 'evil.example')
    """
    if set(host) & set("@/?#\\ "):
        return ""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _known_hosts(options: ServerOptions) -> frozenset[str]:
    names = [*(host.lower() for host in options.allowed_hosts), options.host.lower()]
    return frozenset([*names, *LOOPBACK])


def _authority(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def _headers(scope: Scope) -> dict[str, str]:
    """Return the headers by name. Two of one name are joined, and then are no host that is known."""
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, words = name.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {words}" if key in headers else words
    return headers


class _Guarded:
    """Sends a reply with the headers of safety added; a route may set its own policy."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = list(message.get("headers", ()))
            names = {name.lower() for name, _ in headers}
            message["headers"] = [*headers, *(pair for pair in _HEADERS if pair[0] not in names)]
        await self._send(message)


async def _reply(send: Send, error: ProbativeError, path: str) -> None:
    status = status_of(error)
    plain = error_body(status, message_of(error)) if is_openai_path(path) else body_of(error)
    body = json.dumps(plain).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
