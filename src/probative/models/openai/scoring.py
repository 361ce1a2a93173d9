"""`score` over HTTP in three dialects, and a probe that finds which one a server speaks.

Several servers accept a request for prompt log-probabilities and return none; a client that reads them as
zeros scores at chance. So every server is probed first: it scores a known text, and its reply must cover the
whole text, token by token, with finite negative numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from probative.errors import ReplyError
from probative.models.openai.connection import Post
from probative.models.types import Pair

PROBE = Pair(prompt="The sun rises in the", continuation=" east and sets in the west.")


class Token(NamedTuple):
    """The text of a token and its log-probability (None for the first token of a text)."""

    text: str
    log_probability: float | None


class Scoring(NamedTuple):
    """One way to ask a server for the log-probabilities of a text.

    `fields` are those of a completion that asks for them; a way without them has SGLang's own route, which
    scores the end of a text and uses its prefix cache for the start. `tokens` returns the tokens at the end
    of the text that a reply covers; raises if it has none.
    """

    name: str
    tokens: Callable[[dict[str, Any]], list[Token]]
    fields: dict[str, Any] | None = None

    def post(self, model: str, pair: Pair, base_url: str, *, whole: bool = False) -> Post:
        """Return the request; `whole` requests every token, in case the end alone is not enough."""
        text = pair.prompt + pair.continuation
        if self.fields is not None:
            body = {"model": model, "prompt": text, "max_tokens": 1, "temperature": 0, **self.fields}
            return Post("completions", body)
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

    def read(self, body: dict[str, Any], pair: Pair) -> list[float]:
        """Return the log-probabilities of the continuation's tokens."""
        return continuation(self.tokens(body), pair)

    def check(self, body: dict[str, Any]) -> None:
        """Raise a `ReplyError` for a reply without log-probabilities, from a server that can give them.

        A reply that covers only the end of a text may be empty.
        """
        missing = ReplyError("the reply contains no log-probabilities", body=str(body)[:500])
        try:
            tokens = self.tokens(body)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise missing from error
        if not tokens and self.fields is not None:
            raise missing

    def check_form(self, body: dict[str, Any]) -> None:
        """Raise a `ReplyError` for a reply that is no completion at all."""
        choices = body.get("choices")
        completion = isinstance(choices, list) and choices and isinstance(choices[0], dict)
        if not (isinstance(body.get("meta_info"), dict) if self.fields is None else completion):
            raise ReplyError("the reply contains no completion", body=str(body)[:500])


def _echoed(body: dict[str, Any]) -> list[Token]:
    logprobs = body["choices"][0]["logprobs"]
    tokens = [Token(*pair) for pair in zip(logprobs["tokens"], logprobs["token_logprobs"], strict=True)]
    return tokens[:-1]  # the last token is the one that was generated


def _of_prompt(body: dict[str, Any]) -> list[Token]:
    tokens = []
    for entry in body["choices"][0]["prompt_logprobs"]:
        if entry is None:
            tokens.append(Token("", None))
            continue
        # The prompt's own token is listed first; a more probable one may follow.
        chosen: dict[str, Any] = next(iter(entry.values()), {})
        tokens.append(Token(chosen["decoded_token"], chosen["logprob"]))
    return tokens


def _of_sglang(body: dict[str, Any]) -> list[Token]:
    return [Token(entry[2], entry[0]) for entry in body["meta_info"]["input_token_logprobs"]]


SCORINGS = (
    Scoring("echo", _echoed, {"echo": True, "logprobs": 1}),  # vLLM and others repeat the prompt
    Scoring("prompt_logprobs", _of_prompt, {"prompt_logprobs": 0}),  # vLLM, without echo
    Scoring("sglang", _of_sglang),
)


class TooShortError(ReplyError):
    """The log-probabilities do not reach back to the start of the continuation."""


def continuation(tokens: list[Token], pair: Pair) -> list[float]:
    """Return the log-probabilities of the tokens that extend into the continuation, found from the end.

    The tokens of a character with several tokens (an emoji, some Chinese characters) have replacement marks
    as text; a run of marks stands for the characters between its neighbours.
    """
    text = pair.prompt + pair.continuation
    cut = len(pair.prompt)
    values: list[float] = []
    end, run = len(text), 0  # `run`: how many tokens before `end` are marks whose characters are not known
    for token in reversed(tokens):
        piece, value = token.text, token.log_probability
        if end <= cut and not run and piece:
            break
        if value is None or not math.isfinite(value):
            if run and "\ufffd" not in piece:
                end = _before_run(text, piece, end, run, cut, values)[1]
            break
        if end <= cut and not run:  # an unfinished piece of the character that was just taken
            values.append(value)
            continue
        spelt = piece.strip("\ufffd")
        if piece.endswith("\ufffd") and not spelt:
            values.append(value)
            run += 1
        elif piece.endswith("\ufffd"):  # what is known stands before the run: a space, mostly
            values.append(value)
            start, _ = _before_run(text, spelt, end, run + 1, cut, values)
            end, run = start, 0
        elif run:
            start, end = _before_run(text, spelt, end, run, cut, values)
            run = 0
            if end > cut:
                values.append(value)
                end = start
        else:
            if not text.startswith(spelt, end - len(spelt)):
                raise _misspelt(piece)
            values.append(value)
            end -= len(spelt)
            run = 1 if piece != spelt else 0
    if end > cut:
        raise TooShortError(
            "the server's log-probabilities do not reach back to the start of the continuation",
            hint="use a longer prompt before the continuation",
            final=True,
        )
    return values[::-1]


def _before_run(text: str, spelt: str, end: int, run: int, cut: int, values: list[float]) -> tuple[int, int]:
    """Return the start and end of the piece before a run of marks. A run across the cut is divided evenly
    among its characters, and the prompt's part is removed from `values`.
    """
    start = text.rfind(spelt, 0, end - 1)
    between = text[start + len(spelt) : end]
    if start < 0 or any(character.isascii() for character in between):
        raise _misspelt(spelt)
    first = start + len(spelt)
    if first < cut < end:
        if run % len(between):
            raise ReplyError(
                "the start of the continuation is inside a run of tokens without text", final=True
            )
        del values[len(values) - (cut - first) * (run // len(between)) :]
    return start, first


def _misspelt(piece: str) -> ReplyError:
    return ReplyError(f"the server's tokens do not spell the text (at {piece!r})", final=True)


def trusted(scoring: Scoring, body: dict[str, Any]) -> bool:
    """Return whether a reply scores the whole probe, with finite numbers that are not all 0."""
    try:
        values = scoring.read(body, PROBE)
    except (ReplyError, KeyError, IndexError, TypeError, ValueError, AttributeError, StopIteration):
        return False
    return (
        len(values) >= 3 and all(value <= 1e-6 for value in values) and any(value < -1e-6 for value in values)
    )
