"""Training of an adapter: the replies of chosen rows, in one pass, with a rate that rises and falls."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from training.large.arrays import Arrays
from training.large.batches import Batch, choose_rows, make_batch, plan_batches
from training.large.model import add_adapters, hidden_states, remove_adapters
from training.large.options import Options
from training.reader.lora import Adapter, load_adapter, read_lora, write_lora

Say = Callable[[str], None]
SAY_EVERY = 25
# The rate at the end, as a share of the highest.
_LAST = 0.01


@dataclass
class State:
    """How far a run is: what a call that goes on with it starts from."""

    step: int = 0
    seen: int = 0
    skipped: int = 0
    seconds: float = 0.0
    history: list[dict[str, float]] = field(default_factory=list)


def train(
    model: Any, arrays: Arrays, options: Options, say: Say, state_file: Path | None = None
) -> tuple[Adapter, dict[str, Any]]:
    """Return the adapter and the log of a run; the model itself is left as it was.

    A run that `options.call_seconds` cuts short is kept in `state_file`, and the next call goes on with it.
    """
    torch.manual_seed(options.seed)
    device = next(model.parameters()).device
    # With or without headers, the same rows are chosen.
    numbers = choose_rows(arrays, options)
    arrays = arrays if options.headers else arrays.without_headers()
    batches = plan_batches(arrays.lengths, numbers, options.step_tokens, options.seed)
    trained = add_adapters(model, options.rank, options.scale)
    decisions = Decisions(options, len(batches), device) if options.proofs else None
    if options.compiled:
        for layer in model.model.layers:
            layer.compile(dynamic=True)
    if options.start:
        write_lora(model, load_adapter(Path(options.start)))
    optimizer = torch.optim.AdamW(
        trained, lr=options.rate, weight_decay=options.decay, betas=(0.9, 0.99), fused=device.type == "cuda"
    )
    words = arrays.about["verdicts"]
    total = int(arrays.lengths[numbers].sum())
    state, losses = State(), list[Tensor]()
    if state_file is not None and state_file.is_file():
        kept = torch.load(state_file, map_location=device, weights_only=True)
        state = State(**kept["state"])
        optimizer.load_state_dict(kept["optimizer"])
        with torch.no_grad():
            for parameter, value in zip(trained, kept["trained"], strict=True):
                parameter.copy_(value)
    say(f"{len(numbers):,} rows, {total:,} tokens, {len(batches)} steps, {state.step} of them done")
    started = time.perf_counter()
    before = state.seconds
    batch = make_batch(arrays, batches[min(state.step, len(batches) - 1)], options, device)
    for batch_numbers in batches[state.step :]:
        state.seconds = before + time.perf_counter() - started
        done = max(state.seen / total, state.seconds / options.seconds)
        if done >= 1 or time.perf_counter() - started > options.call_seconds:
            break
        for group in optimizer.param_groups:
            group["lr"] = options.rate * rate_at(done, options.warmup)
        loss = reply_loss(model, batch, words)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if decisions is not None and decisions.are_in(state.step):
            (options.proof_weight * decisions.loss(model, state.step)).backward()
        state.step += 1
        if state.step < len(batches):  # made while the device computes
            batch = make_batch(arrays, batches[state.step], options, device)
        # About one step in a hundred has a gradient that is not finite in bfloat16. The optimizer of a GPU
        # leaves such a step out by itself: to look here would wait for the device at every step.
        bad = ~torch.isfinite(nn.utils.clip_grad_norm_(trained, options.clip))
        if device.type == "cuda":
            optimizer.found_inf = bad.float()
        if device.type == "cuda" or not bad:
            optimizer.step()
        losses.append(torch.where(bad, torch.nan, loss.detach()))
        state.seen += int(arrays.lengths[batch_numbers].sum())
        if state.step % SAY_EVERY == 0:
            _tell(state, total, losses, say)
    if losses:
        _tell(state, total, losses, say)
    if state_file is not None:
        parts = {"trained": trained, "optimizer": optimizer.state_dict(), "state": asdict(state)}
        growing = state_file.with_suffix(".new")
        torch.save(parts, growing)
        growing.replace(state_file)
    log = {"steps": state.step, "tokens": state.seen, **asdict(state)}
    torch.compiler.set_stance("force_eager")
    if decisions is not None:
        log["hits"] = decisions.hits(model)
        say(str(log["hits"]))
    adapter = read_lora(model)
    remove_adapters(model)
    return adapter, log


class Decisions:
    """Decisions between sentences, some in every few steps, so that mcse's score learns as well. They need
    the package.
    """

    def __init__(self, options: Options, steps: int, device: torch.device) -> None:
        from training.reader.proofs import Proofs, Texts, plan_proofs

        proofs = Proofs.load(Path(options.proofs))
        self._texts = Texts.on(device, proofs)
        self._every = options.proof_every
        count = -(-steps // self._every)
        self._steps = plan_proofs(proofs, steps=count, tokens=options.proof_tokens, seed=options.seed)

    def are_in(self, step: int) -> bool:
        """Return whether a step has decisions."""
        return step % self._every == 0

    def loss(self, model: Any, step: int) -> Tensor:
        """Return the loss of the decisions of a step."""
        from training.reader.proofs import decision_loss

        return decision_loss(model, self._texts, self._steps[step // self._every])

    def hits(self, model: Any) -> dict[str, float]:
        """Return how often a right sentence makes its claim likeliest, among decisions kept for that."""
        from training.reader.proofs import hits

        found: dict[str, float] = hits(model, self._texts)
        return found


def _tell(state: State, total: int, losses: list[Tensor], say: Say) -> None:
    """Say how far a run is; the losses so far are counted and forgotten."""
    taken = [loss for loss in torch.stack(losses).tolist() if not math.isnan(loss)]
    state.skipped += len(losses) - len(taken)
    losses.clear()
    mean = sum(taken) / max(1, len(taken))
    state.history.append({"step": state.step, "loss": mean, "seconds": state.seconds, "tokens": state.seen})
    say(
        f"step {state.step}: loss {mean:.3f}, {state.seen / total:.0%}, {state.seconds:.0f} s, "
        f"{state.seen / max(state.seconds, 1e-9):,.0f} tokens a second, {state.skipped} skipped"
    )


def rate_at(done: float, warmup: float) -> float:
    """Return the rate as a share of the highest: it rises during the warm-up, then falls in a line.

    >>> [round(rate_at(done, 0.1), 3) for done in (0.05, 0.1, 1.0)]
    [0.475, 0.9, 0.01]
    """
    rise = min(1.0, max(done, 1e-3) / warmup) if warmup else 1.0
    return rise * max(_LAST, 1 - done)


def reply_loss(model: Any, batch: Batch, verdicts: list[int]) -> Tensor:
    """Return the weighted loss of the tokens of the replies, and of the teacher's verdicts; only their logits
    are computed. `verdicts` are the tokens of yes, no and maybe.
    """
    hidden = hidden_states(model.model, batch.ids)
    chances = model.lm_head(hidden[batch.rows, batch.columns - 1]).float().log_softmax(-1)
    right = chances.gather(1, batch.ids[batch.rows, batch.columns][:, None])[:, 0]
    any_of = chances[:, verdicts[1:]].logsumexp(-1)
    of_labels = torch.where(batch.either, any_of, right) * batch.weights
    return -of_labels.sum() - (chances[:, verdicts] * batch.taught).sum()
