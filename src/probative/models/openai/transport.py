"""Send many HTTP requests at once to one server; each ends in a reply or a typed error.

The `openai` client spends 2.6 ms of CPU on each request here, and `aiohttp` 0.3 ms: at 64 requests
at once that is the difference between 3.3 and 1.1 times the ideal time (see `benchmarks/client.py`).
The requests run on an event loop in a thread of its own, so callers are plain synchronous code and may run
inside another event loop.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import queue
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from probative.errors import (
    ConnectError,
    InputError,
    ModelError,
    OverloadError,
    RateLimitError,
    ReplyError,
    SlowServerError,
)
from probative.models.openai.connection import Connection, Limits, Post, Reply, backoff
from probative.models.openai.replies import (
    ACCEPTED,
    cost_of,
    message_of,
    read_body,
    read_start,
    refusal,
    safe_text,
)
from probative.server_url import endpoint
from probative.types import Usage

if TYPE_CHECKING:
    import aiohttp

_TEMPORARY = (RateLimitError, OverloadError, ConnectError, SlowServerError, ReplyError)
_Done = queue.SimpleQueue["tuple[int, Reply | ModelError] | BaseException"]


class Transport:
    """A pool of connections to one server."""

    def __init__(self, connection: Connection) -> None:
        try:
            server = endpoint(connection.base_url)
        except ValueError:
            raise InputError(
                f"{str(connection.base_url)!r} is not the address of a server",
                hint="give base_url as http://HOST:PORT/v1",
            ) from None
        if connection.api_key is not None and not connection.api_key.strip().isprintable():
            raise InputError("the API key contains characters that no key has", hint="copy it again")
        self.connection = connection
        self.base_url = server.base_url
        """The address without credentials and query."""
        self._login = server.login
        self._query = f"?{server.query}" if server.query else ""
        self._secrets = (*server.secrets, *([connection.api_key.strip()] if connection.api_key else []))
        self._limits = Limits(connection.requests_per_minute, connection.tokens_per_minute)
        self._start = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._session: aiohttp.ClientSession | None = None
        self._finalizer: weakref.finalize[..., Transport] | None = None
        self._slots = asyncio.Semaphore(connection.concurrency)
        self._process = os.getpid()

    def send(self, posts: Sequence[Post]) -> Iterator[tuple[int, Reply | ModelError]]:
        """Send all posts, at most `concurrency` at a time; yield each outcome with the index of its post as
        it comes.

        Closing the iterator early cancels the requests that are under way.
        """
        if not posts:
            return
        done: _Done = queue.SimpleQueue()
        driver = self._schedule(posts, done)
        try:
            for _ in posts:
                outcome = done.get()
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome
        finally:
            driver.cancel()

    def close(self) -> None:
        """Cancel the open requests, close the connections and end the thread."""
        self._forget_parent()
        with self._start:
            finalizer, self._finalizer = self._finalizer, None
            self._loop = self._session = None
            if finalizer is not None:
                finalizer()

    def _schedule(self, posts: Sequence[Post], done: _Done) -> Future[None]:
        """Start sending on the loop. The lock keeps a `close` from another thread out of the middle."""
        self._forget_parent()
        with self._start:
            if self._loop is None or self._session is None:
                self._slots = asyncio.Semaphore(self.connection.concurrency)
                self._loop = asyncio.new_event_loop()
                opening = asyncio.run_coroutine_threadsafe(self._open_session(), _start_thread(self._loop))
                self._session = opening.result()
                # Also without a `close`: at the latest when Python ends.
                self._finalizer = weakref.finalize(self, _end, self._loop, self._session, os.getpid())
            driver = asyncio.run_coroutine_threadsafe(self._drive(self._session, posts, done), self._loop)
        # However the driver ends, even before it began, it wakes the thread that waits for it.
        closed = ConnectError("the model was closed while requests were under way")
        driver.add_done_callback(lambda _: done.put(closed))
        return driver

    def _forget_parent(self) -> None:
        """Start anew in a forked child, which has no thread of the loop and may have a lock that is held."""
        if self._process != os.getpid():
            if self._finalizer is not None:
                self._finalizer.detach()
            self._start = threading.Lock()
            self._loop = self._session = self._finalizer = None
            self._process = os.getpid()

    async def _open_session(self) -> aiohttp.ClientSession:
        import aiohttp

        headers = {"Content-Type": "application/json", "Accept-Encoding": ACCEPTED, **self.connection.headers}
        if self._login is not None:
            # The address names a login for this very server; a key may be the environment's for another one.
            login = base64.b64encode(":".join(self._login).encode()).decode()
            headers["Authorization"] = f"Basic {login}"
        elif self.connection.api_key:
            headers["Authorization"] = f"Bearer {self.connection.api_key.strip()}"
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            auto_decompress=False,  # `read_body` unpacks, up to a limit
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=self.connection.timeout, sock_connect=15.0),
            # `trust_env` would read the environment and ~/.netrc again for every request.
            proxy=proxy_for(self.base_url),
        )

    async def _drive(self, session: aiohttp.ClientSession, posts: Sequence[Post], done: _Done) -> None:
        waiting = iter(enumerate(posts))

        async def work() -> None:
            for index, post in waiting:
                outcome: Reply | ModelError
                try:
                    outcome = await self._persist(session, post)
                except ModelError as error:
                    outcome = error
                except Exception as error:  # an unforeseen reply is the failure of that request alone
                    outcome = ReplyError(self._text(f"the reply could not be used: {error!r}"))
                done.put((index, outcome))

        try:
            workers = min(self.connection.concurrency, len(posts))
            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(work())
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # a defect here must reach the caller instead of blocking it
            done.put(error)

    async def _persist(self, session: aiohttp.ClientSession, post: Post) -> Reply:
        """Send until there is a usable reply, the error is final, or the attempts are used up."""
        started = time.perf_counter()
        attempt = 0
        wasted = Usage()
        while True:
            await self._limits.turn(post.tokens)
            body: dict[str, Any] = {}
            try:
                async with self._slots:
                    body = await self._once(session, post)
                post.check(body)
                return Reply(body, time.perf_counter() - started, wasted)
            except ModelError as error:
                wasted += cost_of(body, error)
                error.usage = wasted
                if not isinstance(error, _TEMPORARY):
                    raise
                requested = error.retry_after
                too_long = requested is not None and requested > self.connection.longest_wait
                if error.final or too_long or attempt >= self.connection.retries:
                    raise
            delay = backoff(attempt, base=self.connection.retry_base, longest=30.0, requested=requested)
            if requested is not None:
                self._limits.pause(requested)
            await asyncio.sleep(delay)
            attempt += 1

    async def _once(self, session: aiohttp.ClientSession, post: Post) -> dict[str, Any]:
        import aiohttp

        url = (post.path if "://" in post.path else f"{self.base_url}/{post.path}") + self._query
        data = json.dumps(post.body, ensure_ascii=False).encode() if post.body else None
        try:
            method = "POST" if data else "GET"
            async with session.request(method, url, data=data, allow_redirects=False) as response:
                status, headers = response.status, response.headers
                if status >= 300:
                    raise refusal(status, await read_start(response), headers, self._host, self._secrets)
                raw = await read_body(response, self.connection.max_reply_bytes)
        except TimeoutError as error:
            raise SlowServerError(
                f"{self._host} gave no reply within {self.connection.timeout:g} s",
                hint="raise the time-out (--timeout, PROBATIVE_TIMEOUT), or lower --concurrency",
            ) from error
        except (aiohttp.ClientError, OSError) as error:
            raise ConnectError(
                self._text(f"{type(error).__name__}: {error}"),
                hint="check that the server runs, and --base-url (PROBATIVE_BASE_URL)",
            ) from error
        return self._parsed(raw, status)

    def _parsed(self, raw: bytes, status: int) -> dict[str, Any]:
        """Return the JSON object of a reply's body."""
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise ReplyError(
                f"the reply of {self._host} is not JSON",
                hint="check that base_url is that of an OpenAI-compatible API (it often ends in /v1)",
                status=status,
                body=safe_text(raw[:500].decode("utf-8", "replace"), self._secrets),
            ) from error
        if not isinstance(body, dict):
            raise ReplyError(f"the reply of {self._host} is not a JSON object", body=str(body)[:500])
        if body.get("error"):  # some servers report failures with status 200
            raise OverloadError(self._text(message_of(body)), status=status, body=str(body)[:500])
        return body

    def _text(self, message: str) -> str:
        """Return a message about this server that is safe to show."""
        return f"{self._host}: {safe_text(message, self._secrets)}"

    @property
    def _host(self) -> str:
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


def proxy_for(url: str) -> str | None:
    """Return the proxy of the environment for this address, or None.

    >>> proxy_for("http://127.0.0.1:8000/v1") is None
    True
    """
    parts = urlsplit(url)
    if parts.hostname in ("localhost", "127.0.0.1", "::1") or proxy_bypass(parts.hostname or ""):
        return None
    return getproxies().get(parts.scheme)


def _start_thread(loop: asyncio.AbstractEventLoop) -> asyncio.AbstractEventLoop:
    thread = threading.Thread(target=_run_forever, args=(loop,), name="probative-http", daemon=True)
    loop.probative_thread = thread  # type: ignore[attr-defined]
    thread.start()
    return loop


def _end(loop: asyncio.AbstractEventLoop, session: aiohttp.ClientSession, process: int) -> None:
    """Cancel the open requests, close the connections and end the thread."""
    if process != os.getpid() or not loop.is_running():
        return

    async def wind_up() -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await session.close()

    ending = asyncio.run_coroutine_threadsafe(wind_up(), loop)
    # Not inside `wind_up`: a loop that stops there never reports that it is done.
    ending.add_done_callback(lambda _: loop.call_soon_threadsafe(loop.stop))
    if getattr(loop, "probative_thread", None) is not threading.current_thread():
        # The garbage collector may call this on the thread of the loop, which must not wait for itself.
        with contextlib.suppress(TimeoutError, CancelledError):
            ending.result(timeout=10)


def _run_forever(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()
