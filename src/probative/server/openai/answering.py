"""A question to a model of `/v1`, from the request to the reply: whole, as a stream, or in the background."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import count
from typing import Any

from fastapi import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.responses import Response as HttpResponse

from probative.scope.follow_up import MAX_TURNS, Turn, as_turns
from probative.scope.result import Answer
from probative.server.base.errors import ErrorDetail, NotThereError, status_of
from probative.server.base.openai_errors import ParameterError, UnknownModelError, message_of, openai_reply
from probative.server.openai.answer_text import Reply, place_url, reply_of
from probative.server.openai.chat import ChatWriter
from probative.server.openai.no_question import reply_without_run
from probative.server.openai.requests import AnyRequest, ChatRequest, ResponsesRequest
from probative.server.openai.responses import ResponseWriter
from probative.server.routes.replies import RUN_HEADER, STREAM_HEADERS, RunStream, last_event, wait_end
from probative.server.runs.events import LAST, Event
from probative.server.runs.live import LiveRun
from probative.server.runs.run import Run, RunState
from probative.server.state.contents import contents_of
from probative.server.state.server_state import ServerState
from probative.types import Usage
from probative.verbs.table import VERBS

PREFIX = "probative/"
RESPONSE = "resp_"
# The verb that answers a chat: it takes a question and a corpus, and returns an `Answer`.
CHAT_VERB = "ask"

Writer = ChatWriter | ResponseWriter


@dataclass(frozen=True)
class ChatRun:
    """A question to a corpus, its run, and the writer of its reply. A run that has ended is not `live`."""

    run: Run
    live: LiveRun | None
    corpus: str
    base: str
    writer: Writer
    stored: bool = True

    def reply(self, event: Event) -> tuple[Reply, Usage]:
        """Return what is said after the last event of a run that is done."""
        answer = Answer.model_validate(event.data["result"])
        url = partial(place_url, self.base, self.corpus)
        return reply_of(answer, self.corpus, self.run.id if self.stored else None, url), answer.usage

    def ending(self, event: Event) -> Iterator[dict[str, Any]]:
        """Yield the end of a stream after the last event of a run."""
        if event.name == "result":
            yield from self.writer.finish(*self.reply(event))
        else:
            error = ErrorDetail.model_validate(event.data["error"])
            yield self.writer.fail(status_of(error), message_of(error))

    @property
    def headers(self) -> dict[str, str]:
        """The header that names the run, if it is kept."""
        return {RUN_HEADER: self.run.id} if self.stored else {}


def corpus_of(state: ServerState, model: str) -> str:
    """Return the corpus of a model; raises `UnknownModelError`."""
    name = model.removeprefix(PREFIX)
    if not model.startswith(PREFIX) or name not in state.catalog.corpora:
        models = ", ".join(PREFIX + corpus for corpus in state.catalog.corpora)
        hint = f"models: {models or 'none: no corpus is registered'}"
        raise UnknownModelError(f"the model {model!r} does not exist", hint=hint)
    return name


def created_at(run: Run) -> int:
    """Return when a run was accepted, in seconds as OpenAI counts them.

    >>> created_at(Run(id="r", verb="ask", title="", state="done", created="1970-01-01T00:01:00.500+00:00"))
    60
    """
    return int(datetime.fromisoformat(run.created).timestamp())


def base_url(http: Request) -> str:
    """Return the address at which the client reached the server."""
    return f"{http.url.scheme}://{http.headers.get('host', 'localhost')}"


async def answer(state: ServerState, http: Request, body: AnyRequest, key: str | None) -> HttpResponse:
    """Reply to a request; the same `key` with the same question gives the same run again."""
    body.check()
    if key is not None and not body.is_kept:
        raise ParameterError(
            "an Idempotency-Key needs a run that is kept: leave out store, or set it to true", param="store"
        )
    corpus = corpus_of(state, body.model)
    others = [PREFIX + name for name in state.catalog.corpora if name != corpus]
    contents = partial(contents_of, corpus, state.catalog.corpus(corpus))
    turns = await asyncio.to_thread(earlier_turns, state, body)
    rewrites = bool(turns) and state.rewrites
    reply = await asyncio.to_thread(
        reply_without_run, body.conversation, corpus, contents, others, rewrites=rewrites
    )
    if reply is not None:
        writer = _writer(body, secrets.token_urlsafe(12), int(time.time()))
        return _at_once(writer, reply, streamed=bool(body.stream))
    spec = VERBS.load(CHAT_VERB)
    request = spec.request.model_validate(
        {"question": body.conversation.question, "corpus": corpus, "history": turns}
    )
    run, live = await asyncio.to_thread(
        state.submit, spec, request, detached=body.in_background, key=key, stored=body.is_kept
    )
    writer = _writer(body, run.id, created_at(run))
    chat = ChatRun(run, live, corpus, base_url(http), writer, body.is_kept)
    if body.stream:
        if body.in_background and live is not None:
            state.manager.follow(live)
        return await streamed(state, chat)
    if body.in_background and live is not None and isinstance(writer, ResponseWriter):
        return JSONResponse(writer.unfinished("queued"), headers=chat.headers)
    return await _waited(state, http, chat)


def earlier_turns(state: ServerState, body: AnyRequest) -> tuple[Turn, ...]:
    """Return the last turns before a question: those of the request, after those of the response that it
    goes on from, if that is kept.
    """
    turns = body.conversation.turns
    previous = body.previous_response_id if isinstance(body, ResponsesRequest) else None
    if previous is not None:
        turns = (*_turns_of(state, previous.removeprefix(RESPONSE)), *turns)
    return turns[-MAX_TURNS:]


def _turns_of(state: ServerState, identity: str) -> tuple[Turn, ...]:
    """Return the turns up to a run and its own; none if it is not kept, or has no answer."""
    try:
        run = state.manager.get(identity)
    except NotThereError:
        return ()
    if run.verb != CHAT_VERB or run.state is not RunState.DONE:
        return ()
    before = as_turns((run.request or {}).get("history", ()))
    result = Answer.model_validate(last_event(run, state.store).data["result"])
    return (*before, Turn(question=result.read_as or result.question, answer=result.answer))


def _writer(body: AnyRequest, identity: str, created: int) -> Writer:
    if isinstance(body, ChatRequest):
        return ChatWriter(body, identity, created)
    return ResponseWriter(body, identity, created)


async def _waited(state: ServerState, http: Request, chat: ChatRun) -> HttpResponse:
    if chat.live is None:
        event: Event | None = await asyncio.to_thread(last_event, chat.run, state.store)
    else:
        event = await wait_end(http, chat.live, state.manager)
    if event is None:  # the client is gone
        return HttpResponse(status_code=499)
    if event.name == "error":
        return openai_reply(ErrorDetail.model_validate(event.data["error"]), chat.headers)
    return JSONResponse(chat.writer.whole(*chat.reply(event)), headers=chat.headers)


async def streamed(state: ServerState, chat: ChatRun, after: int = -1) -> StreamingResponse:
    """Reply to a client, who was counted, with the events of a run, without the first `after` + 1."""
    live, writer = chat.live, chat.writer
    if live is None:
        event = await asyncio.to_thread(last_event, chat.run, state.store)
        return _sent(writer, [*writer.begin(), *chat.ending(event)][after + 1 :], chat.headers)
    return RunStream(live, state.manager, _followed(live, chat, after))


async def _followed(live: LiveRun, chat: ChatRun, after: int) -> AsyncIterator[str]:
    writer, numbers = chat.writer, count()
    for data in writer.begin():
        if next(numbers) > after:
            yield writer.encoded(data)
    async for event in live.log.follow():
        if event is None:
            yield ": still here\n\n"
        elif event.name in LAST:
            for data in chat.ending(event):
                if next(numbers) > after:
                    yield writer.encoded(data)
    yield writer.end


def _at_once(writer: Writer, reply: Reply, *, streamed: bool) -> HttpResponse:
    if not streamed:
        return JSONResponse(writer.whole(reply, Usage()))
    return _sent(writer, [*writer.begin(), *writer.finish(reply, Usage())], {})


def _sent(writer: Writer, events: Iterable[dict[str, Any]], headers: dict[str, str]) -> StreamingResponse:
    async def lines() -> AsyncIterator[str]:
        for data in events:
            yield writer.encoded(data)
        yield writer.end

    return StreamingResponse(lines(), media_type="text/event-stream", headers={**STREAM_HEADERS, **headers})
