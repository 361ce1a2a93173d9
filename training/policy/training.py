"""The training: decisions drawn by worker processes, a listwise loss, and the best weights kept."""

from __future__ import annotations

import json
import math
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset

from training.policy.evaluation import choose, figures
from training.policy.examples import Examples, show
from training.policy.groups import Group, Sampler
from training.policy.model import Packed, Policy, distilled_loss, listwise_loss, packed, probabilities
from training.policy.plan import Plan

# The weight of each source in the draws. Multi-hop questions are what a policy is for, and they are few.
SHARES = {
    "hotpotqa": 5.0,
    "hotpotqa_bare": 2.5,
    "2wikimultihopqa": 2.5,
    "2wiki_made": 1.5,
    "whole_pages": 1.5,
    "musique": 0.3,
    "multihop_claims": 2.0,
    "multirc": 1.5,
    "fever": 4.0,
    "feverous": 3.0,
    "entailmentbank": 1.0,
    "fool_me_twice": 2.0,
    "selqa": 1.0,
    "squad": 3.0,
    "squad2": 3.0,
    "nq": 1.0,
    "bundles": 6.0,
}
# The sources whose mean of F1 and of all gold found decides which weights are best.
DECIDING = ("hotpotqa", "2wikimultihopqa", "multirc", "fever", "bundles")
KEPT = 0.998
# Scores are read this many steps late, when the device has them; the number of steps that are timed.
LATE, TIMED = 8, 40


class Batch(NamedTuple):
    """Some decisions: all their sequences, which are right, the decision of each, and its index among all
    sentences (-1 for none).
    """

    rows: Packed
    right: torch.Tensor
    group: torch.Tensor
    places: torch.Tensor


class Decisions(IterableDataset[Batch]):
    """Endless batches of decisions; each worker draws its own."""

    def __init__(self, sampler: Sampler, plan: Plan, hard: torch.Tensor, start: int) -> None:
        super().__init__()
        self._sampler = sampler
        self._plan = plan
        self._hard = hard
        self._start = start

    def __iter__(self) -> Iterator[Batch]:
        worker = torch.utils.data.get_worker_info()
        number = worker.id if worker is not None else 0
        random = np.random.default_rng([self._plan.seed, self._start, number])
        self._sampler.hard = self._hard.numpy()  # shared: the trainer writes, the workers read
        examples = self._sampler.examples
        pools = [
            np.flatnonzero((examples.source == at) & ~examples.choose) for at in range(len(examples.names))
        ]
        shares = np.array(
            [
                SHARES.get(name, 1.0) * (len(pool) > 0)
                for name, pool in zip(examples.names, pools, strict=True)
            ]
        )
        shares = shares / shares.sum()
        while True:
            sources = random.choice(len(pools), size=self._plan.decisions, p=shares)
            groups = [self._sampler.draw(int(random.choice(pools[at])), random) for at in sources]
            yield _batch(groups)


def _batch(groups: Sequence[Group]) -> Batch:
    seconds = [second for group in groups for second in group.seconds]
    return Batch(
        packed([sequence for group in groups for sequence in group.sequences], seconds),
        torch.tensor([right for group in groups for right in group.right]),
        torch.tensor([at for at, group in enumerate(groups) for _ in group.sequences]),
        torch.tensor([group.start + at if at >= 0 else -1 for group in groups for at in group.places]),
    )


def train_policy(file: Path, base: Path, out: Path, plan: Plan, device: str) -> dict[str, Any]:
    """Train; write the best weights, a checkpoint to continue from, and a manifest with the figures."""
    torch.manual_seed(plan.seed)
    examples = Examples.load(file)
    out.mkdir(parents=True, exist_ok=True)
    state = _State(Policy.from_folder(base, dropout=plan.dropout).to(device), plan, device)
    if (out / "checkpoint.pt").is_file():
        state.load(torch.load(out / "checkpoint.pt", map_location=device, weights_only=False))
        show(f"continues from step {state.step}")
    sampler = Sampler(examples, plan.candidates)
    hard = torch.from_numpy(sampler.hard).share_memory_()
    batches = iter(
        DataLoader(
            Decisions(sampler, plan, hard, state.step),
            batch_size=None,
            num_workers=plan.workers,
            prefetch_factor=4 if plan.workers else None,
            pin_memory=device.startswith("cuda"),
        )
    )
    choosing = _some(examples, plan.choosing)
    began, losses, waited = time.monotonic() - state.seconds, [], 0.0
    seen: deque[tuple[torch.Tensor, torch.Tensor]] = deque()
    while not state.finished(time.monotonic() - began):
        asked = time.monotonic()
        batch = next(batches)
        waited += time.monotonic() - asked
        loss, scores = state.learn(batch, time.monotonic() - began)
        losses.append(loss)
        seen.append((batch.places, scores))
        if len(seen) > LATE:
            _remember(hard, *seen.popleft())
        if state.step == TIMED:
            each = (time.monotonic() - began - state.seconds) / TIMED
            show(
                f"{each:.3f} s a step, {waited / TIMED:.3f} s of it waiting, {len(batch.rows.tokens)} tokens"
            )
        if state.step % plan.every == 0 or state.finished(time.monotonic() - began):
            state.seconds = time.monotonic() - began
            result = figures(examples, choose(state.mean, examples, choosing))
            state.keep(result, out, base, float(torch.stack(losses[-plan.every :]).mean()))
    manifest = {"plan": asdict(plan), "steps": state.step, "seconds": state.seconds, "best": state.best}
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    return manifest


def _remember(hard: torch.Tensor, places: torch.Tensor, scores: torch.Tensor) -> None:
    """Keep the policy's scores of the sentences it was shown, so that those it gets wrong come back."""
    known = places >= 0
    hard[places[known]] = scores.cpu()[known]


def _some(examples: Examples, n: int) -> list[int]:
    """Return at n n examples of each deciding source from the part for choosing, always the same."""
    names = examples.names.tolist()
    return [
        number
        for at in [names.index(name) for name in DECIDING if name in names] or range(len(names))
        for number in np.flatnonzero(examples.choose & (examples.source == at))[:n].tolist()
    ]


class _State:
    """The weights, their running mean, the optimizer, and the number of steps."""

    def __init__(self, policy: Policy, plan: Plan, device: str) -> None:
        import copy

        self.policy, self.plan, self.device = policy, plan, device
        self.mean = copy.deepcopy(policy).requires_grad_(False)
        self.mean.eval()
        folders = [Path(name) for name in plan.teachers.split(",") if name]
        self.teachers = [
            Policy.from_folder(folder).to(device).requires_grad_(False).eval() for folder in folders
        ]
        head = [*policy.head.parameters()]
        body = [*policy.encoder.parameters()]
        self.optimizer = torch.optim.AdamW(
            [{"params": body, "factor": 1.0}, {"params": head, "factor": 10.0}],
            lr=plan.rate,
            weight_decay=0.01,
            fused=device.startswith("cuda"),
        )
        self.step = 0
        self.seconds = 0.0
        self.best: dict[str, Any] = {"score": -1.0}

    def finished(self, seconds: float) -> bool:
        """Return whether the time or the steps are over."""
        over = self.plan.steps is not None and self.step >= self.plan.steps
        return over or seconds >= 60 * self.plan.minutes

    def learn(self, batch: Batch, seconds: float) -> tuple[torch.Tensor, torch.Tensor]:
        """Make part step; return its loss and scores. The rate rises over the first twentieth of the time
        and then falls along a cosine.
        """
        share = max(
            seconds / (60 * self.plan.minutes), self.step / self.plan.steps if self.plan.steps else 0.0
        )
        rate = (
            self.plan.rate * min(1.0, share / 0.05 + 0.02) * 0.5 * (1 + math.cos(math.pi * min(share, 1.0)))
        )
        for settings in self.optimizer.param_groups:
            settings["lr"] = rate * settings["factor"]
        self.policy.train()
        scores = self.policy(batch.rows)
        right, group = (part.to(self.device, non_blocking=True) for part in (batch.right, batch.group))
        groups = int(batch.group[-1]) + 1
        loss = listwise_loss(scores, right, group, groups)
        if self.teachers:
            with torch.no_grad():
                taught_each = [probabilities(teacher(batch.rows), group, groups) for teacher in self.teachers]
                taught = torch.stack(taught_each).mean(0)
            loss = (loss + distilled_loss(scores, taught, group, groups)) / 2
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        kept = min(KEPT, self.step / (self.step + 10))
        with torch.no_grad():
            torch._foreach_lerp_([*self.mean.parameters()], [*self.policy.parameters()], 1 - kept)
        # Both are still on the device: reading them now would make the next step wait.
        return loss.detach(), scores.detach()

    def keep(self, result: dict[str, dict[str, float]], out: Path, base: Path, loss: float) -> None:
        """Write a checkpoint, and the weights if they are the best so far."""
        deciding = [result[name] for name in DECIDING if name in result] or list(result.values())
        score = float(np.mean([row["f1"] + row["all"] for row in deciding])) / 2
        show(f"step {self.step} {self.seconds:.0f} s loss {loss:.3f} score {score:.2f} {json.dumps(result)}")
        if score > self.best["score"]:
            self.best = {"score": score, "step": self.step, "figures": result}
            save_policy(self.mean, out, base)
        torch.save(
            {
                "policy": self.policy.state_dict(),
                "mean": self.mean.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "step": self.step,
                "seconds": self.seconds,
                "best": self.best,
            },
            out / "checkpoint.pt",
        )

    def load(self, saved: dict[str, Any]) -> None:
        """Continue from a checkpoint."""
        self.policy.load_state_dict(saved["policy"])
        self.mean.load_state_dict(saved["mean"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.step, self.seconds, self.best = saved["step"], saved["seconds"], saved["best"]


def save_policy(policy: Policy, out: Path, base: Path) -> None:
    """Write the weights in 16 bits, with their configuration."""
    from safetensors.torch import save_file

    weights = {
        name: value.detach().to("cpu", torch.float16).contiguous()
        for name, value in policy.state_dict().items()
    }
    save_file(weights, out / "model.safetensors")
    (out / "config.json").write_bytes((base / "config.json").read_bytes())
