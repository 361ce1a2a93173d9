"""Scores as transformers gives them, with nothing of ours between."""

from __future__ import annotations

from probative.models.hf.model import HFModel


def plain_log_probabilities(model: HFModel, ids: list[int], start: int) -> list[float]:
    """One sequence, one pass, no cache, no batch: what sharing must not change."""
    import torch

    with torch.inference_mode():
        logits = model._model(torch.tensor([ids])).logits[0].double()
    logs = torch.log_softmax(logits, dim=-1)
    return [float(logs[i - 1, ids[i]]) for i in range(start, len(ids))]
