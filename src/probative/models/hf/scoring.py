"""Score token sequences with a transformers model, many in one pass, shared beginnings read once."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from probative.errors import ModelError
from probative.models.batches import by_tokens
from probative.models.hf.prefixes import Row, alone, fill, lay_out, pack
from probative.models.in_process import Scored, Sequel
from probative.models.interruptible import interruptible

# Padded tokens in one pass: enough to fill a CPU's caches, or a GPU.
CPU_TOKENS = 1024
GPU_TOKENS = 65_536
# Numbers that the head gives in one pass: so many, or a sixteenth of a GPU's memory where that is more.
LOGITS = 2**28
# How many of them are in full precision at a time.
FULL_PRECISION = 2**27
# Numbers in the attention masks of one pass, and so the longest row that is packed.
MASKS = 2**27


class Scorer:
    """The log-probabilities of token sequences under one model.

    `compiled` has torch compile the layers: it takes a quarter of a minute at the first pass, and saves
    a GPU most of the small kernels that a small model spends its time in.
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
        self._wanted = Wanted()
        self._on_cpu = device.type == "cpu"
        self._most = CPU_TOKENS if self._on_cpu else GPU_TOKENS
        # A GPU would rather attend to more than read padding.
        self._fills = not self._on_cpu
        self._logits = max(LOGITS, self._memory() // 16 // 2)
        self.packs: bool | None = None
        """Whether the model reads packed rows; None until that was tried."""
        self._whole = whole
        self._head = model.get_output_embeddings()
        if self._head is not None:
            self._head.register_forward_pre_hook(self._only_wanted)
        if compiled:
            self._compile()

    def _memory(self) -> int:
        if self._device.type != "cuda":
            return 0
        return int(self._torch.cuda.get_device_properties(self._device).total_memory)

    def _compile(self) -> None:
        """Layer by layer: they are alike, so that one compilation serves all, for rows of every size."""
        layers = next(
            (part for _, part in self._model.named_modules() if isinstance(part, self._torch.nn.ModuleList)),
            None,
        )
        if layers is None:
            raise ModelError("this model has no list of layers to compile", hint="leave compile out")
        for layer in layers:
            layer.compile(dynamic=True)
        self._whole = self._torch.compile(whole, dynamic=True)

    def log_probabilities(self, sequels: list[Sequel]) -> Iterator[Scored]:
        """Score sequels; a pass is begun before the results of the one before are taken, so that the device
        never waits for us.
        """
        begun: list[Pass] = []
        for batch in self._batches(sequels):
            begun.append(interruptible(partial(self._begin, batch)) if self._on_cpu else self._begin(batch))
            if len(begun) > 1:
                yield from results(begun.pop(0))
        for last in begun:
            yield from results(last)

    def _batches(self, sequels: list[Sequel]) -> Iterator[list[Row]]:
        """Rows of similar length, those of one sequence apart: without a mask, attention is faster."""
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
            """The row's tokens, or more where its mask or its logits are what fills the memory."""
            mask = row.length**2 if len(row.members) > 1 else 0
            return max(
                row.length,
                self._most * mask // MASKS,
                self._most * self._words * row.scored // self._logits,
            )

        packed = [row for row in rows if len(row.members) > 1]
        if self._fills:
            packed = fill(packed)
        single = [row for row in rows if len(row.members) == 1]
        for kind in (packed, single):
            yield from by_tokens(sorted(kind, key=size, reverse=True), self._most, length=size)

    def _can_pack(self) -> bool:
        """Whether the model reads a packed row as it reads its sequences one by one: some models cannot be
        told what a token may look at. It is tried once.
        """
        if self.packs is None:

            def drawn(first: int, count: int) -> list[int]:
                return [(first * 7919 + n * 104_729) % self._words for n in range(count)]

            branches = [drawn(2, 8), [*drawn(2, 4), *drawn(3, 8)], drawn(4, 12)]
            (row,) = pack([Sequel(n, [*drawn(1, 16), *branch], 17) for n, branch in enumerate(branches)])
            exact = self._model.dtype == self._torch.float32
            apart = self._begin(list(alone([member.sequel for member in row.members]))).values
            try:
                difference = float((self._begin([row]).values - apart).abs().mean())
                self.packs = difference < (5e-4 if exact else 0.15)
            except Exception:  # whatever it raises, it does not take such masks
                self.packs = False
        return self.packs

    def _begin(self, rows: list[Row]) -> Pass:
        """Read rows; the log-probabilities of their scored tokens are being computed on the device."""
        started = time.perf_counter()
        try:
            with self._torch.inference_mode():
                values = self._read(rows)
        except self._torch._dynamo.exc.TorchDynamoException as error:
            why = " ".join(str(error).strip().splitlines()[:2])
            raise ModelError(
                f"torch cannot compile this model: {why}",
                hint="leave compile out, or install what torch.compile needs (a C++ compiler)",
            ) from error
        finally:
            self._wanted.places = self._wanted.later = None
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
        else:  # padding stands behind the text, where a causal model never looks back from
            options = {"attention_mask": torch.ones_like(ids)}
        logits = self._logits_at(needed, ids, options, limit=max(1, self._logits // self._words))
        hidden = self._wanted.later
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
        """Return the logits at the `needed` places: at the first `limit` of them, where there are more; then
        `self._wanted.later` holds the hidden states of all.
        """
        self._wanted.places, self._wanted.limit, self._wanted.later = needed, limit, None
        logits = self._model(ids, use_cache=False, **options).logits
        logits = logits.reshape(-1, logits.shape[-1])
        if self._wanted.places is not None:  # the head did not go through the hook
            self._wanted.later = None
            logits = logits[needed]
        return logits

    def _values(self, logits: Any, nth: Any, targets: Any) -> Any:
        """Return the log-probability of each target, which follows the row `nth` of the logits."""
        at_once = max(1, FULL_PRECISION // logits.shape[-1])
        sums = self._torch.cat([self._whole(part) for part in logits.split(at_once)])
        return logits[nth, targets].float() - sums[nth]

    def _mask(self, ends: Any) -> Any:
        """What is added to attention scores so that each token sees its own path alone."""
        torch = self._torch
        places = torch.arange(ends.numel(), device=ends.device).view(ends.shape)
        own, other = places[:, :, None], places[:, None, :]
        seen = (own < ends[:, None, :]).logical_and_(other <= own)
        mask = torch.zeros(seen.shape, dtype=self._model.dtype, device=ends.device)
        return mask.masked_fill_(~seen, torch.finfo(mask.dtype).min)[:, None]

    def _only_wanted(self, _: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Before the head: keep only the places whose next token is scored."""
        places, limit = self._wanted.places, self._wanted.limit
        if places is None or not inputs:
            return None
        self._wanted.places = None
        hidden = inputs[0].reshape(-1, inputs[0].shape[-1])[places]
        if limit is not None and len(hidden) > limit:
            self._wanted.later = hidden
            hidden = hidden[:limit]
        return (hidden[None], *inputs[1:])


class Wanted(threading.local):
    """What a pass wants from the head; each thread has passes of its own."""

    places: Any = None
    """The places whose next token is scored."""
    limit: int | None = None
    """How many logits may be computed at a time."""
    later: Any = None
    """The hidden states of all places, where these are more than `limit`."""


class Pass(NamedTuple):
    """Rows that were read, the values of their scored tokens on the device, and the seconds so far."""

    rows: list[Row]
    values: Any
    seconds: float


def whole(logits: Any) -> Any:
    """The logarithm of each row's sum of exponentials, in full precision."""
    return logits.float().logsumexp(dim=-1)


def results(done: Pass) -> Iterator[Scored]:
    """The results of a pass, in one transfer."""
    started = time.perf_counter()
    values: list[float] = done.values.tolist()
    members = [member for row in done.rows for member in row.members]
    seconds = (done.seconds + time.perf_counter() - started) / len(members)
    at = 0
    for member in members:
        sequel = member.sequel
        count = len(sequel.ids) - sequel.start
        yield Scored(sequel.key, values[at : at + count], member.read, seconds)
        at += count


def looks_back(config: Any) -> int | None:
    """How far back some layer looks at most: a mask of ours would let it look further."""
    config = config.get_text_config()
    spans = [getattr(config, name, None) for name in ("sliding_window", "attention_chunk_size")]
    return min((span for span in spans if isinstance(span, int) and span > 0), default=None)
