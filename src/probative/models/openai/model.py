"""A language model behind an OpenAI-compatible server."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from probative.errors import (
    CapabilityError,
    ContextError,
    InputError,
    ModelError,
    NotFoundError,
    OutputError,
    ReplyError,
    RequestError,
)
from probative.models.contract import Capability, LanguageModel, Outcomes, lacks
from probative.models.openai.chat import (
    LETTERS,
    NONE_GIVEN,
    TOP,
    Dialect,
    chat_post,
    check_chat,
    check_choice,
    needs_letters,
    read_chat,
    read_choice,
    with_letters,
)
from probative.models.openai.connection import Check, Connection, Post, Reply
from probative.models.openai.replies import token_count
from probative.models.openai.scoring import PROBE, SCORINGS, Scoring, TooShortError, trusted
from probative.models.openai.transport import Transport
from probative.models.openai.window import EXPIRES_SECONDS, Window
from probative.models.types import (
    Choice,
    Completion,
    Pair,
    Request,
    Score,
    Selection,
    neutralise_pair,
    neutralise_request,
)
from probative.settings import Settings
from probative.types import Usage


class Lost:
    """Remembers for `EXPIRES_SECONDS` that a model lacks a capability, and why.

    >>> now = 0.0
    >>> lost = Lost("openai:m", Capability.CHOOSE, clock=lambda: now)
    >>> lost.conclude("its server returns no log-probabilities").what
    'openai:m cannot choose: its server returns no log-probabilities'
    >>> lost.error is not None
    True
    >>> now = EXPIRES_SECONDS
    >>> lost.error is None
    True
    """

    def __init__(
        self, model: str, capability: Capability, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._model, self._capability, self._clock = model, capability, clock
        self._error: CapabilityError | None = None
        self._until = 0.0

    @property
    def error(self) -> CapabilityError | None:
        """The error of a call that needs the capability; None if the model may have it."""
        return self._error if self._clock() < self._until else None

    def conclude(self, why: str) -> CapabilityError:
        """Remember that the capability is missing, and return the error."""
        self._error = lacks(self._model, self._capability, why)
        self._until = self._clock() + EXPIRES_SECONDS
        return self._error


def open_model(name: str, settings: Settings) -> OpenAIModel:
    """Return the language model `name` on the server of the settings."""
    return OpenAIModel(checked_name(name), Connection.from_settings(settings), settings.window)


def checked_name(name: str) -> str:
    """Return the name of a model on a server; raises `InputError` if it is empty."""
    if not name:
        raise InputError(
            "openai: needs the name of a model", hint="write openai:NAME, such as openai:gpt-4o-mini"
        )
    return name


# How often a way of scoring is probed before its failure is believed.
PROBES = 2
# How many replies without log-probabilities, and none with them, show that a server cannot choose.
REPLIES = 3


class OpenAIModel(LanguageModel):
    """A model behind an OpenAI-compatible server.

    `score` works where the server gives prompt log-probabilities (vLLM, SGLang): the first use
    probes it, and a server that only pretends to is refused. `choose` reads the top
    log-probabilities of the answer's first token.

    Chat control tokens that stand in a text are sent as ordinary text, unless the connection's
    `control_tokens` is set. `window` is the number of tokens that the model reads, if the server does not
    say it.
    """

    def __init__(self, model: str, connection: Connection, window: int | None = None) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._transport = Transport(connection)
        self._window = Window(connection, model, window)
        self._control_tokens = connection.control_tokens
        self._dialect = Dialect()
        self._scoring: Scoring | None = None
        self._no_score = Lost(self.name, Capability.SCORE)
        self._no_choose = Lost(self.name, Capability.CHOOSE)
        self._probing = threading.Lock()

    @property
    def capabilities(self) -> frozenset[Capability]:
        has_capability = {
            Capability.GENERATE: True,
            Capability.CHOOSE: self._no_choose.error is None,
            Capability.SCHEMA: self._dialect.schema,
            Capability.SCORE: self._no_score.error is None,
        }
        return frozenset(capability for capability, has in has_capability.items() if has)

    @property
    def limits(self) -> tuple[str, ...]:
        error = self._no_choose.error
        minutes = EXPIRES_SECONDS / 60
        return () if error is None else (f"{error.what}; this is tried again after {minutes:.0f} minutes",)

    @property
    def window(self) -> int | None:
        return self._window.tokens

    @property
    def known_window(self) -> int | None:
        return self._window.unasked

    @property
    def fingerprint(self) -> str:
        tokens = "+control-tokens" if self._control_tokens else ""
        return f"{self._transport.base_url}#{self._model}{self._dialect.mark}{tokens}"

    def try_out(self, capability: Capability) -> None:
        super().try_out(capability)
        if capability == Capability.SCORE:
            self._probed()
        elif capability == Capability.CHOOSE:
            with suppress(OutputError):  # log-probabilities, but of another word
                self.choose(["Is water wet? Answer yes or no."], ["yes", "no"])

    def close(self) -> None:
        self._transport.close()

    # -- generate ---------------------------------------------------------------------------

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Completion]:
        for index, outcome in self._chats(requests, check_chat):
            if isinstance(outcome, ModelError):
                yield index, outcome
            else:
                yield index, read_chat(outcome, self.name, self.prompt_tokens(requests[index]))

    def _chats(
        self, requests: Sequence[Request], check: Check, extra: dict[str, Any] | None = None
    ) -> Iterator[tuple[int, Reply | ModelError]]:
        """Send chats; where the server refuses a field, learn what it wants and send those again."""
        remaining = list(range(len(requests)))
        while remaining:
            refused: list[int] = []
            window = self._window.known
            posts = [self._post(requests[index], check, extra) for index in remaining]
            for nth, outcome in self._transport.send(posts):
                index = remaining[nth]
                if isinstance(outcome, RequestError):
                    self._dialect.learn(outcome, posts[nth].body)
                    if posts[nth].body != self._post(requests[index], check, extra).body:
                        refused.append(index)
                        continue
                if isinstance(outcome, ContextError):
                    self._window.learn(outcome, window)
                yield index, outcome
            remaining = refused

    def _post(self, request: Request, check: Check, extra: dict[str, Any] | None) -> Post:
        tokens = self.prompt_tokens(request)
        if not self._control_tokens:
            request = neutralise_request(request)
        post = chat_post(self._model, request, self._dialect, tokens)
        post.body.update(extra or {})
        return post._replace(check=check)

    # -- score ------------------------------------------------------------------------------

    def _score(self, pairs: Sequence[Pair]) -> Outcomes[Score]:
        scoring = self._probed()
        if not self._control_tokens:
            pairs = [neutralise_pair(pair) for pair in pairs]
        short: dict[int, Usage] = {}
        for index, outcome in self._scored(scoring, pairs, range(len(pairs)), whole=False):
            if isinstance(outcome, TooShortError):
                short[index] = outcome.usage or Usage(calls=1)
            else:
                yield index, outcome
        for index, outcome in self._scored(scoring, pairs, list(short), whole=True):
            if isinstance(outcome, Score):
                outcome = outcome.model_copy(update={"usage": outcome.usage + short[index]})
            yield index, outcome

    def _scored(
        self, scoring: Scoring, pairs: Sequence[Pair], indices: Sequence[int], *, whole: bool
    ) -> Outcomes[Score]:
        posts = []
        window = self._window.known
        for index in indices:
            post = scoring.post(self._model, pairs[index], self._transport.base_url, whole=whole)
            posts.append(post._replace(tokens=self._pair_tokens(pairs[index]), check=scoring.check))
        for nth, outcome in self._transport.send(posts):
            pair = pairs[indices[nth]]
            if isinstance(outcome, ContextError):
                self._window.learn(outcome, window)
            if isinstance(outcome, ModelError):
                yield indices[nth], outcome
                continue
            try:
                yield indices[nth], self._read_score(scoring, outcome, pair)
            except ModelError as error:
                error.usage = Usage(calls=1, scored_tokens=self._pair_tokens(pair))
                yield indices[nth], error
            except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
                yield indices[nth], ReplyError(f"the reply contains no log-probabilities: {error!r}")

    def _pair_tokens(self, pair: Pair) -> int:
        return self.count_tokens(pair.prompt + pair.continuation)

    def _read_score(self, scoring: Scoring, reply: Reply, pair: Pair) -> Score:
        values = scoring.read(reply.body, pair)
        usage = reply.body.get("usage") or reply.body.get("meta_info") or {}
        stated = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        tokens = token_count(stated, self._pair_tokens(pair))
        return Score(
            log_probability=math.fsum(values),
            token_log_probabilities=tuple(values),
            model=self.name,
            usage=Usage(calls=1, scored_tokens=tokens, seconds=reply.seconds) + reply.wasted,
        )

    def _probed(self) -> Scoring:
        """Return the way of scoring that this server was seen to honour; raises where it honours none.

        Only replies that are well-formed and lack the log-probabilities, `PROBES` times, show that a server
        cannot score. A server out of reach, or a reply that is cut off or empty, shows nothing: the next use
        probes again.
        """
        with self._probing:
            if self._no_score.error is not None:
                raise self._no_score.error
            if self._scoring is None:
                unusable: list[ReplyError] = []
                for scoring in SCORINGS:
                    outcome = self._probe(scoring)
                    if isinstance(outcome, ReplyError):
                        unusable.append(outcome)
                    elif outcome:
                        self._scoring = scoring
                        return scoring
                if unusable:
                    raise ReplyError(
                        f"{self.name}: it is not known whether its server can score: {unusable[0].what}",
                        hint="try again",
                    )
                ways = ", ".join(scoring.name for scoring in SCORINGS)
                why = f"its server returns no log-probabilities of the prompt (tried: {ways})"
                raise self._no_score.conclude(why)
            return self._scoring

    def _probe(self, scoring: Scoring) -> bool | ReplyError:
        """Return whether the server honours a way of scoring, or the error if its replies do not tell."""
        post = scoring.post(self._model, PROBE, self._transport.base_url, whole=True)
        for _ in range(PROBES):
            ((_, outcome),) = self._transport.send([post._replace(check=scoring.check_form)])
            if isinstance(outcome, ReplyError):
                return outcome
            if isinstance(outcome, RequestError | NotFoundError):
                return False
            if isinstance(outcome, ModelError):
                raise outcome
            if trusted(scoring, outcome.body):
                return True
        return False

    # -- choose -----------------------------------------------------------------------------

    def _choose(self, selections: Sequence[Selection]) -> Outcomes[Choice]:
        requests: dict[int, Request] = {}
        for index, selection in enumerate(selections):
            letters = needs_letters(selection.options)
            if letters and len(selection.options) > len(LETTERS):
                error = CapabilityError(
                    f"{self.name} can choose among at most {len(LETTERS)} such options, "
                    f"got {len(selection.options)}"
                )
                error.usage = Usage()  # no request was sent
                yield index, error
                continue
            request = with_letters(selection) if letters else selection.request
            requests[index] = request.model_copy(
                update={"max_tokens": 1, "temperature": 0.0, "json_schema": None}
            )
        yield from self._chosen(selections, requests)

    def _chosen(self, selections: Sequence[Selection], requests: dict[int, Request]) -> Outcomes[Choice]:
        """Send the requests; those whose reply has no log-probabilities are sent again, up to `REPLIES`
        times, unless the server seems to have none.
        """
        spent: dict[int, Usage] = {}
        missing = dict.fromkeys(requests, "")
        lacking, given = 0, False
        for _ in range(REPLIES):
            waiting, missing = list(missing), {}
            extra = {"logprobs": True, "top_logprobs": TOP}
            for nth, outcome in self._chats([requests[index] for index in waiting], check_choice, extra):
                index = waiting[nth]
                if isinstance(outcome, RequestError) and "logprob" in outcome.what.lower():
                    missing[index] = "its server refuses log-probabilities"
                    continue
                if isinstance(outcome, ModelError):
                    yield index, outcome
                    continue
                estimate = self.prompt_tokens(requests[index])
                choice = read_choice(outcome, selections[index], self.name, estimate)
                spent[index] = spent.get(index, Usage()) + (choice.usage or Usage())
                if isinstance(choice, CapabilityError):
                    missing[index] = NONE_GIVEN
                    continue
                given = True
                if isinstance(choice, Choice):
                    choice = choice.model_copy(update={"usage": spent[index]})
                yield index, choice
            lacking += len(missing)
            if not missing or (lacking >= REPLIES and not given):
                break
        for index, why in missing.items():
            # The same server gave log-probabilities for other requests of this call: it has them.
            failure: ModelError = (
                ReplyError(f"{self.name}: {why}, {REPLIES} times", hint="try again")
                if given
                else self._no_choose.conclude(why)
            )
            failure.usage = spent.get(index)
            yield index, failure
