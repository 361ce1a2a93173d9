"""Score token sequences with a transformers model, many in one pass, common prefixes read once."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from probative.errors import ModelError
from probative.models.hf.prefixes import Row, alone, fill, lay_out, pack
from probative.models.hf.runtime import free_memory
from probative.models.in_process import Scored, Sequel, by_tokens, interruptible

# Padded tokens in one pass: enough to fill a CPU's caches, or a GPU.
CPU_TOKENS = 1024
GPU_TOKENS = 65_536
# Numbers that the head computes in one pass: this many, or a sixteenth of a GPU's free memory if more.
LOGITS = 2**28
# Numbers in full precision at a time.
FULL_PRECISION = 2**27
# Numbers in the attention masks of one pass; limits the length of a packed row.
MASKS = 2**27


class Scorer:
    """The log-probabilities of token sequences under one model.

    `compiled` compiles the layers with torch: this takes a quarter of a minute at the first pass, and
    replaces most of the small kernels in which a small model spends its time on a GPU.
    """

    def __init__(
        self, model: Any, torch: Any, *, device: Any, pad: int, window: int | None, compiled: bool = False
    ) -> None:
        self._model = model
        self._torch = torch
        self._device = device
        self._pad = pad
        self._window = window
        self._words = int(model.get_input_embeddings().weight.shape[0])
        self._reach = looks_back(model.config)
        self._scored = ScoredPositions()
        self._on_cpu = device.type == "cpu"
        self._max_tokens = CPU_TOKENS if self._on_cpu else GPU_TOKENS
        # A GPU would rather attend to more than read padding.
        self._fills = not self._on_cpu
        self._logits = max(LOGITS, free_memory(torch, device) // 16 // 2)
        self.packs: bool | None = None
        """Whether the model can read packed rows; None until this was tried."""
        self._log_sums = log_sums
        self._head = model.get_output_embeddings()
        if self._head is not None:
            self._head.register_forward_pre_hook(self._only_scored)
        if compiled:
            self._compile()

    def _compile(self) -> None:
        """Compile layer by layer: the layers are alike, so one compilation serves all of them."""
        layers = next(
            (part for _, part in self._model.named_modules() if isinstance(part, self._torch.nn.ModuleList)),
            None,
        )
        if layers is None:
            raise ModelError("this model has no list of layers to compile", hint="omit compile")
        for layer in layers:
            layer.compile(dynamic=True)
        self._log_sums = self._torch.compile(log_sums, dynamic=True)

    def log_probabilities(self, sequels: list[Sequel]) -> Iterator[Scored]:
        """Score sequels. A pass starts before the results of the previous pass are read, so that the device
        never waits.
        """
        begun: list[Pass] = []
        for batch in self._batches(sequels):
            begun.append(interruptible(partial(self._begin, batch)) if self._on_cpu else self._begin(batch))
            if len(begun) > 1:
                yield from results(begun.pop(0))
        for last in begun:
            yield from results(last)

    def _batches(self, sequels: list[Sequel]) -> Iterator[list[Row]]:
        """Yield rows of similar length; rows of one sequence separately, because they need no mask."""
        longest = math.isqrt(MASKS)
        reach = self._reach or longest
        rows = list(
            pack(
                [sequel for sequel in sequels if len(sequel.ids) <= reach],
                min(longest, self._window or longest),
            )
        )
        rows += alone([sequel for sequel in sequels if len(sequel.ids) > reach])
        if any(len(row.members) > 1 for row in rows) and not self._can_pack():
            rows = list(alone(sequels))

        def size(row: Row) -> int:
            """Return the number of tokens of the row, or more if its mask or its logits need more memory."""
            mask = row.length**2 if len(row.members) > 1 else 0
            return max(
                row.length,
                self._max_tokens * mask // MASKS,
                self._max_tokens * self._words * row.scored // self._logits,
            )

        packed = [row for row in rows if len(row.members) > 1]
        if self._fills:
            packed = fill(packed)
        single = [row for row in rows if len(row.members) == 1]
        for kind in (packed, single):
            yield from by_tokens(sorted(kind, key=size, reverse=True), self._max_tokens, length=size)

    def _can_pack(self) -> bool:
        """Return whether the model scores a packed row like its sequences one by one. Some models accept no
        attention mask of this form. It is tried once.
        """
        if self.packs is None:

            def drawn(first: int, count: int) -> list[int]:
                return [(first * 7919 + n * 104_729) % self._words for n in range(count)]

            branches = [drawn(2, 8), [*drawn(2, 4), *drawn(3, 8)], drawn(4, 12)]
            (row,) = pack([Sequel(n, [*drawn(1, 16), *branch], 17) for n, branch in enumerate(branches)])
            exact = self._model.dtype == self._torch.float32
            separate = self._begin(list(alone([member.sequel for member in row.members]))).values
            try:
                difference = float((self._begin([row]).values - separate).abs().mean())
                self.packs = difference < (5e-4 if exact else 0.15)
            except Exception:  # any error means that it does not accept such masks
                self.packs = False
        return self.packs

    def _begin(self, rows: list[Row]) -> Pass:
        """Start a pass over rows; the device computes the log-probabilities of their scored tokens."""
        started = time.perf_counter()
        try:
            with self._torch.inference_mode():
                values = self._read(rows)
        except self._torch._dynamo.exc.TorchDynamoException as error:
            why = " ".join(str(error).strip().splitlines()[:2])
            raise ModelError(
                f"torch cannot compile this model: {why}",
                hint="omit compile, or install what torch.compile needs (a C++ compiler)",
            ) from error
        finally:
            self._scored.positions = self._scored.later = None
        return Pass(rows, values, time.perf_counter() - started)

    def _read(self, rows: list[Row]) -> Any:
        torch = self._torch
        packed = any(len(row.members) > 1 for row in rows)
        # Attention kernels want the rows of a mask aligned.
        layout = lay_out(rows, pad=self._pad, multiple=8 if packed else 1)
        ids, depths, ends, needed, nth, targets = (
            torch.from_numpy(array).to(self._device, non_blocking=True) for array in layout
        )
        if packed:
            options = {"attention_mask": self._mask(ends), "position_ids": depths}
        else:  # padding follows the text, so a causal model does not attend to it
            options = {"attention_mask": torch.ones_like(ids)}
        logits = self._logits_at(needed, ids, options, limit=max(1, self._logits // self._words))
        hidden = self._scored.later
        if hidden is None:
            return self._values(logits, nth, targets)
        if not torch.allclose(self._head(hidden[None, : len(logits)])[0], logits, rtol=1e-4, atol=1e-4):
            # This model scales or caps what its head gives, so the head alone cannot be used.
            return self._values(self._logits_at(needed, ids, options, limit=None), nth, targets)
        values = torch.empty(targets.shape, dtype=torch.float32, device=self._device)
        for start in range(0, len(hidden), len(logits)):
            part = self._head(hidden[start : start + len(logits)])
            here = (nth >= start) & (nth < start + len(part))
            values[here] = self._values(part, nth[here] - start, targets[here])
        return values

    def _logits_at(self, needed: Any, ids: Any, options: dict[str, Any], *, limit: int | None) -> Any:
        """Return the logits at the first `limit` of the `needed` positions. If there are more positions,
        `self._scored.later` has the hidden states of all of them.
        """
        self._scored.positions, self._scored.limit, self._scored.later = needed, limit, None
        logits = self._model(ids, use_cache=False, **options).logits
        logits = logits.reshape(-1, logits.shape[-1])
        if self._scored.positions is not None:  # the head did not go through the hook
            self._scored.later = None
            logits = logits[needed]
        return logits

    def _values(self, logits: Any, nth: Any, targets: Any) -> Any:
        """Return the log-probability of each target, which follows the row `nth` of the logits."""
        at_once = max(1, FULL_PRECISION // logits.shape[-1])
        sums = self._torch.cat([self._log_sums(part) for part in logits.split(at_once)])
        return logits[nth, targets].float() - sums[nth]

    def _mask(self, ends: Any) -> Any:
        """Return the mask that is added to attention scores, so that each token attends to its path only."""
        torch = self._torch
        positions = torch.arange(ends.numel(), device=ends.device).view(ends.shape)
        position, other = positions[:, :, None], positions[:, None, :]
        seen = (position < ends[:, None, :]).logical_and_(other <= position)
        mask = torch.zeros(seen.shape, dtype=self._model.dtype, device=ends.device)
        return mask.masked_fill_(~seen, torch.finfo(mask.dtype).min)[:, None]

    def _only_scored(self, _: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Keep only the positions whose next token is scored, before the head."""
        positions, limit = self._scored.positions, self._scored.limit
        if positions is None or not inputs:
            return None
        self._scored.positions = None
        hidden = inputs[0].reshape(-1, inputs[0].shape[-1])[positions]
        if limit is not None and len(hidden) > limit:
            self._scored.later = hidden
            hidden = hidden[:limit]
        return (hidden[None], *inputs[1:])


class ScoredPositions(threading.local):
    """The request of a pass to the head; each thread has its own passes."""

    positions: Any = None
    """The positions whose next token is scored."""
    limit: int | None = None
    """The maximum number of positions to compute logits for at a time."""
    later: Any = None
    """The hidden states of all positions, if these are more than `limit`."""


class Pass(NamedTuple):
    """The rows of a pass, the values of their scored tokens on the device, and the seconds so far."""

    rows: list[Row]
    values: Any
    seconds: float


def log_sums(logits: Any) -> Any:
    """Return the logarithm of the sum of exponentials of each row, in full precision."""
    return logits.float().logsumexp(dim=-1)


def results(done: Pass) -> Iterator[Scored]:
    """Yield the results of a pass, in one transfer from the device."""
    started = time.perf_counter()
    values: list[float] = done.values.tolist()
    members = [member for row in done.rows for member in row.members]
    seconds = (done.seconds + time.perf_counter() - started) / len(members)
    start = 0
    for member in members:
        sequel = member.sequel
        count = len(sequel.ids) - sequel.start
        yield Scored(sequel.key, values[start : start + count], member.read, seconds)
        start += count


def looks_back(config: Any) -> int | None:
    """Return the smallest attention window of a layer, or None: our mask would let it attend further."""
    config = config.get_text_config()
    spans = [getattr(config, name, None) for name in ("sliding_window", "attention_chunk_size")]
    return min((span for span in spans if isinstance(span, int) and span > 0), default=None)
