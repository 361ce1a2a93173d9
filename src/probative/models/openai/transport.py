"""Many HTTP requests at once to one server, each ending in its reply or a typed error.

The `openai` client spends 2.6 ms of CPU on each request here, and `aiohttp` 0.3 ms: at 64 requests
at once that is the difference between 3.3 and 1.1 times the ideal time (see `benchmarks/client.py`).
The requests run on an event loop in a thread of its own, so that callers stay plain synchronous code
and may themselves live inside an event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from pydantic import Field

from probative.errors import (
    ConnectError,
    InputError,
    ModelError,
    OverloadError,
    RateLimitError,
    ReplyError,
    SlowServerError,
)
from probative.models.openai.limits import Limits, backoff
from probative.models.openai.replies import cost_of, message_of, refusal
from probative.types import Value
from probative.usage import Usage

if TYPE_CHECKING:
    import aiohttp

_PASSING = (RateLimitError, OverloadError, ConnectError, SlowServerError, ReplyError)


class Connection(Value):
    """How to reach a server and how hard to try."""

    base_url: str = "https://api.openai.com/v1"
    api_key: str | None = None
    concurrency: int = 16
    timeout: float = 120.0
    retries: int = 5
    retry_base: float = 0.5
    """Seconds before the first retry; each further one waits twice as long."""
    longest_wait: float = 60.0
    """A server that asks to wait longer than this gets no further try."""
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    headers: dict[str, str] = Field(default_factory=dict)

    def __repr__(self) -> str:
        """Without the key, so that it never reaches a log."""
        return f"Connection(base_url={self.base_url!r}, concurrency={self.concurrency})"

    __str__ = __repr__


class Reply(NamedTuple):
    """A parsed JSON body, the seconds it took, waiting and retries included, and what earlier tries
    cost whose replies could not be used.
    """

    body: dict[str, Any]
    seconds: float
    wasted: Usage


class Post(NamedTuple):
    """A request to send: the path below the base URL, the body, and how many tokens it may cost."""

    path: str
    body: dict[str, Any]
    tokens: int = 0


_Done = queue.SimpleQueue["tuple[int, Reply | ModelError] | BaseException"]
Check = Callable[[dict[str, Any]], None]
"""Raises an error when a reply cannot be used; a `ReplyError` is tried again."""


class Transport:
    """A pool of connections to one server."""

    def __init__(self, connection: Connection) -> None:
        if not _is_address(connection.base_url):
            raise InputError(
                f"{connection.base_url!r} is not the address of a server",
                hint="give base_url as http://HOST:PORT/v1",
            )
        if connection.api_key is not None and not connection.api_key.strip().isprintable():
            raise InputError("the API key holds characters that no key has", hint="copy it again")
        self.connection = connection
        self.base_url = connection.base_url.rstrip("/")
        self._limits = Limits(connection.requests_per_minute, connection.tokens_per_minute)
        self._start = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._session: aiohttp.ClientSession | None = None
        self._finalizer: weakref.finalize[..., Transport] | None = None
        self._slots = asyncio.Semaphore(connection.concurrency)
        self._process = os.getpid()

    def send(
        self, posts: Sequence[Post], check: Check = lambda body: None
    ) -> Iterator[tuple[int, Reply | ModelError]]:
        """Send all, at most `concurrency` at a time; yields each outcome as it comes.

        Closing the iterator early cancels what is still under way.
        """
        if not posts:
            return
        done: _Done = queue.SimpleQueue()
        driver = self._schedule(posts, check, done)
        try:
            for _ in posts:
                outcome = done.get()
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome
        finally:
            driver.cancel()

    def close(self) -> None:
        """Cancel what is under way, close the connections and end the thread."""
        self._forget_parent()
        with self._start:
            finalizer, self._finalizer = self._finalizer, None
            self._loop = self._session = None
            if finalizer is not None:
                finalizer()

    def _schedule(self, posts: Sequence[Post], check: Check, done: _Done) -> Future[None]:
        """Start sending on the loop. Under the lock, so that a `close` comes before or after, not amid."""
        self._forget_parent()
        with self._start:
            if self._loop is None or self._session is None:
                self._slots = asyncio.Semaphore(self.connection.concurrency)
                self._loop = asyncio.new_event_loop()
                opening = asyncio.run_coroutine_threadsafe(self._open_session(), _start_thread(self._loop))
                self._session = opening.result()
                # Also when nobody calls `close`: at the latest when Python ends.
                self._finalizer = weakref.finalize(self, _end, self._loop, self._session, os.getpid())
            driver = asyncio.run_coroutine_threadsafe(
                self._drive(self._session, posts, check, done), self._loop
            )
        # However the driver ends, even before it began, whoever waits for it is woken.
        closed = ConnectError("the model was closed while requests were under way")
        driver.add_done_callback(lambda _: done.put(closed))
        return driver

    def _forget_parent(self) -> None:
        """In a forked child the thread of the loop does not exist, and a lock may be held for ever."""
        if self._process != os.getpid():
            if self._finalizer is not None:
                self._finalizer.detach()
            self._start = threading.Lock()
            self._loop = self._session = self._finalizer = None
            self._process = os.getpid()

    async def _open_session(self) -> aiohttp.ClientSession:
        import aiohttp

        headers = {"Content-Type": "application/json", **self.connection.headers}
        if self.connection.api_key:
            headers["Authorization"] = f"Bearer {self.connection.api_key.strip()}"
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=self.connection.timeout, sock_connect=15.0),
            # `trust_env` would read the environment and ~/.netrc again for every request.
            proxy=proxy_for(self.base_url),
        )

    async def _drive(
        self, session: aiohttp.ClientSession, posts: Sequence[Post], check: Check, done: _Done
    ) -> None:
        waiting = iter(enumerate(posts))

        async def work() -> None:
            for index, post in waiting:
                outcome: Reply | ModelError
                try:
                    outcome = await self._persist(session, post, check)
                except ModelError as error:
                    outcome = error
                except Exception as error:  # whatever a reply does to us, it is that request's failure
                    outcome = ReplyError(f"{self._where()}: the reply could not be used: {error!r}")
                done.put((index, outcome))

        try:
            workers = min(self.connection.concurrency, len(posts))
            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(work())
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # a fault of ours must reach the caller, not hang it
            done.put(error)

    async def _persist(self, session: aiohttp.ClientSession, post: Post, check: Check) -> Reply:
        """Try until there is a usable reply, the error is final, or the tries are used up."""
        started = time.perf_counter()
        attempt = 0
        wasted = Usage()
        while True:
            await self._limits.turn(post.tokens)
            body: dict[str, Any] = {}
            try:
                async with self._slots:
                    body = await self._once(session, post)
                check(body)
                return Reply(body, time.perf_counter() - started, wasted)
            except ModelError as error:
                wasted += cost_of(body, error)
                error.usage = wasted
                if not isinstance(error, _PASSING):
                    raise
                asked = error.retry_after
                too_long = asked is not None and asked > self.connection.longest_wait
                if error.final or too_long or attempt >= self.connection.retries:
                    raise
            delay = backoff(attempt, base=self.connection.retry_base, most=30.0, asked=asked)
            if asked is not None:
                self._limits.pause(asked)
            await asyncio.sleep(delay)
            attempt += 1

    async def _once(self, session: aiohttp.ClientSession, post: Post) -> dict[str, Any]:
        import aiohttp

        url = post.path if "://" in post.path else f"{self.base_url}/{post.path}"
        data = json.dumps(post.body, ensure_ascii=False).encode()
        try:
            async with session.post(url, data=data, allow_redirects=False) as response:
                raw = await response.read()
                status, headers = response.status, response.headers
        except TimeoutError as error:
            raise SlowServerError(
                f"{self._where()} gave no answer within {self.connection.timeout:g} s",
                hint="raise the time-out (--timeout, PROBATIVE_TIMEOUT), or lower --concurrency",
            ) from error
        except (aiohttp.ClientError, OSError) as error:
            raise ConnectError(
                f"{self._where()}: {type(error).__name__}: {error}",
                hint="check that the server runs, and --base-url (PROBATIVE_BASE_URL)",
            ) from error
        if status >= 300:
            raise refusal(status, raw, headers, self._where())
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise ReplyError(
                f"{self._where()} answered with what is not JSON",
                hint="check that base_url is that of an OpenAI-compatible API (it often ends in /v1)",
                status=status,
                body=raw[:500].decode("utf-8", "replace"),
            ) from error
        if not isinstance(body, dict):
            raise ReplyError(f"{self._where()} answered with JSON of the wrong shape", body=str(body)[:500])
        if body.get("error"):  # some servers report failures with status 200
            raise OverloadError(f"{self._where()}: {message_of(body)}", status=status, body=str(body)[:500])
        return body

    def _where(self) -> str:
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for this address, if it names one.

    >>> proxy_for("http://127.0.0.1:8000/v1") is None
    True
    """
    parts = urlsplit(url)
    if parts.hostname in ("localhost", "127.0.0.1", "::1") or proxy_bypass(parts.hostname or ""):
        return None
    return getproxies().get(parts.scheme)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _start_thread(loop: asyncio.AbstractEventLoop) -> asyncio.AbstractEventLoop:
    thread = threading.Thread(target=_run_forever, args=(loop,), name="probative-http", daemon=True)
    loop.probative_thread = thread  # type: ignore[attr-defined]
    thread.start()
    return loop


def _end(loop: asyncio.AbstractEventLoop, session: aiohttp.ClientSession, process: int) -> None:
    """Cancel what is under way, close the connections and end the thread."""
    if process != os.getpid() or not loop.is_running():
        return

    async def wind_up() -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await session.close()

    ending = asyncio.run_coroutine_threadsafe(wind_up(), loop)
    # Not inside `wind_up`: a loop that stops there never tells anybody that it is done.
    ending.add_done_callback(lambda _: loop.call_soon_threadsafe(loop.stop))
    if getattr(loop, "probative_thread", None) is not threading.current_thread():
        # The garbage collector may call this on the loop's own thread, which must not wait for itself.
        with contextlib.suppress(TimeoutError, CancelledError):
            ending.result(timeout=10)


def _run_forever(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()
