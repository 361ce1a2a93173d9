"""`score` over HTTP, for the servers that can: three dialects, and a probe that finds which one.

Several servers take a request for prompt log-probabilities and quietly return none, and a harness
that reads those as zeros scores at chance. So nothing is believed without a probe: a known text is
scored first, and the reply must cover the whole text, token by token, with finite negative numbers.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from probative.errors import ReplyError
from probative.models.openai.connection import Post
from probative.models.types import Pair

PROBE = Pair(prompt="The sun rises in the", continuation=" east and sets in the west.")


class Token(NamedTuple):
    """A token's text and its log-probability (None for the first of a text)."""

    text: str
    log_probability: float | None


class Scoring(ABC):
    """One way to ask a server for the log-probabilities of a text."""

    name: str
    partial = False
    """Whether a reply covers the end of a text only, so that it may be empty."""

    @abstractmethod
    def post(self, model: str, pair: Pair, base_url: str, *, whole: bool = False) -> Post:
        """What to send; `whole` asks for every token, where the end alone was too little."""

    @abstractmethod
    def tokens(self, body: dict[str, Any]) -> list[Token]:
        """The tokens of the text's end, as far back as the reply goes; raises if it has none."""

    def read(self, body: dict[str, Any], pair: Pair) -> list[float]:
        """Return the log-probabilities of the continuation's tokens."""
        return continuation(self.tokens(body), pair)

    def check(self, body: dict[str, Any]) -> None:
        """Raise a `ReplyError` for a reply without log-probabilities, from a server that can give them."""
        try:
            tokens = self.tokens(body)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise ReplyError("the reply contains no log-probabilities", body=str(body)[:500]) from error
        if not tokens and not self.partial:
            raise ReplyError("the reply contains no log-probabilities", body=str(body)[:500])

    def check_form(self, body: dict[str, Any]) -> None:
        """Raise a `ReplyError` for a reply that is no completion at all."""
        choices = body.get("choices")
        if not (isinstance(choices, list) and choices and isinstance(choices[0], dict)):
            raise ReplyError("the reply contains no completion", body=str(body)[:500])


class Echo(Scoring):
    """vLLM and others: a completion that repeats its prompt with log-probabilities."""

    name = "echo"

    def post(self, model: str, pair: Pair, base_url: str, *, whole: bool = False) -> Post:
        text = pair.prompt + pair.continuation
        body = {
            "model": model,
            "prompt": text,
            "max_tokens": 1,
            "temperature": 0,
            "echo": True,
            "logprobs": 1,
        }
        return Post("completions", body)

    def tokens(self, body: dict[str, Any]) -> list[Token]:
        given = body["choices"][0]["logprobs"]
        found = [
            Token(text, value) for text, value in zip(given["tokens"], given["token_logprobs"], strict=True)
        ]
        return found[:-1]  # the last token is the one that was generated


class PromptLogprobs(Scoring):
    """vLLM's own field, for versions or models where echo is off."""

    name = "prompt_logprobs"

    def post(self, model: str, pair: Pair, base_url: str, *, whole: bool = False) -> Post:
        text = pair.prompt + pair.continuation
        return Post(
            "completions",
            {"model": model, "prompt": text, "max_tokens": 1, "temperature": 0, "prompt_logprobs": 0},
        )

    def tokens(self, body: dict[str, Any]) -> list[Token]:
        given = body["choices"][0]["prompt_logprobs"]
        found = []
        for entry in given:
            if entry is None:
                found.append(Token("", None))
                continue
            # The prompt's own token is listed first; a more probable one may stand beside it.
            chosen: dict[str, Any] = next(iter(entry.values()), {})
            found.append(Token(chosen["decoded_token"], chosen["logprob"]))
        return found


class SGLang(Scoring):
    """SGLang's native route, which scores the end of a text and keeps its prefix cache for the rest."""

    name = "sglang"
    partial = True

    def post(self, model: str, pair: Pair, base_url: str, *, whole: bool = False) -> Post:
        text = pair.prompt + pair.continuation
        # Where the continuation starts is known in characters, not in tokens. A token has about
        # 4 bytes; starting at a sixth of the bytes is early enough for ordinary text. Where it is
        # not, `continuation` notices that the reply does not reach back far enough.
        start = 0 if whole else len(pair.prompt.encode()) // 6
        body = {
            "text": text,
            "sampling_params": {"max_new_tokens": 1, "temperature": 0},
            "return_logprob": True,
            "logprob_start_len": max(0, start - 1),
            "return_text_in_logprobs": True,
        }
        root = base_url.rstrip("/").removesuffix("/v1")
        return Post(f"{root}/generate", body)

    def tokens(self, body: dict[str, Any]) -> list[Token]:
        return [Token(entry[2], entry[0]) for entry in body["meta_info"]["input_token_logprobs"]]

    def check_form(self, body: dict[str, Any]) -> None:
        if not isinstance(body.get("meta_info"), dict):
            raise ReplyError("the reply contains no completion", body=str(body)[:500])


SCORINGS: Sequence[Scoring] = (Echo(), PromptLogprobs(), SGLang())


class TooShortError(ReplyError):
    """The log-probabilities do not reach back to where the continuation starts."""


def continuation(tokens: list[Token], pair: Pair) -> list[float]:
    """The log-probabilities of the tokens that reach into the continuation, counted from the end.

    A character of several tokens (an emoji, many a Chinese one) comes back as replacement marks; a run
    of those stands for the characters between its neighbours.

    >>> continuation([Token("The", None), Token(" sun", -2.0), Token(" set", -1.0)],
    ...              Pair(prompt="The ", continuation="sun set"))
    [-2.0, -1.0]
    >>> continuation([Token("I", None), Token(" ", -1.0), Token("\ufffd", -2.0), Token("\ufffd", -3.0)],
    ...              Pair(prompt="I ", continuation="🦜"))
    [-2.0, -3.0]
    """
    text = pair.prompt + pair.continuation
    cut = len(pair.prompt)
    found: list[float] = []
    end, run = len(text), 0  # `run`: how many tokens before `end` are marks whose characters are not known
    for token in reversed(tokens):
        piece, value = token.text, token.log_probability
        if end <= cut and not run and piece:
            break
        if value is None or not math.isfinite(value):
            if run and "\ufffd" not in piece:
                end = _before_run(text, piece, end, run, cut, found)[1]
            break
        if end <= cut and not run:  # an unfinished piece of the character that was just taken
            found.append(value)
            continue
        known = piece.strip("\ufffd")
        if piece.endswith("\ufffd") and not known:
            found.append(value)
            run += 1
        elif piece.endswith("\ufffd"):  # what is known stands before the run: a space, mostly
            found.append(value)
            start, _ = _before_run(text, known, end, run + 1, cut, found)
            end, run = start, 0
        elif run:
            start, end = _before_run(text, known, end, run, cut, found)
            run = 0
            if end > cut:
                found.append(value)
                end = start
        else:
            if not text.startswith(known, end - len(known)):
                raise _misspelt(piece)
            found.append(value)
            end -= len(known)
            run = 1 if piece != known else 0
    if end > cut:
        raise TooShortError(
            "the server's log-probabilities do not reach back to where the continuation starts",
            hint="give the continuation some prompt before it",
            final=True,
        )
    return found[::-1]


def _before_run(text: str, known: str, end: int, run: int, cut: int, found: list[float]) -> tuple[int, int]:
    """Where the piece before a run of marks starts and ends. A run that reaches over the cut is shared out
    evenly among its characters, and the prompt's part of it is taken back.
    """
    start = text.rfind(known, 0, end - 1)
    between = text[start + len(known) : end]
    if start < 0 or any(character.isascii() for character in between):
        raise _misspelt(known)
    first = start + len(known)
    if first < cut < end:
        if run % len(between):
            raise ReplyError("the cut falls into a run of tokens that have no text of their own", final=True)
        del found[len(found) - (cut - first) * (run // len(between)) :]
    return start, first


def _misspelt(piece: str) -> ReplyError:
    return ReplyError(f"the server's tokens do not spell the text it was given (at {piece!r})", final=True)


def trusted(scoring: Scoring, body: dict[str, Any]) -> bool:
    """Whether a probe's reply really scores the text: all of it, with finite numbers that are not all 0."""
    try:
        values = scoring.read(body, PROBE)
    except (ReplyError, KeyError, IndexError, TypeError, ValueError, AttributeError, StopIteration):
        return False
    return (
        len(values) >= 3 and all(value <= 1e-6 for value in values) and any(value < -1e-6 for value in values)
    )
