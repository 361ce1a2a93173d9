"""Checkpoints: everything that is needed to continue a run exactly where it stopped."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from training.reader.loop import Trainer

CHECKPOINT = "checkpoint.pt"


def save_checkpoint(trainer: Trainer) -> None:
    """Write the state of a run into its folder, in one step."""
    state = {
        "options": asdict(trainer.options),
        "trained": [parameter.detach().cpu() for parameter in trainer.trained],
        "optimiser": trainer.optimiser.state_dict(),
        "random": torch.random.get_rng_state(),
        "cuda_random": torch.cuda.get_rng_state_all() if trainer.device.type == "cuda" else [],
        "step": trainer.step,
        "steps": trainer.steps,
        "spent": trainer.spent,
        "best": trainer.best,
        "best_state": {name: value.cpu() for name, value in trainer.best_state.items()},
        "history": trainer.history,
    }
    trainer.out.mkdir(parents=True, exist_ok=True)
    scratch = trainer.out / f"{CHECKPOINT}.new"
    torch.save(state, scratch)
    scratch.replace(trainer.out / CHECKPOINT)


def load_checkpoint(trainer: Trainer) -> None:
    """Continue a run from the checkpoint in its folder; raises ValueError if that has other options."""
    state = torch.load(trainer.out / CHECKPOINT, map_location="cpu", weights_only=True)
    wanted = asdict(trainer.options)
    differs = [name for name, value in state["options"].items() if wanted.get(name) != value]
    if differs:
        raise ValueError(f"the checkpoint was made with other options: {', '.join(differs)}")
    with torch.no_grad():
        for parameter, value in zip(trainer.trained, state["trained"], strict=True):
            parameter.copy_(value)
    trainer.optimiser.load_state_dict(state["optimiser"])
    torch.random.set_rng_state(state["random"])
    if trainer.device.type == "cuda":
        torch.cuda.set_rng_state_all(state["cuda_random"])
    trainer.step, trainer.steps, trainer.spent = state["step"], state["steps"], state["spent"]
    trainer.best, trainer.history = state["best"], state["history"]
    trainer.best_state = {name: value.to(trainer.device) for name, value in state["best_state"].items()}
