"""The embedded language model: SmolLM2-135M-Instruct, 8-bit, on the CPU, through CTranslate2."""

from __future__ import annotations

import json
import math
import os
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from probative.errors import ContextError, EmptyError, ModelError
from probative.models.contract import (
    Capability,
    Choice,
    Completion,
    LanguageModel,
    Outcomes,
    Pair,
    Request,
    Score,
    Selection,
)
from probative.models.embedded.batches import by_length, by_tokens
from probative.models.embedded.store import Weights
from probative.models.schema import in_words
from probative.models.tokens import join
from probative.usage import Usage

# One worker a core with one thread each, and small batches: 609 scored tokens/s on 2 cores,
# against 468 for one worker with two threads and the best batch size for that.
SCORE_BATCH_TOKENS = 256
SCORE_CHUNK_TOKENS = 8192
GENERATE_BATCH = 16
# CTranslate2 feeds the tokens by which a prompt exceeds the shortest of its batch one by one.
GENERATE_SPREAD = 16

END = "<|im_end|>"


class EmbeddedModel(LanguageModel):
    """SmolLM2-135M-Instruct in this process: generates, scores and chooses without a key or a server."""

    def __init__(self, weights: Weights, *, threads: int | None = None, name: str = "embedded") -> None:
        import ctranslate2
        from tokenizers import Tokenizer

        self.name = name
        self._weights = weights
        facts = json.loads((weights.folder / "facts.json").read_text(encoding="utf-8"))
        self._window: int = facts["window"]
        self._first: int = facts["first_token"]
        self._system: str = facts["system"]
        self._threads = threads or available_cores()
        self._engine = ctranslate2.Generator(
            str(weights.folder), compute_type="int8", inter_threads=self._threads, intra_threads=1
        )
        tokenizer_file = str(weights.folder / "tokenizer.json")
        # Two views of one tokenizer: the caller's text never turns into control tokens, however
        # it is written; the chat's own frame does.
        self._text = Tokenizer.from_file(tokenizer_file)
        self._text.encode_special_tokens = True
        self._frame = Tokenizer.from_file(tokenizer_file)
        ids = self._frame.get_vocab(with_added_tokens=True)
        self._vocabulary = sorted(ids, key=ids.__getitem__)
        self._end = ids[END]

    @property
    def capabilities(self) -> frozenset[Capability]:
        return frozenset({Capability.GENERATE, Capability.SCORE, Capability.CHOOSE})

    @property
    def fingerprint(self) -> str:
        return f"ctranslate2-int8:{self._weights.fingerprint}"

    @property
    def window(self) -> int:
        return self._window

    def count_tokens(self, text: str) -> int:
        return len(self._text.encode(text).ids)

    # -- generate ---------------------------------------------------------------------------

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Completion]:
        greedy: list[tuple[int, list[int]]] = []
        for index, request in enumerate(requests):
            ids = self._chat(request)
            if len(ids) + request.max_tokens > self._window:
                yield index, self._too_long(len(ids) + request.max_tokens, "the prompt and max_tokens")
            elif request.temperature > 0:
                yield index, self._sampled(request, ids)
            else:
                greedy.append((index, ids))
        for max_tokens in sorted({requests[index].max_tokens for index, _ in greedy}):
            alike = [item for item in greedy if requests[item[0]].max_tokens == max_tokens]
            for batch in by_length(alike, size=GENERATE_BATCH, spread=GENERATE_SPREAD):
                started = time.perf_counter()
                results = self._engine.generate_batch(
                    [self._tokens(ids) for _, ids in batch],
                    max_length=max_tokens,
                    include_prompt_in_result=False,
                    end_token=[END],
                )
                seconds = (time.perf_counter() - started) / len(batch)
                for (index, ids), result in zip(batch, results, strict=True):
                    yield (
                        index,
                        self._completion(requests[index], ids, result.sequences_ids[0], seconds),
                    )

    def _sampled(self, request: Request, ids: list[int]) -> Completion | ModelError:
        """One draw. The engine's random state belongs to its worker thread and is seeded when the
        thread starts, so a draw that can be repeated needs a worker of its own (0.1 s).
        """
        import ctranslate2

        started = time.perf_counter()
        with _SEEDING:
            ctranslate2.set_random_seed((request.seed or 0) * 1_000_003 % 2**31 + request.sample)
            engine = ctranslate2.Generator(
                str(self._weights.folder), compute_type="int8", inter_threads=1, intra_threads=1
            )
            result = engine.generate_batch(
                [self._tokens(ids)],
                max_length=request.max_tokens,
                include_prompt_in_result=False,
                end_token=[END],
                sampling_topk=0,
                sampling_topp=request.top_p,
                sampling_temperature=request.temperature,
            )[0]
        return self._completion(request, ids, result.sequences_ids[0], time.perf_counter() - started)

    def _completion(
        self, request: Request, prompt: list[int], written: list[int], seconds: float
    ) -> Completion | ModelError:
        text = self._frame.decode(written, skip_special_tokens=True)
        finished = len(written) < request.max_tokens
        for stop in request.stop:
            if stop in text:
                text, finished = text[: text.index(stop)], True
        if not text.strip():
            return EmptyError("the model wrote nothing", mend="rephrase the prompt, or use another model")
        return Completion(
            text=text,
            finish_reason="stop" if finished else "length",
            model=self.name,
            usage=Usage(
                calls=1,
                prompt_tokens=len(prompt),
                completion_tokens=len(written),
                seconds=seconds,
            ),
        )

    # -- score ------------------------------------------------------------------------------

    def _score(self, pairs: Sequence[Pair]) -> Outcomes[Score]:
        encodings = self._text.encode_batch([pair.prompt + pair.continuation for pair in pairs])
        sequences: list[tuple[int, list[int], int]] = []
        for index, (pair, encoding) in enumerate(zip(pairs, encodings, strict=True)):
            joined = join(encoding.ids, encoding.offsets, len(pair.prompt), self._first)
            if len(joined.ids) > self._window:
                yield index, self._too_long(len(joined.ids), "the prompt and its continuation")
            else:
                sequences.append((index, joined.ids, joined.start))
        for index, log_probabilities, tokens, seconds in self._log_probabilities(sequences):
            yield (
                index,
                Score(
                    log_probability=math.fsum(log_probabilities),
                    token_log_probabilities=tuple(log_probabilities),
                    model=self.name,
                    usage=Usage(calls=1, scored_tokens=tokens, seconds=seconds),
                ),
            )

    def _log_probabilities(
        self, sequences: list[tuple[int, list[int], int]]
    ) -> Iterator[tuple[int, list[float], int, float]]:
        """For (key, ids, start): the key, the log-probabilities of ids[start:], the tokens read and
        the seconds they took.
        """
        ordered = sorted(sequences, key=lambda item: -len(item[1]))
        for chunk in by_tokens(ordered, SCORE_CHUNK_TOKENS, length=lambda item: len(item[1])):
            started = time.perf_counter()
            results = self._engine.score_batch(
                [self._tokens(ids) for _, ids, _ in chunk],
                max_batch_size=SCORE_BATCH_TOKENS,
                batch_type="tokens",
                max_input_length=0,
            )
            seconds = (time.perf_counter() - started) / len(chunk)
            for (key, ids, start), result in zip(chunk, results, strict=True):
                # The engine gives nothing for the first token, so entry i belongs to token i + 1.
                yield key, [float(value) for value in result.log_probs[start - 1 :]], len(ids), seconds

    # -- choose -----------------------------------------------------------------------------

    def _choose(self, selections: Sequence[Selection]) -> Outcomes[Choice]:
        """The probability of each option as the beginning of the model's answer, as it is written or
        with a capital.

        Where one option begins another ("yes" and "yes, partly"), the end of the answer is
        counted too, for all of them; otherwise the shorter would always win.
        """
        sequences: list[tuple[int, list[int], int]] = []
        places: list[tuple[int, int]] = []
        prompts: dict[int, list[int]] = {}
        counts: dict[int, int] = {}
        for index, selection in enumerate(selections):
            prompt = self._chat(selection.request)
            spellings = [(place, text) for place, text in _spellings(selection.options)]
            options = [self._text.encode(text).ids for _, text in spellings]
            if _one_begins_another(options):
                options = [[*ids, self._end] for ids in options]
            longest = len(prompt) + max(len(ids) for ids in options)
            if longest > self._window:
                yield index, self._too_long(longest, "the prompt and its options")
                continue
            prompts[index] = prompt
            counts[index] = len(options)
            for (place, _), ids in zip(spellings, options, strict=True):
                sequences.append((len(places), [*prompt, *ids], len(prompt)))
                places.append((index, place))
        found: dict[int, list[_Scored]] = {}
        for key, values, tokens, seconds in self._option_scores(sequences, prompts, places):
            index, place = places[key]
            scores = found.setdefault(index, [])
            scores.append(_Scored(place, math.fsum(values), tokens, seconds))
            if len(scores) == counts[index]:
                yield index, self._choice(selections[index], scores)

    def _option_scores(
        self,
        sequences: list[tuple[int, list[int], int]],
        prompts: dict[int, list[int]],
        places: list[tuple[int, int]],
    ) -> Iterator[tuple[int, list[float], int, float]]:
        """Options of one token are read off one pass over their prompt; longer ones are scored."""
        of_prompt: dict[int, list[tuple[int, list[int], int]]] = {}
        for sequence in sequences:
            of_prompt.setdefault(places[sequence[0]][0], []).append(sequence)
        short = {
            index: group
            for index, group in of_prompt.items()
            if all(len(ids) == start + 1 for _, ids, start in group)
        }
        long = [s for index, group in of_prompt.items() if index not in short for s in group]
        yield from self._log_probabilities(long)
        ordered = sorted(short, key=lambda index: -len(prompts[index]))
        for batch in by_tokens(ordered, SCORE_BATCH_TOKENS, length=lambda index: len(prompts[index])):
            started = time.perf_counter()
            last = self._last_log_probabilities([prompts[index] for index in batch])
            seconds = (time.perf_counter() - started) / len(batch)
            for row, index in enumerate(batch):
                for nth, (key, ids, _) in enumerate(short[index]):
                    cost = (len(prompts[index]), seconds) if nth == 0 else (0, 0.0)
                    yield key, [float(last[row][ids[-1]])], *cost

    def _last_log_probabilities(self, prompts: list[list[int]]) -> Any:
        import numpy as np

        logits = np.asarray(self._engine.forward_batch([self._tokens(ids) for ids in prompts]))
        rows = logits[np.arange(len(prompts)), [len(ids) - 1 for ids in prompts]].astype(np.float64)
        rows -= rows.max(axis=1, keepdims=True)
        return rows - np.log(np.exp(rows).sum(axis=1, keepdims=True))

    def _choice(self, selection: Selection, scores: list[_Scored]) -> Choice:
        highest = max(scored.value for scored in scores)
        weights = [0.0] * len(selection.options)
        for scored in scores:
            weights[scored.place] += math.exp(scored.value - highest)
        whole = math.fsum(weights)
        return Choice(
            options=selection.options,
            probabilities=tuple(weight / whole for weight in weights),
            coverage=min(1.0, math.exp(highest) * whole),
            model=self.name,
            usage=Usage(
                calls=1,
                scored_tokens=sum(scored.tokens for scored in scores),
                seconds=math.fsum(scored.seconds for scored in scores),
            ),
        )

    # -- tokens -----------------------------------------------------------------------------

    def _chat(self, request: Request) -> list[int]:
        """The chat in the model's own frame; the messages' text stays text."""
        turns = [(message.role, message.content) for message in in_words(request).messages]
        if turns[0][0] != "system" and self._system:
            turns.insert(0, ("system", self._system))
        ids: list[int] = []
        for role, content in turns:
            ids += self._frame.encode(f"<|im_start|>{role}\n").ids
            ids += self._text.encode(content).ids
            ids += self._frame.encode(f"{END}\n").ids
        return ids + self._frame.encode("<|im_start|>assistant\n").ids

    def _tokens(self, ids: list[int]) -> list[str]:
        return [self._vocabulary[i] for i in ids]

    def _too_long(self, tokens: int, what: str) -> ModelError:
        return ContextError(
            f"{what} make {tokens:,} tokens, and {self.name} reads {self._window:,}",
            tokens=tokens,
            window=self._window,
        )


_SEEDING = threading.Lock()


class _Scored(NamedTuple):
    """One spelling of an option: which option, its log-probability, and what that cost."""

    place: int
    value: float
    tokens: int
    seconds: float


def _spellings(options: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Each option as written and with a capital, where that is not another option."""
    plain = [option.strip() for option in options]
    for place, option in enumerate(plain):
        yield place, option
        capital = option[0].upper() + option[1:]
        if capital not in plain:
            yield place, capital


def _one_begins_another(options: list[list[int]]) -> bool:
    return any(a is not b and b[: len(a)] == a for a in options for b in options)


def available_cores() -> int:
    """The cores this process may use, at most 8: more workers cost memory and rarely help."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(available or 1, 8)
