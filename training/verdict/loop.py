"""Training of the verdict model: a low-rank adapter of the language model, within a number of minutes.

The loss of a window is that of its verdict at the last token of the prompt, and, where the deciding sentences
are known, that of their letters at the token after it. A label that only means "not supported" counts by
P(contradicted) + P(insufficient).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.large.model import hidden_states
from training.reader.lora import Adapter, add_lora, load_adapter, read_lora, write_lora
from training.reader.measure import Reading
from training.verdict.arrays import Arrays
from training.verdict.batches import Numbers, by_length, epoch
from training.verdict.options import Options

Say = Callable[[str], None]
MEASURE_TOKENS = 131072


class Reader:
    """Reads windows on a device and gives the logits of the verdicts and the letters."""

    def __init__(self, model: Any, arrays: Arrays, compiled: bool = False) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.dtype = torch.bfloat16 if self.device.type == "cuda" else torch.float32
        self.model, self.arrays = model.to(self.device), arrays
        self.flat = torch.from_numpy(arrays.tokens.astype(np.int32)).to(self.device)
        self.verdicts = torch.tensor(arrays.facts["verdicts"], device=self.device)
        self.letters = torch.tensor(arrays.facts["letters"], device=self.device)
        self.read: Reading = torch.compile(hidden_states, dynamic=True) if compiled else hidden_states

    def to_device(self, values: NDArray[Any]) -> Tensor:
        """Return an array on the device."""
        here = torch.from_numpy(np.ascontiguousarray(values))
        return (here.pin_memory() if self.device.type == "cuda" else here).to(self.device, non_blocking=True)

    def logits(self, numbers: Numbers, verdicts: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the whole vocabulary at the verdict, and those of the letters after the
        verdicts that are given (0, 1 or 2).
        """
        lengths = self.arrays.lengths[numbers]
        width = -(-(int(lengths.max()) + 1) // 16) * 16
        starts, length = (self.to_device(x)[:, None] for x in (self.arrays.starts[numbers], lengths))
        inside = torch.arange(width, device=self.device)[None, :]
        positions = (starts + inside).clamp_max(len(self.flat) - 1)
        ids = torch.where(inside < length, self.flat[positions], 0).long()
        rows, last = torch.arange(len(numbers), device=self.device), length[:, 0].long()
        ids[rows, last] = self.verdicts[verdicts]
        hidden = self.read(self.model.model, ids)
        said = self.model.lm_head(hidden[rows, last - 1]).float()
        decided = self.model.lm_head(hidden[rows, last])[:, self.letters].float()
        return said, decided

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def scores(self, numbers: Numbers) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the logits of the three verdicts, and of the letters after the likeliest verdict's label."""
        said = np.zeros((len(self.arrays), 3), np.float32)
        decided = np.zeros((len(self.arrays), len(self.letters)), np.float32)
        for batch in by_length(numbers, self.arrays, MEASURE_TOKENS):
            labels = self.to_device(self.arrays.label[batch].astype(np.int64))
            with torch.autocast(self.device.type, self.dtype, enabled=self.dtype != torch.float32):
                first, second = self.logits(batch, labels)
            said[batch] = first[:, self.verdicts].cpu().numpy()
            decided[batch] = second.cpu().numpy()
        return said, decided


class Trainer:
    """A run: the model with its adapter, and its progress."""

    def __init__(self, model: Any, arrays: Arrays, options: Options, say: Say) -> None:
        torch.manual_seed(options.seed)
        torch.set_float32_matmul_precision("high")
        self.options, self.arrays, self.say = options, arrays, say
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        model = model.to(device)
        if device.type == "cuda":
            turns = model.model.rotary_emb.inv_freq.clone()
            model.to(torch.bfloat16)  # the frozen weights; the adapters are float32
            model.model.rotary_emb.inv_freq = turns
        self.trained = add_lora(model, options.rank, options.alpha)
        if options.start:
            write_lora(model, load_adapter(Path(options.start)))
        self.reader = Reader(model, arrays, options.compile and device.type == "cuda")
        self.optimiser = torch.optim.AdamW(
            self.trained, lr=options.rate, betas=(0.9, 0.98), weight_decay=options.decay
        )
        self.history: list[dict[str, float]] = []
        self.steps = 0
        self.mean: list[Tensor] = []
        self.summed = 0

    def run(self) -> None:
        """Train until the epochs or the minutes are over."""
        options, rng = self.options, np.random.default_rng(self.options.seed)
        rounds = math.ceil(options.epochs)
        batches = [batch for _ in range(rounds) for batch in epoch(self.arrays, options.tokens, rng)]
        batches = batches[: max(1, round(len(batches) * options.epochs / rounds))]
        started = time.perf_counter()
        limit = options.minutes * 60
        sums = np.zeros(2)
        for step, batch in enumerate(batches):
            spent = time.perf_counter() - started
            progress = max((step + 1) / len(batches), spent / limit)
            if progress >= 1 and step + 1 < len(batches):
                self.say(f"the time is over after {step} of {len(batches)} steps")
                break
            for group in self.optimiser.param_groups:
                group["lr"] = options.rate * schedule(progress, options.warmup)
            loss, letters = self.loss(batch)
            (loss + options.letters * letters).backward()
            torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
            self.optimiser.step()
            self.optimiser.zero_grad(set_to_none=True)
            self.steps = step + 1
            if progress > 1 - options.averaged:
                self._average()
            if step % 100 == 0 or step + 1 == len(batches):
                sums[:] = float(loss.detach()), float(letters.detach())
                self.say(f"{step}/{len(batches)} {spent:.0f} s loss {sums[0]:.4f} letters {sums[1]:.4f}")
                self.history.append({"step": step, "loss": sums[0], "letters": sums[1]})

        if self.mean:
            with torch.no_grad():
                for weight, mean in zip(self.trained, self.mean, strict=True):
                    weight.copy_(mean)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _average(self) -> None:
        """Add the state of this step to the mean of the last steps."""
        self.summed += 1
        if not self.mean:
            self.mean = [weight.detach().clone() for weight in self.trained]
        for mean, weight in zip(self.mean, self.trained, strict=True):
            mean.lerp_(weight, 1 / self.summed)

    def loss(self, batch: Numbers) -> tuple[Tensor, Tensor]:
        """Return the loss of the verdicts and that of the letters."""
        reader, arrays = self.reader, self.arrays
        labels = reader.to_device(arrays.label[batch].astype(np.int64))
        with torch.autocast(reader.device.type, reader.dtype, enabled=reader.dtype != torch.float32):
            said, decided = reader.logits(batch, labels)
        three = said[:, reader.verdicts]
        outside = said.logsumexp(1) - three.logsumexp(1)
        logs = three.log_softmax(1)
        smooth = self.options.smoothing
        right = (1 - smooth) * logs.gather(1, labels[:, None])[:, 0] + smooth * logs.mean(1)
        either = logs[:, 1:].logsumexp(1)  # contradicted or insufficient
        binary = reader.to_device(arrays.binary[batch]) & (labels != 0)
        loss = -torch.where(binary, either, right) + 0.1 * outside
        return loss.mean(), self._letters_loss(batch, decided)

    def _letters_loss(self, batch: Numbers, decided: Tensor) -> Tensor:
        arrays, reader = self.arrays, self.reader
        gold = reader.to_device(arrays.gold[batch].astype(np.int64))
        counts = reader.to_device(arrays.sentences[batch].astype(np.int64))
        letters = torch.arange(decided.shape[1], device=decided.device)[None, :]
        inside = letters < counts[:, None]
        right = ((gold[:, None] >> letters) & 1).float()
        logs = decided.masked_fill(~inside, -1e4).log_softmax(1)
        number = right.sum(1)
        known = (number > 0) & (counts > 1)
        each = -(right * logs).sum(1) / number.clamp_min(1)
        return (each * known).sum() / known.sum().clamp_min(1)

    def adapter(self) -> Adapter:
        """Return the trained adapter."""
        return read_lora(self.reader.model)


def schedule(progress: float, warmup: float) -> float:
    """Return the share of the learning rate: up in the warm-up, then down along a cosine.

    >>> schedule(0.5, 0.5), round(schedule(1.0, 0.5), 3)
    (1.0, 0.02)
    """
    if progress < warmup:
        return progress / warmup
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (progress - warmup) / (1 - warmup)))
