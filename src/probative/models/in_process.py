"""The common part of models that run in this process: scoring and choosing over token ids, in batches.

A subclass converts texts and chats to token ids, and computes the log-probabilities of the end of a token
sequence.

To score log P(continuation | prompt), the tokens of the continuation must be known. Encoding the two parts
separately gives different results for ``("a ", "b")`` and ``("a", " b")``, and tokens that do not occur in
running text. So the pair is encoded as one text. A token that extends into the continuation belongs to the
continuation.
"""

from __future__ import annotations

import math
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from probative.errors import ContextError, EmptyError, ModelError
from probative.models.contract import Capability, LanguageModel, Outcomes
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection, split_thinking
from probative.types import Usage


class Joined(NamedTuple):
    """The token ids of prompt and continuation, and the index of the continuation's first token."""

    ids: list[int]
    start: int


def join(ids: Sequence[int], offsets: Sequence[tuple[int, int]], cut: int, first: int | None) -> Joined:
    """Find the continuation's first token.

    `offsets` are the character spans of the tokens, `cut` is the length of the prompt in characters. A
    byte-level tokenizer gives all tokens of one character (an emoji) the same span, so they stay together.

    `first` is inserted before a continuation that starts the text, because the first token of a text has
    no probability.

    >>> join([11, 12, 13], [(0, 3), (3, 7), (7, 9)], cut=4, first=None)
    Joined(ids=[11, 12, 13], start=1)
    >>> join([11], [(0, 3)], cut=0, first=99)
    Joined(ids=[99, 11], start=1)
    """
    return joined(list(ids), next((i for i, (_, end) in enumerate(offsets) if end > cut), len(ids)), first)


def joined(ids: list[int], start: int, first: int | None) -> Joined:
    """Return the pair whose continuation starts at the token `start`; inserts `first` if `start` is 0."""
    if start == len(ids):
        # The tokenizer dropped the whole continuation; byte-level ones drop nothing.
        start = max(0, len(ids) - 1)
    if start == 0:
        if first is None:
            raise ValueError("the continuation starts the text, and the tokenizer has no start token")
        return Joined([first, *ids], 1)
    return Joined(ids, start)


class Sequel(NamedTuple):
    """A token sequence whose end `ids[start:]` is scored; `key` identifies it."""

    key: int
    ids: list[int]
    start: int


class Scored(NamedTuple):
    """The log-probabilities of a sequel's tokens, with the number of tokens read and the seconds."""

    key: int
    values: list[float]
    tokens: int
    seconds: float


class LocalModel(LanguageModel):
    """A language model in this process; it has all three verbs."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        return frozenset({Capability.GENERATE, Capability.SCORE, Capability.CHOOSE})

    @abstractmethod
    def _encode_texts(self, texts: Sequence[str]) -> list[tuple[list[int], list[tuple[int, int]]]]:
        """Return token ids with character offsets. Text never becomes control tokens."""

    @abstractmethod
    def _chat(self, request: Request) -> list[int]:
        """Return the token ids of a chat, up to the start of the model's answer."""

    @abstractmethod
    def _log_probabilities(self, sequels: list[Sequel]) -> Iterator[Scored]:
        """Score sequels, in any order and any batches."""

    @property
    def _before_text(self) -> list[int]:
        """The tokens that the model expects before every text."""
        return []

    @property
    @abstractmethod
    def _document_start(self) -> int | None:
        """The token before the first token of a text."""

    @property
    @abstractmethod
    def _answer_end(self) -> int:
        """The token that ends an answer."""

    def count_tokens(self, text: str) -> int:
        return len(self._encode_texts([text])[0][0])

    def prompt_tokens(self, request: Request) -> int:
        return len(self._chat(request))

    def choice_tokens(self, selection: Selection) -> int:
        prompt = self.prompt_tokens(selection.request)
        return sum(prompt + self.count_tokens(text) + 1 for _, text in spellings(selection.options))

    # -- score ------------------------------------------------------------------------------

    def _score(self, pairs: Sequence[Pair]) -> Outcomes[Score]:
        sequels: list[Sequel] = []
        for index, joined in enumerate(self._joined(pairs)):
            if (problem := self._overflow(len(joined.ids), "the prompt and its continuation")) is not None:
                yield index, problem
            else:
                sequels.append(Sequel(index, *joined))
        usages: dict[tuple[int, float], Usage] = {}  # many scores of a pass have the same cost
        for scored in self._log_probabilities(sequels):
            cost = (scored.tokens, scored.seconds)
            if cost not in usages:
                usages[cost] = Usage(calls=1, scored_tokens=scored.tokens, seconds=scored.seconds)
            yield (
                scored.key,
                Score(
                    log_probability=math.fsum(scored.values),
                    token_log_probabilities=tuple(scored.values),
                    model=self.name,
                    usage=usages[cost],
                ),
            )

    def _joined(self, pairs: Sequence[Pair]) -> list[Joined]:
        """Return the token ids of each pair, with the start of its continuation."""
        before, first = self._before_text, self._document_start
        no_offsets = [(0, 0)] * len(before)
        encoded = self._encode_texts([pair.prompt + pair.continuation for pair in pairs])
        return [
            join([*before, *ids], [*no_offsets, *offsets], len(pair.prompt), first)
            for pair, (ids, offsets) in zip(pairs, encoded, strict=True)
        ]

    # -- choose -----------------------------------------------------------------------------

    def _choose(self, selections: Sequence[Selection]) -> Outcomes[Choice]:
        """Yield the probability of each option as the start of the model's answer, as written or with a
        capital.

        If an option is the start of another ("yes" and "yes, partly"), the end of the answer is scored too,
        for all options: otherwise the shorter option would always win.
        """
        sequels: list[Sequel] = []
        origins: list[tuple[int, int]] = []  # by the sequel's key: the selection and the option
        counts: dict[int, int] = {}
        for index, selection in enumerate(selections):
            prompt = self._chat(selection.request)
            spelt = list(spellings(selection.options))
            options = [ids for ids, _ in self._encode_texts([text for _, text in spelt])]
            if has_prefix_option(options):
                options = [[*ids, self._answer_end] for ids in options]
            longest = len(prompt) + max(len(ids) for ids in options)
            if (problem := self._overflow(longest, "the prompt and its options")) is not None:
                yield index, problem
                continue
            counts[index] = len(options)
            for (option, _), ids in zip(spelt, options, strict=True):
                sequels.append(Sequel(len(origins), [*prompt, *ids], len(prompt)))
                origins.append((index, option))
        scores: dict[int, list[tuple[int, Scored]]] = {}
        for scored in self._option_scores(sequels):
            index, option = origins[scored.key]
            option_scores = scores.setdefault(index, [])
            option_scores.append((option, scored))
            if len(option_scores) == counts[index]:
                yield index, self._choice(selections[index], option_scores)

    def _option_scores(self, sequels: list[Sequel]) -> Iterator[Scored]:
        """Score the sequels of options; an engine with a cheaper way overrides this."""
        return self._log_probabilities(sequels)

    def _choice(self, selection: Selection, scores: list[tuple[int, Scored]]) -> Choice:
        sums = [(option, math.fsum(scored.values)) for option, scored in scores]
        highest = max(value for _, value in sums)
        weights = [0.0] * len(selection.options)
        for option, value in sums:
            weights[option] += math.exp(value - highest)
        whole = math.fsum(weights)
        return Choice(
            options=selection.options,
            probabilities=tuple(weight / whole for weight in weights),
            coverage=min(1.0, math.exp(highest) * whole),
            model=self.name,
            usage=Usage(
                calls=1,
                scored_tokens=sum(scored.tokens for _, scored in scores),
                seconds=math.fsum(scored.seconds for _, scored in scores),
            ),
        )

    # -- generate ---------------------------------------------------------------------------

    def _completion(
        self, request: Request, prompt_tokens: int, text: str, written: int, seconds: float
    ) -> Completion | ModelError:
        """Return the completion, cut at the request's stop strings; an error if it is empty."""
        finished = written < request.max_tokens
        usage = Usage(calls=1, prompt_tokens=prompt_tokens, completion_tokens=written, seconds=seconds)
        thinking, text = split_thinking(text)
        for stop in request.stop:
            if stop in text:
                text, finished = text[: text.index(stop)], True
        if not text.strip():
            error = EmptyError(
                "the model wrote its thinking and no answer" if thinking else "the model wrote nothing",
                hint="raise max_tokens" if thinking else "rephrase the prompt, or use another model",
            )
            error.usage = usage
            return error
        return Completion(
            text=text,
            finish_reason="stop" if finished else "length",
            model=self.name,
            reasoning=thinking or None,
            usage=usage,
        )

    def _overflow(self, tokens: int, what: str) -> ContextError | None:
        """Return an error if `tokens` do not fit the model's window; `what` names the text."""
        if self.window is None or tokens <= self.window:
            return None
        error = ContextError(
            f"{what} have {tokens:,} tokens, and {self.name} reads at most {self.window:,}",
            tokens=tokens,
            window=self.window,
        )
        error.usage = Usage()  # no call was made
        return error


def draw_seed(request: Request) -> int:
    """Return the seed of a draw: the same for the same request, different for another `sample`."""
    return ((request.seed or 0) * 1_000_003 + request.sample) % 2**31


def spellings(options: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield each option as written and with a capital, unless that is another option.

    >>> list(spellings(["yes", "No"]))
    [(0, 'yes'), (0, 'Yes'), (1, 'No')]
    """
    plain = [option.strip() for option in options]
    capitals = [option[0].upper() + option[1:] for option in plain]
    for index, (option, capital) in enumerate(zip(plain, capitals, strict=True)):
        yield index, option
        if capital not in plain and capitals.count(capital) == 1:
            yield index, capital


def has_prefix_option(options: list[list[int]]) -> bool:
    """Return whether the tokens of an option are the first tokens of another.

    >>> has_prefix_option([[5], [5, 6]]), has_prefix_option([[5], [6]])
    (True, False)
    """
    return any(a is not b and b[: len(a)] == a for a in options for b in options)


Item = TypeVar("Item")
Result = TypeVar("Result")


def by_tokens(
    items: Iterable[Item], max_tokens: int, *, length: Callable[[Item], int]
) -> Iterator[list[Item]]:
    """Yield batches of consecutive items whose padded size (number × longest) is at most `max_tokens`.

    A longer item is a batch of its own.

    >>> list(by_tokens([3, 3, 2, 2, 9], 6, length=lambda item: item))
    [[3, 3], [2, 2], [9]]
    """
    batch: list[Item] = []
    longest = 0
    for item in items:
        longest = max(longest, length(item))
        if batch and longest * (len(batch) + 1) > max_tokens:
            yield batch
            batch, longest = [], length(item)
        batch.append(item)
    if batch:
        yield batch


def by_length(
    items: Iterable[tuple[int, list[int]]], *, size: int, spread: int
) -> Iterator[list[tuple[int, list[int]]]]:
    """Yield batches of at most `size` sequences whose lengths differ by at most `spread`.

    >>> [[key for key, _ in batch] for batch in by_length(
    ...     [(0, [1] * 9), (1, [1] * 2), (2, [1] * 3)], size=8, spread=2)]
    [[1, 2], [0]]
    """
    batch: list[tuple[int, list[int]]] = []
    for item in sorted(items, key=lambda item: len(item[1])):
        if batch and (len(batch) == size or len(item[1]) - len(batch[0][1]) > spread):
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch


def interruptible(call: Callable[[], Result]) -> Result:
    """Return what `call` returns; a `KeyboardInterrupt` does not wait for it.

    A native call gives Python no chance to handle a signal until it returns, and reading a text of 8,000
    tokens takes a minute. So the main thread has another one make the call and waits for it: waiting can be
    interrupted. The call itself goes on in the background until it is done.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()  # signals reach the main thread only
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    # A daemon: Python must be able to end although the call does not.
    worker = threading.Thread(target=run, name="probative-engine", daemon=True)
    worker.start()
    worker.join()
    if errors:
        raise errors[0]
    return results[0]
