"""Training of the reader: a low-rank adapter, or all linear weights, within a number of minutes."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from training.large.model import hidden_states
from training.reader.arrays import Arrays
from training.reader.batches import Batch, Numbers, plan, some_of_each
from training.reader.checkpoint import load_checkpoint, save_checkpoint
from training.reader.lora import (
    Adapter,
    add_lora,
    linear_layers,
    load_adapter,
    read_lora,
    reduce_rank,
    set_lora,
    write_lora,
)
from training.reader.measure import Reading, Tokens, choice, figures, measure, target_logits
from training.reader.options import Options
from training.reader.proofs import Proofs, decision_loss, hits, plan_proofs

Say = Callable[[str], None]
# Steps timed before the length of the schedule is fixed, and the share of the time reserved for measuring.
TIMED_STEPS = 10
RESERVE = 0.1
# More steps are planned than fit by that timing: time ends the run, and a device may turn out faster.
SPARE = 1.25


class Trainer:
    """A run: the model, the parameters that are trained, and its progress."""

    def __init__(self, model: Any, arrays: Arrays, options: Options, out: Path, say: Say) -> None:
        torch.manual_seed(options.seed)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.dtype = torch.bfloat16 if self.device.type == "cuda" else torch.float32
        self.options, self.out, self.say = options, out, say
        self.arrays = arrays
        self.model = model.to(self.device)
        self.model.config.use_cache = False
        self.plain: Any = None
        if options.full:
            self.plain = copy.deepcopy(self.model).requires_grad_(False).eval()
            self.model.requires_grad_(False)
            layers = [linear for _, _, _, linear in linear_layers(self.model)]
            self.trained = [linear.weight.requires_grad_(True) for linear in layers]
        else:
            turns = self.model.model.rotary_emb.inv_freq.clone()
            self.model.to(self.dtype)  # the frozen weights; the adapters are float32
            self.model.model.rotary_emb.inv_freq = turns  # in 16 bits far positions would be off by much
            self.trained = add_lora(self.model, options.rank, options.alpha, options.dropout)
            if options.start:
                write_lora(self.model, load_adapter(Path(options.start)))
        self.read: Reading = torch.compile(hidden_states, dynamic=True) if options.compile else hidden_states
        self.tokens = Tokens.on(self.device, arrays)
        self.proofs = Proofs.load(Path(options.proofs)) if options.proofs else None
        self.texts = Tokens.on(self.device, self.proofs) if self.proofs else None
        self.optimiser = torch.optim.AdamW(
            self.trained,
            lr=options.rate,
            betas=(0.9, 0.98),
            weight_decay=options.decay,
            fused=self.device.type == "cuda",
        )
        self.step = 0
        self.steps = options.steps
        self.spent = 0.0
        self.best = -1.0
        self.best_state: dict[str, Tensor] = {}
        self.history: list[dict[str, Any]] = []
        tasks = ("answer", "unknown", "features", "carries", "judge")
        self.validation = some_of_each(
            arrays, arrays.where(part="validation", tasks=tasks, forms=("after", options.form)), n=200
        )

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Return the loss of a batch and its two parts: the learning loss, and the distance from the plain
        model.

        A target of n tokens counts √n: a list of features counts more than a "yes", but not forty times as
        much.
        """
        ids, rows, columns = self.tokens.batch(batch.numbers)
        logits = target_logits(self.model, self.read, ids, rows, columns)
        each = nn.functional.cross_entropy(logits, ids[rows, columns], reduction="none")
        count = torch.zeros(len(ids), device=ids.device).index_add_(0, rows, torch.ones_like(each.detach()))
        weight = count.rsqrt()[rows]
        learnt = (each * weight).sum() / weight.sum()
        moved = torch.zeros((), device=self.device)
        if len(batch.keep) and self.options.keep_weight:
            moved = self.moved(batch)
        return learnt + self.options.keep_weight * moved, learnt.detach(), moved.detach()

    def moved(self, batch: Batch) -> Tensor:
        """Return KL(plain ‖ tuned) per token, on texts that are only scored."""
        ids, rows, columns = self.tokens.batch(batch.keep)
        with torch.no_grad():
            if self.plain is not None:
                before = target_logits(self.plain, hidden_states, ids, rows, columns)
            else:
                set_lora(self.model, False)
                before = target_logits(self.model, hidden_states, ids, rows, columns)
                set_lora(self.model, True)
        after = target_logits(self.model, self.read, ids, rows, columns)
        now, was = torch.log_softmax(after, -1), torch.log_softmax(before, -1)
        return nn.functional.kl_div(now, was, reduction="batchmean", log_target=True)

    def backward(self, batch: Batch, numbers: Numbers | None = None) -> tuple[Tensor, Tensor]:
        """Make one pass forward and back. The losses stay on the device: reading them would wait for it."""
        self.model.train()
        # Of an adapter the frozen weights are in the device's own kind already: casting would only take time.
        casts = self.options.full and self.dtype != torch.float32
        with torch.autocast(self.device.type, self.dtype, enabled=casts):
            loss, learnt, moved = self.loss(batch)
        loss.backward()
        if numbers is not None:
            with torch.autocast(self.device.type, self.dtype, enabled=casts):
                assert self.texts is not None
                assert self.proofs is not None
                decided = decision_loss(self.model, self.texts, self.proofs, numbers)
                decided = self.options.proof_weight * decided
            decided.backward()
            learnt = learnt + decided.detach()
        return learnt, moved

    def batches(self, steps: int) -> list[Batch]:
        """Return the batches of the whole run."""
        options = self.options
        return plan(
            self.arrays,
            steps=steps,
            tokens=options.tokens,
            keep=options.keep,
            forms=(options.form,),
            seed=options.seed,
        )

    def decisions(self, steps: int) -> list[Numbers] | list[None]:
        """Return the decisions between sentences of the whole run, if there are any."""
        if self.proofs is None:
            return [None] * steps
        options = self.options
        return plan_proofs(self.proofs, steps=steps, tokens=options.proof_tokens, seed=options.seed)

    def time_steps(self) -> int:
        """Return how many steps fit into the minutes, by timing some steps that change nothing."""
        state = torch.random.get_rng_state()
        trial = zip(self.batches(TIMED_STEPS + 4), self.decisions(TIMED_STEPS + 4), strict=True)
        for number, (batch, numbers) in enumerate(trial):
            if number == 4:  # the first ones warm up
                self._wait()
                started = time.perf_counter()
            self.backward(batch, numbers)
            self.optimiser.zero_grad(set_to_none=True)
        self._wait()
        each = (time.perf_counter() - started) / TIMED_STEPS * 1.1  # the optimiser's own step
        torch.random.set_rng_state(state)
        steps = int(self.options.minutes * 60 * (1 - RESERVE) / each)
        self.say(f"{each * 1000:.0f} ms a step of {self.options.tokens} tokens: {steps} steps fit")
        steps = int(steps * SPARE)
        return max(1, min(steps, self.options.max_steps))

    def run(self, until: int | None = None) -> None:
        """Train to the end, or to step `until`; measure, keep the best state, and write checkpoints."""
        options = self.options
        if not self.steps:
            self.steps = self.time_steps()
        batches, decisions = self.batches(self.steps), self.decisions(self.steps)
        last = min(self.steps, until or self.steps)
        started = time.perf_counter()
        seen: list[tuple[Tensor, Tensor]] = []
        while self.step < last:
            for group in self.optimiser.param_groups:
                group["lr"] = options.rate * self._share(self._position(time.perf_counter() - started))
            seen.append(self.backward(batches[self.step], decisions[self.step]))
            nn.utils.clip_grad_norm_(self.trained, options.clip)
            self.optimiser.step()
            self.optimiser.zero_grad(set_to_none=True)
            self.step += 1
            over = self.spent + time.perf_counter() - started > self._budget() and not options.steps
            ends = self.step == self.steps or over
            if self.step % options.evaluate_every == 0 or ends:
                learnt, moved = (float(torch.stack(values).mean()) for values in zip(*seen, strict=True))
                self.evaluate(learnt, moved)
                seen = []
            every = options.checkpoint_every
            if every and (self.step % every == 0 or self.step == last):
                now = time.perf_counter()
                self.spent, started = self.spent + now - started, now
                save_checkpoint(self)
            if over:
                self.say(f"out of time at step {self.step} of {self.steps}")
                break
        self.spent += time.perf_counter() - started

    def evaluate(self, learnt: float, moved: float) -> None:
        """Measure on the validation part, and keep the state if it is the best so far."""
        values = figures(measure(self.model, self.tokens, self.validation, self.dtype), self.arrays)
        score = choice(values, self.options.form)
        if self.proofs is not None and self.texts is not None:
            found = hits(self.model, self.texts, self.proofs, self.dtype)
            values |= found
            score = (score + sum(found.values()) / len(found)) / 2
        self.history.append({"step": self.step, "loss": learnt, "moved": moved, "choice": score, **values})
        self.say(f"step {self.step}/{self.steps}: loss {learnt:.3f}, moved {moved:.4f}, choice {score:.4f}")
        if score > self.best:
            self.best = score
            self.best_state = {str(n): one.detach().clone() for n, one in enumerate(self.trained)}

    def take_best(self) -> None:
        """Go back to the best state."""
        with torch.no_grad():
            for number, parameter in enumerate(self.trained):
                if str(number) in self.best_state:
                    parameter.copy_(self.best_state[str(number)])

    def adapter(self, rank: int, inputs: dict[str, Tensor] | None = None) -> Adapter:
        """Return the result as a low-rank adapter: as it is, or reduced from the full difference."""
        if self.options.full:
            return reduce_rank(self.model, self.plain, rank, inputs)
        return read_lora(self.model)

    def resume(self) -> None:
        """Continue from a checkpoint of the same options."""
        load_checkpoint(self)

    def _position(self, seconds: float) -> float:
        """Return the position in the schedule, in steps. With minutes given and steps slower than timed,
        the time spent decides, so that the rate has fallen when the time is over.
        """
        if self.options.steps:
            return self.step
        share = (self.spent + seconds) / self._budget()
        return min(float(self.steps), max(self.step, share * self.steps))

    def _budget(self) -> float:
        """Return the seconds for steps: the minutes given, less the last measuring."""
        return self.options.minutes * 60 * (1 - RESERVE / 3)

    def _share(self, step: float) -> float:
        """Return the share of the learning rate: it rises linearly, then falls along a half cosine to a
        twentieth.
        """
        warm = max(1, int(self.options.warmup * self.steps))
        if step < warm:
            return (step + 1) / warm
        return 0.05 + 0.475 * (1 + math.cos(math.pi * (step - warm) / max(1, self.steps - warm)))

    def _wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize()
