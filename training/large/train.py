"""Training of an adapter: the replies of chosen rows, in one pass, with a rate that rises and falls."""

from __future__ import annotations

import time
from collections.abc import Callable
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


def train(model: Any, arrays: Arrays, options: Options, say: Say) -> tuple[Adapter, dict[str, Any]]:
    """Return the adapter and the log of a run; the model itself is left as it was."""
    torch.manual_seed(options.seed)
    device = next(model.parameters()).device
    # With or without headers, the same rows are chosen.
    numbers = choose_rows(arrays, options.tokens, options.share, options.seed)
    arrays = arrays if options.headers else arrays.without_headers()
    batches = plan_batches(arrays.lengths, numbers, options.step_tokens, options.seed)
    trained = add_adapters(model, options.rank, options.scale)
    if options.start:
        write_lora(model, load_adapter(options.start))
    optimizer = torch.optim.AdamW(
        trained, lr=options.rate, weight_decay=options.decay, betas=(0.9, 0.99), fused=device.type == "cuda"
    )
    words = arrays.about["verdicts"]
    total, seen, skipped = int(arrays.lengths[numbers].sum()), 0, 0
    losses: list[float] = []
    say(f"{len(numbers):,} rows, {total:,} tokens, {len(batches)} steps")
    history: list[dict[str, float]] = []
    started = time.perf_counter()
    step = 0
    batch = make_batch(arrays, batches[0], options.cited, device)
    for step, batch_numbers in enumerate(batches, 1):
        done = max(seen / total, (time.perf_counter() - started) / options.seconds)
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = options.rate * rate_at(done, options.warmup)
        loss = reply_loss(model, batch, words[1:])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if step < len(batches):  # made while the device computes
            batch = make_batch(arrays, batches[step], options.cited, device)
        # About one step in a hundred has a gradient that is not finite in bfloat16.
        if torch.isfinite(nn.utils.clip_grad_norm_(trained, options.clip)):
            optimizer.step()
            losses.append(float(loss.detach()))
        else:
            skipped += 1
        seen += int(arrays.lengths[batch_numbers].sum())
        if step % SAY_EVERY == 0 or step == len(batches):
            seconds, mean = time.perf_counter() - started, sum(losses) / max(1, len(losses))
            history.append({"step": step, "loss": mean, "seconds": seconds, "tokens": seen})
            say(
                f"step {step}: loss {mean:.3f}, {seen / total:.0%}, {seconds:.0f} s, "
                f"{seen / seconds:,.0f} tokens a second, {skipped} skipped"
            )
            losses.clear()
    adapter = read_lora(model)
    remove_adapters(model)
    log = {"steps": step, "tokens": seen, "skipped": skipped, "seconds": time.perf_counter() - started}
    return adapter, {**log, "history": history}


def rate_at(done: float, warmup: float) -> float:
    """Return the rate as a share of the highest: it rises during the warm-up, then falls in a line.

    >>> [round(rate_at(done, 0.1), 3) for done in (0.05, 0.1, 1.0)]
    [0.475, 0.9, 0.01]
    """
    rise = min(1.0, max(done, 1e-3) / warmup) if warmup else 1.0
    return rise * max(_LAST, 1 - done)


def reply_loss(model: Any, batch: Batch, not_supported: list[int]) -> Tensor:
    """Return the weighted loss of the tokens of the replies; only their logits are computed."""
    hidden = hidden_states(model, batch.ids)
    chances = model.lm_head(hidden[batch.rows, batch.columns - 1]).float().log_softmax(-1)
    right = chances.gather(1, batch.ids[batch.rows, batch.columns][:, None])[:, 0]
    any_of = chances[:, not_supported].logsumexp(-1)
    return -(torch.where(batch.either, any_of, right) * batch.weights).sum()
