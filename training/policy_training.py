"""The training itself: decisions drawn by worker processes, a listwise loss, and the best weights kept."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from policy_evaluation import choose, figures
from policy_examples import Examples, show
from policy_groups import Sampler
from policy_model import Padded, Policy, by_length, listwise_loss, padded, precision, scores_of
from torch.utils.data import DataLoader, IterableDataset

# How often decisions come from each source. Several hops are what a policy is for, and there are few of them.
SHARES = {
    "hotpotqa": 5.0,
    "hotpotqa_bare": 2.5,
    "2wikimultihopqa": 2.5,
    "2wiki_made": 1.5,
    "whole_pages": 1.5,
    "musique": 0.3,
    "multirc": 4.0,
    "fever": 5.0,
    "feverous": 3.0,
    "entailmentbank": 1.0,
    "fool_me_twice": 2.0,
    "selqa": 1.0,
    "squad": 3.0,
    "squad2": 3.0,
    "nq": 1.0,
}
# The sources whose mean of F1 and of all gold found decides which weights are best.
DECIDING = ("hotpotqa", "2wikimultihopqa", "multirc", "fever")
BATCH_TOKENS = 32_768
KEPT = 0.998


@dataclass(frozen=True)
class Plan:
    """How to train."""

    minutes: float = 10.0
    steps: int | None = None
    decisions: int = 48
    candidates: int = 20
    rate: float = 1e-4
    dropout: float = 0.1
    workers: int = 8
    every: int = 400
    choosing: int = 150
    seed: int = 0


@dataclass
class Batch:
    """Some decisions, padded and ready: parts of like length, and where each row belongs."""

    parts: list[Padded]
    order: torch.Tensor
    right: torch.Tensor
    group: torch.Tensor
    groups: int


class Decisions(IterableDataset[Batch]):
    """Batches of decisions without end; each worker draws its own."""

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


def _batch(groups: list[Any]) -> Batch:
    sequences = [sequence for group in groups for sequence in group.sequences]
    seconds = [second for group in groups for second in group.seconds]
    rows: list[int] = []
    parts: list[Padded] = []
    for batch in by_length([len(one) for one in sequences], BATCH_TOKENS):
        parts.append(padded([sequences[row] for row in batch], [seconds[row] for row in batch]))
        rows.extend(batch)
    return Batch(
        parts,
        torch.tensor(rows).argsort(),
        torch.tensor([right for group in groups for right in group.right]),
        torch.tensor([at for at, group in enumerate(groups) for _ in group.sequences]),
        len(groups),
    )


def train_policy(file: Path, base: Path, out: Path, plan: Plan, device: str) -> dict[str, Any]:
    """Train, and write the best weights, a checkpoint to go on from, and a manifest with the figures."""
    torch.manual_seed(plan.seed)
    examples = Examples.load(file)
    out.mkdir(parents=True, exist_ok=True)
    state = _State(Policy.from_folder(base, dropout=plan.dropout).to(device), plan, device)
    if (out / "checkpoint.pt").is_file():
        state.load(torch.load(out / "checkpoint.pt", map_location=device, weights_only=False))
        show(f"goes on from step {state.step}")
    sampler = Sampler(examples, plan.candidates)
    hard = torch.from_numpy(sampler.hard).share_memory_()
    batches = iter(
        DataLoader(
            Decisions(sampler, plan, hard, state.step),
            batch_size=None,
            num_workers=plan.workers,
            prefetch_factor=4 if plan.workers else None,
        )
    )
    choosing = _some(examples, plan.choosing)
    began, losses = time.monotonic() - state.seconds, []
    while not state.finished(time.monotonic() - began):
        losses.append(state.learn(next(batches), time.monotonic() - began))
        if state.step % plan.every == 0 or state.finished(time.monotonic() - began):
            state.seconds = time.monotonic() - began
            result = figures(examples, choose(state.mean, examples, choosing, device))
            state.keep(result, out, base, float(torch.stack(losses[-plan.every :]).mean()))
            _refresh(hard, examples, state.mean, device, plan.seed + state.step)
    manifest = {"plan": asdict(plan), "steps": state.step, "seconds": state.seconds, "best": state.best}
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    return manifest


def _some(examples: Examples, most: int) -> list[int]:
    """At most so many examples of each source from the part set aside, always the same."""
    return [
        number
        for at in range(len(examples.names))
        for number in np.flatnonzero(examples.choose & (examples.source == at))[:most].tolist()
    ]


class _State:
    """The weights, their running mean, the optimizer, and how far it is."""

    def __init__(self, policy: Policy, plan: Plan, device: str) -> None:
        import copy

        self.policy, self.plan, self.device = policy, plan, device
        self.mean = copy.deepcopy(policy).requires_grad_(False)
        self.mean.eval()
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
        """Whether the time or the steps are over."""
        over = self.plan.steps is not None and self.step >= self.plan.steps
        return over or seconds >= 60 * self.plan.minutes

    def learn(self, batch: Batch, seconds: float) -> torch.Tensor:
        """One step; the rate rises over the first twentieth of the time and falls along a cosine."""
        share = max(
            seconds / (60 * self.plan.minutes), self.step / self.plan.steps if self.plan.steps else 0.0
        )
        rate = (
            self.plan.rate * min(1.0, share / 0.05 + 0.02) * 0.5 * (1 + math.cos(math.pi * min(share, 1.0)))
        )
        for settings in self.optimizer.param_groups:
            settings["lr"] = rate * settings["factor"]
        self.policy.train()
        with precision(self.device):
            parts = [
                self.policy(*(torch.from_numpy(one).to(self.device, non_blocking=True) for one in part))
                for part in batch.parts
            ]
        scores = torch.cat(parts)[batch.order.to(self.device)].float()
        loss = listwise_loss(scores, batch.right.to(self.device), batch.group.to(self.device), batch.groups)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        kept = min(KEPT, self.step / (self.step + 10))
        with torch.no_grad():
            torch._foreach_lerp_([*self.mean.parameters()], [*self.policy.parameters()], 1 - kept)
        return loss.detach()  # still on the device: reading it would make the next step wait

    def keep(self, result: dict[str, dict[str, float]], out: Path, base: Path, loss: float) -> None:
        """Write a checkpoint, and the weights if they chose best so far."""
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
        """Go on from a checkpoint."""
        self.policy.load_state_dict(saved["policy"])
        self.mean.load_state_dict(saved["mean"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.step, self.seconds, self.best = saved["step"], saved["seconds"], saved["best"]


def save_policy(policy: Policy, out: Path, base: Path) -> None:
    """The weights in 16 bits, with the configuration that they need."""
    from safetensors.torch import save_file

    weights = {
        name: value.detach().to("cpu", torch.float16).contiguous()
        for name, value in policy.state_dict().items()
    }
    save_file(weights, out / "model.safetensors")
    (out / "config.json").write_bytes((base / "config.json").read_bytes())


def _refresh(hard: torch.Tensor, examples: Examples, policy: Policy, device: str, seed: int) -> None:
    """Score the sentences of an eighth of the examples again, after some of their gold, so that candidates
    which the policy gets wrong come back.
    """
    random = np.random.default_rng(seed)
    numbers = random.permutation(np.flatnonzero(~examples.choose))[: max(1, len(examples) // 8)]
    sampler = Sampler(examples)
    with torch.inference_mode(), precision(device):
        for start in range(0, len(numbers), 512):
            groups, places = [], []
            for example in numbers[start : start + 512].tolist():
                gold = np.flatnonzero(examples.gold[examples.places(example)])
                before = random.permutation(gold)[: random.integers(0, max(1, len(gold)))].tolist()
                group = sampler.state(example, before)
                groups.append(group)
                places += [int(examples.first[example]) + at for at in group.places[:-2]]
            flat = [one for group in groups for one in group.sequences]
            seconds = [one for group in groups for one in group.seconds]
            scores = scores_of(policy, flat, seconds, device).float().cpu()
            kept = torch.tensor([at >= 0 for group in groups for at in group.places])
            hard[torch.tensor(places)] = scores[kept]
