"""Any OpenAI-compatible server: hosted, vLLM, SGLang, Ollama, llama.cpp."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from probative.errors import (
    CapabilityError,
    InputError,
    ModelError,
    NotFoundError,
    ReplyError,
    RequestError,
)
from probative.models.contract import (
    Capability,
    Encoder,
    LanguageModel,
    Outcomes,
    Progress,
    checked_texts,
    lacks,
    stack_vectors,
)
from probative.models.openai import choosing
from probative.models.openai.chat import Dialect, chat_post, check_chat, read_chat
from probative.models.openai.replies import usage_of
from probative.models.openai.scoring import PROBE, SCORINGS, Scoring, TooShortError, trusted
from probative.models.openai.transport import Check, Connection, Post, Reply, Transport
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection, Vector
from probative.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Connection", "OpenAIEncoder", "OpenAIModel"]


class OpenAIModel(LanguageModel):
    """A model behind an OpenAI-compatible server.

    `score` works where the server gives prompt log-probabilities (vLLM, SGLang): the first use
    probes it, and a server that only pretends to is refused. `choose` reads the top
    log-probabilities of the answer's first token.
    """

    def __init__(self, model: str, connection: Connection) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._transport = Transport(connection)
        self._dialect = Dialect()
        self._scoring: Scoring | None = None
        self._cannot_score: CapabilityError | None = None
        self._probing = threading.Lock()

    @property
    def capabilities(self) -> frozenset[Capability]:
        verbs = {Capability.GENERATE, Capability.CHOOSE}
        if self._dialect.schema:
            verbs.add(Capability.SCHEMA)
        if self._cannot_score is None:
            verbs.add(Capability.SCORE)
        return frozenset(verbs)

    @property
    def fingerprint(self) -> str:
        return f"{self._transport.base_url}#{self._model}{self._dialect.mark}"

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
        left = list(range(len(requests)))
        while left:
            refused: list[int] = []
            posts = [self._post(requests[index], extra) for index in left]
            for nth, outcome in self._transport.send(posts, check):
                index = left[nth]
                if isinstance(outcome, RequestError):
                    self._dialect.learn(outcome, posts[nth].body)
                    if posts[nth].body != self._post(requests[index], extra).body:
                        refused.append(index)
                        continue
                yield index, outcome
            left = refused

    def _post(self, request: Request, extra: dict[str, Any] | None) -> Post:
        post = chat_post(self._model, request, self._dialect, self.prompt_tokens(request))
        post.body.update(extra or {})
        return post

    # -- score ------------------------------------------------------------------------------

    def _score(self, pairs: Sequence[Pair]) -> Outcomes[Score]:
        scoring = self._probed()
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
        self, scoring: Scoring, pairs: Sequence[Pair], places: Sequence[int], *, whole: bool
    ) -> Outcomes[Score]:
        posts = []
        for place in places:
            post = scoring.post(self._model, pairs[place], self._transport.base_url, whole=whole)
            posts.append(post._replace(tokens=self._pair_tokens(pairs[place])))
        for nth, outcome in self._transport.send(posts):
            pair = pairs[places[nth]]
            if isinstance(outcome, ModelError):
                yield places[nth], outcome
                continue
            try:
                yield places[nth], self._read_score(scoring, outcome, pair)
            except ModelError as error:
                error.usage = Usage(calls=1, scored_tokens=self._pair_tokens(pair))
                yield places[nth], error
            except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
                yield places[nth], ReplyError(f"the reply holds no log-probabilities: {error!r}")

    def _pair_tokens(self, pair: Pair) -> int:
        return self.count_tokens(pair.prompt + pair.continuation)

    def _read_score(self, scoring: Scoring, reply: Reply, pair: Pair) -> Score:
        values = scoring.read(reply.body, pair)
        usage = reply.body.get("usage") or reply.body.get("meta_info") or {}
        tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        return Score(
            log_probability=math.fsum(values),
            token_log_probabilities=tuple(values),
            model=self.name,
            usage=Usage(
                calls=1,
                scored_tokens=tokens if isinstance(tokens, int) else self._pair_tokens(pair),
                seconds=reply.seconds,
            )
            + reply.wasted,
        )

    def _probed(self) -> Scoring:
        """The way of scoring that this server was seen to honour; raises if it honours none."""
        with self._probing:
            if self._cannot_score is not None:
                raise self._cannot_score
            if self._scoring is None:
                for scoring in SCORINGS:
                    post = scoring.post(self._model, PROBE, self._transport.base_url, whole=True)
                    ((_, outcome),) = self._transport.send([post])
                    if isinstance(outcome, RequestError | NotFoundError | ReplyError):
                        continue  # it does not know this way
                    if isinstance(outcome, ModelError):
                        raise outcome  # it is out of reach: that says nothing about what it can do
                    if trusted(scoring, outcome.body):
                        self._scoring = scoring
                        break
                else:
                    self._cannot_score = lacks(
                        self.name,
                        Capability.SCORE,
                        "its server returns no log-probabilities of the prompt "
                        f"(tried: {', '.join(scoring.name for scoring in SCORINGS)})",
                    )
                    raise self._cannot_score
            return self._scoring

    # -- choose -----------------------------------------------------------------------------

    def _choose(self, selections: Sequence[Selection]) -> Outcomes[Choice]:
        places: list[int] = []
        requests: list[Request] = []
        for index, selection in enumerate(selections):
            letters = choosing.needs_letters(selection.options)
            if letters and len(selection.options) > len(choosing.LETTERS):
                error = CapabilityError(f"{self.name} can choose among at most 26 such options")
                error.usage = Usage()  # it was never asked
                yield index, error
                continue
            request = choosing.with_letters(selection) if letters else selection.request
            plain = {"max_tokens": 1, "temperature": 0.0, "json_schema": None}
            places.append(index)
            requests.append(request.model_copy(update=plain))
        extra = {"logprobs": True, "top_logprobs": choosing.TOP}
        for nth, outcome in self._chats(requests, lambda body: None, extra):
            index = places[nth]
            if isinstance(outcome, RequestError) and "logprob" in outcome.what.lower():
                yield index, lacks(self.name, Capability.CHOOSE, "its server refuses log-probabilities")
            elif isinstance(outcome, ModelError):
                yield index, outcome
            else:
                estimate = self.prompt_tokens(requests[nth])
                yield index, choosing.read_choice(outcome, selections[index], self.name, estimate)


class OpenAIEncoder(Encoder):
    """An embedding model behind an OpenAI-compatible server."""

    def __init__(self, model: str, connection: Connection, *, batch: int = 64) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._transport = Transport(connection)
        self._batch = batch
        self._dimensions: int | None = None
        self._usage = Usage()
        self._counting = threading.Lock()

    @property
    def fingerprint(self) -> str:
        return f"{self._transport.base_url}#{self._model}"

    @property
    def dimensions(self) -> int:
        if self._dimensions is None:
            self.encode(["one word"])
        assert self._dimensions is not None
        return self._dimensions

    @property
    def usage(self) -> Usage:
        return self._usage

    def close(self) -> None:
        self._transport.close()

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        import numpy as np

        texts = checked_texts(texts)
        vectors = stack_vectors(self.encode_each(texts), len(texts), progress)
        return vectors if len(texts) else np.empty((0, self._dimensions or 0), dtype=np.float32)

    def encode_each(self, texts: Sequence[str]) -> Iterator[tuple[int, Vector | ModelError]]:
        texts = checked_texts(texts)
        if any(not text.strip() for text in texts):
            raise InputError("an empty text has no embedding", hint="leave empty texts out")
        starts = range(0, len(texts), self._batch)
        batches = [list(texts[start : start + self._batch]) for start in starts]
        posts = [
            Post("embeddings", {"model": self._model, "input": batch}, sum(len(t) // 4 for t in batch))
            for batch in batches
        ]
        started = time.perf_counter()
        for number, outcome in self._transport.send(posts):
            batch, first = batches[number], starts[number]
            try:
                if isinstance(outcome, ModelError):
                    raise outcome
                vectors = _read_vectors(outcome, len(batch))
                cost = usage_of(outcome.body, Usage(prompt_tokens=posts[number].tokens)) + outcome.wasted
            except ModelError as error:
                self._count(error.usage or Usage(calls=1), started)
                started = time.perf_counter()
                yield from ((first + index, error) for index in range(len(batch)))
                continue
            self._dimensions = vectors.shape[1]
            self._count(cost, started)
            started = time.perf_counter()
            for index, share in enumerate(cost.shares([len(text) for text in batch])):
                yield first + index, Vector(vectors[index], share)

    def _count(self, cost: Usage, started: float) -> None:
        with self._counting:
            self._usage += cost + Usage(seconds=time.perf_counter() - started)


def _read_vectors(reply: Reply, expected: int) -> NDArray[np.float32]:
    """The vectors in the order of the texts, with length 1."""
    import numpy as np

    try:
        data = sorted(reply.body["data"], key=lambda item: item["index"])
        vectors = np.array([item["embedding"] for item in data], dtype=np.float32)
        if vectors.shape[0] != expected or vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise ValueError(f"{vectors.shape} for {expected} texts")
    except (KeyError, TypeError, ValueError) as error:
        raise ReplyError(
            f"the server's embeddings cannot be used: {error}", body=str(reply.body)[:300]
        ) from error
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
