"""The embedded language models: SmolLM2-135M-Instruct, tuned or plain, and a larger one (CTranslate2)."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from probative.errors import ModelError
from probative.models.contract import Capability, Outcomes
from probative.models.embedded.engine import (
    CPU,
    EXACT,
    Device,
    Engine,
    device_for,
    device_mark,
    engine_cores,
    made,
    maker,
    number_type,
    shared_engine,
    text_tokenizer,
    workers_and_threads,
)
from probative.models.embedded.shipped import TUNED, known_names, language_model, unknown_model
from probative.models.embedded.store import Weights, weights_for
from probative.models.in_process import (
    LocalModel,
    Scored,
    Sequel,
    by_length,
    by_tokens,
    draw_seed,
    interruptible,
)
from probative.models.structured import in_words
from probative.models.types import Alternative, Completion, Request
from probative.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# One worker per core with one thread each, and small batches: 609 scored tokens/s on 2 cores,
# against 468 for one worker with two threads and the best batch size for that.
SCORE_BATCH_TOKENS = 256
SCORE_CHUNK_TOKENS = 8192
# The engine computes the logits of whole texts, so fewer long texts than cores are read at a time.
SCORE_LOGITS_BYTES = 2**30
GENERATE_BATCH = 16
# CTranslate2 reads one by one the tokens by which a prompt exceeds the shortest of its batch.
GENERATE_SPREAD = 16

END = "<|im_end|>"
_SEEDING = threading.Lock()
_ONE_TOKEN: dict[str, Any] = {"min_length": 1, "return_logits_vocab": True}


def open_model(rest: str, settings: Settings) -> EmbeddedModel:
    """Return the embedded language model of a name; without one, the tuned reader."""
    name = f"embedded:{rest}" if rest else "embedded"
    if (source := language_model(name)) is None:
        raise unknown_model(rest, " or ".join(map(repr, known_names())))
    return EmbeddedModel(
        weights_for(source, settings),
        threads=settings.threads,
        name=name,
        device=device_for(settings.device),
    )


class EmbeddedModel(LocalModel):
    """A language model in this process: it generates, scores and chooses without a key or a server.

    With the adapter of the package merged into its weights it is the tuned reader.
    """

    def __init__(
        self,
        weights: Weights,
        *,
        threads: int | None = None,
        name: str = "embedded",
        device: Device = CPU,
    ) -> None:
        from tokenizers import Tokenizer

        self.name = name
        self._weights = weights
        self._device = device
        facts = weights.facts
        self._window: int = facts["window"]
        self._first: int = facts["first_token"]
        self._system: str = facts["system"]
        self._cores = cores = threads or engine_cores()
        self._engine = shared_engine("Generator", weights.folder, cores, device)
        # Threads that wait for each other stall if another process uses a core: with two threads on two cores
        # an answer took 1.3 s on an idle machine and 3.7 s next to one busy process, with one thread 2.4 s in
        # both cases.
        exact = maker("Generator", weights.folder, threads=max(1, cores // 2), numbers=EXACT)
        self._exact = Engine(exact, lazy=True)
        # Two views of one tokenizer: text never becomes control tokens; the frame of a chat does.
        self._text = text_tokenizer(weights.folder)
        self._frame = Tokenizer.from_file(str(weights.folder / "tokenizer.json"))
        ids = self._frame.get_vocab(with_added_tokens=True)
        self._vocabulary = sorted(ids, key=ids.__getitem__)
        self._end = ids[END]

    @property
    def _writes_exactly(self) -> bool:
        """Whether it generates in float32: the small reader, whose weights are kept for that."""
        return self.name == TUNED

    @property
    def fingerprint(self) -> str:
        written = f"-{EXACT}" if self._writes_exactly else ""
        return f"ctranslate2-int8{written}{device_mark(self._device)}:{self._weights.fingerprint}"

    @property
    def reader(self) -> bool:
        return bool(self._weights.manifest.adapter_sha256)

    @property
    def window(self) -> int:
        return self._window

    @property
    def capabilities(self) -> frozenset[Capability]:
        return super().capabilities | {Capability.ALTERNATIVES}

    @property
    def _document_start(self) -> int:
        return self._first

    @property
    def _answer_end(self) -> int:
        return self._end

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Completion]:
        greedy: list[tuple[int, list[int]]] = []
        for index, request in enumerate(requests):
            ids = self._chat(request)
            problem = self._overflow(len(ids) + request.max_tokens, "the prompt and max_tokens")
            if problem is not None:
                yield index, problem
            elif request.temperature > 0:
                yield index, self._draw(request, ids)
            else:
                greedy.append((index, ids))
        forms = {
            index: (request.max_tokens, request.alternatives, request.stop)
            for index, _ in greedy
            for request in (requests[index],)
        }
        for form in sorted(set(forms.values())):
            group = [item for item in greedy if forms[item[0]] == form]
            for batch in by_length(group, size=max(1, GENERATE_BATCH // form[1]), spread=GENERATE_SPREAD):
                started = time.perf_counter()
                results = self._most_probable([ids for _, ids in batch], *form)
                seconds = (time.perf_counter() - started) / len(batch)
                for (index, ids), result in zip(batch, results, strict=True):
                    yield index, self._written(requests[index], ids, result, seconds)

    def _most_probable(
        self, prompts: Sequence[list[int]], max_tokens: int, alternatives: int, stop: tuple[str, ...]
    ) -> list[Any]:
        """Return the most probable texts after each prompt: greedily, or by a beam as wide as `alternatives`.

        With a length penalty of 0, the score of a text is its log-probability. A stop string that is a token
        ends a text.
        """
        beam: dict[str, Any] = {}
        if alternatives > 1:
            beam = {"beam_size": alternatives, "num_hypotheses": alternatives, "length_penalty": 0}
        return interruptible(
            lambda: self._write(
                self._writer(), prompts, max_tokens, stop, return_scores=alternatives > 1, **beam
            )
        )

    def _write(
        self,
        engine: Any,
        prompts: Sequence[Sequence[int]],
        max_tokens: int,
        stop: Sequence[str] = (),
        **options: Any,
    ) -> list[Any]:
        """Return what an engine writes after each prompt."""
        tokens, ends = [self._tokens(ids) for ids in prompts], [END]
        ends += [self._vocabulary[ids[0]] for text in stop if len(ids := self._text.encode(text).ids) == 1]
        results: list[Any] = engine.generate_batch(
            tokens, max_length=max_tokens, include_prompt_in_result=False, end_token=ends, **options
        )
        return results

    def _writer(self) -> Any:
        """Return the engine that generates; that of the reader is opened at its first use.

        In 8 bits the reader gave the answer of the trained model to only 53 of 60 questions: the two best
        tokens are often close, and 8 bits change their difference by 0.4 nats. An answer from 300 tokens
        takes 1.9 s on 2 cores instead of 1.2 s.
        """
        exact = self._writes_exactly and number_type(self._weights.folder) != EXACT
        return self._exact() if exact else self._engine()

    def _draw(self, request: Request, ids: list[int]) -> Completion | ModelError:
        """Return one draw. The random state of the engine belongs to its worker thread and is seeded when
        the thread starts, so a repeatable draw needs a new worker (0.1 s; some seconds for the large model).
        """
        import ctranslate2

        started = time.perf_counter()
        with _SEEDING:
            ctranslate2.set_random_seed(draw_seed(request))
            numbers = EXACT if self._writes_exactly else None
            device = CPU if self._writes_exactly else self._device
            folder = self._weights.folder
            _, threads = workers_and_threads(folder, self._cores)
            engine = made(maker("Generator", folder, threads=threads, numbers=numbers, device=device))
            sampling: dict[str, Any] = {
                "sampling_topp": request.top_p,
                "sampling_temperature": request.temperature,
            }
            (result,) = self._write(engine, [ids], request.max_tokens, sampling_topk=0, **sampling)
        return self._written(request, ids, result, time.perf_counter() - started)

    def _written(
        self, request: Request, prompt: list[int], result: Any, seconds: float
    ) -> Completion | ModelError:
        texts = [self._frame.decode(ids, skip_special_tokens=True) for ids in result.sequences_ids]
        completion = self._completion(request, len(prompt), texts[0], len(result.sequences_ids[0]), seconds)
        if request.alternatives == 1 or isinstance(completion, ModelError):
            return completion
        alternatives = (
            Alternative(text=text, log_probability=min(0.0, float(score)))
            for text, score in zip(texts, result.scores, strict=True)
        )
        return completion.model_copy(update={"alternatives": tuple(alternatives)})

    def _log_probabilities(self, sequels: list[Sequel]) -> Iterator[Scored]:
        ordered = sorted(sequels, key=lambda sequel: -len(sequel.ids))
        for chunk in by_tokens(ordered, SCORE_CHUNK_TOKENS, length=self._chunk_share):
            started = time.perf_counter()
            results = interruptible(
                partial(
                    self._engine().score_batch,
                    [self._tokens(sequel.ids) for sequel in chunk],
                    max_batch_size=SCORE_BATCH_TOKENS,
                    batch_type="tokens",
                    max_input_length=0,
                )
            )
            seconds = (time.perf_counter() - started) / len(chunk)
            for sequel, result in zip(chunk, results, strict=True):
                # The engine returns no value for the first token, so value i belongs to token i + 1.
                values = [float(value) for value in result.log_probs[sequel.start - 1 :]]
                yield Scored(sequel.key, values, len(sequel.ids), seconds)

    def _chunk_share(self, sequel: Sequel) -> int:
        """Return the share of a sequence in a chunk: its tokens, or more if its logits need much memory (each
        core works on one sequence).
        """
        size = len(sequel.ids)
        at_once = max(1, SCORE_LOGITS_BYTES // (4 * size * len(self._vocabulary)))
        return size if at_once >= self._cores else max(size, SCORE_CHUNK_TOKENS // at_once)

    def _option_scores(self, sequels: list[Sequel]) -> Iterator[Scored]:
        """Read options of one token from one pass over their prompt; score longer ones."""
        by_prompt: dict[tuple[int, ...], list[Sequel]] = {}
        for sequel in sequels:
            by_prompt.setdefault(tuple(sequel.ids[: sequel.start]), []).append(sequel)
        # On a graphics card, logits that CTranslate2 4.8 returned were often no numbers.
        short = {
            prompt: group
            for prompt, group in by_prompt.items()
            if self._device == CPU and all(len(sequel.ids) == sequel.start + 1 for sequel in group)
        }
        yield from self._log_probabilities(
            [sequel for prompt, group in by_prompt.items() if prompt not in short for sequel in group]
        )
        for batch in by_tokens(sorted(short, key=len, reverse=True), SCORE_BATCH_TOKENS, length=len):
            started = time.perf_counter()
            after = self._next_log_probabilities(batch)
            seconds = (time.perf_counter() - started) / len(batch)
            for row, prompt in zip(after, batch, strict=True):
                for nth, sequel in enumerate(short[prompt]):
                    cost = (len(prompt), seconds) if nth == 0 else (0, 0.0)
                    yield Scored(sequel.key, [float(row[sequel.ids[-1]])], *cost)

    def _next_log_probabilities(self, prompts: list[tuple[int, ...]]) -> NDArray[np.float64]:
        """Return the log-probability of every token after each prompt."""
        import numpy as np

        tokens = [self._tokens(ids) for ids in prompts]
        if len(tokens) == 1:  # only the logits of the last token: those of a long prompt would fill gigabytes
            (result,) = interruptible(lambda: self._write(self._engine(), prompts, 1, **_ONE_TOKEN))
            rows = np.asarray(result.logits[0][-1])[None].astype(np.float64)
        else:
            logits = np.asarray(interruptible(lambda: self._engine().forward_batch(tokens)))
            rows = logits[np.arange(len(prompts)), [len(ids) - 1 for ids in prompts]].astype(np.float64)
        rows -= rows.max(axis=1, keepdims=True)
        return np.asarray(rows - np.log(np.exp(rows).sum(axis=1, keepdims=True)))

    def _encode_texts(self, texts: Sequence[str]) -> list[tuple[list[int], list[tuple[int, int]]]]:
        return [(encoded.ids, encoded.offsets) for encoded in self._text.encode_batch(list(texts))]

    def _chat(self, request: Request) -> list[int]:
        """Return the tokens of the chat in the model's frame; the text of messages stays text."""
        turns = [(message.role, message.content) for message in in_words(request).messages]
        if turns[0][0] != "system" and self._system:
            turns.insert(0, ("system", self._system))
        ids: list[int] = []
        for role, content in turns:
            ids += self._frame.encode(f"<|im_start|>{role}\n").ids
            ids += self._text.encode(content).ids
            ids += self._frame.encode(f"{END}\n").ids
        return ids + self._frame.encode("<|im_start|>assistant\n").ids

    def _tokens(self, ids: Sequence[int]) -> list[str]:
        return [self._vocabulary[i] for i in ids]
