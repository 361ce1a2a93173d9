"""Second moments of the inputs of each linear layer: the mean of x xᵀ, which a reduction of rank needs."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from training.reader.batches import Numbers, in_order
from training.reader.lora import linear_layers
from training.reader.measure import MEASURE_TOKENS, Tokens


@torch.no_grad()  # type: ignore[untyped-decorator]
def input_moments(model: Any, tokens: Tokens, numbers: Numbers, dtype: torch.dtype) -> dict[str, Tensor]:
    """Return the second moments of the inputs of every adapted layer over some examples, without padding."""
    sums: dict[str, Tensor] = {}
    count = 0
    real = torch.zeros(0)

    def watch(name: str) -> Any:
        def hook(_: Any, inputs: tuple[Tensor, ...], __: Any) -> None:
            x = inputs[0][real].float()
            sums[name] = sums.get(name, 0) + x.T @ x

        return hook

    hooks = [linear.register_forward_hook(watch(name)) for name, _, _, linear in linear_layers(model)]
    model.eval()
    for batch in in_order(numbers, tokens.arrays, MEASURE_TOKENS):
        ids, _, _ = tokens.batch(batch)
        lengths = torch.from_numpy(tokens.arrays.lengths[batch]).to(ids.device)
        real = torch.arange(ids.shape[1], device=ids.device)[None, :] < lengths[:, None]
        count += int(real.sum())
        with torch.autocast(ids.device.type, dtype, enabled=dtype != torch.float32):
            model.model(input_ids=ids, use_cache=False)
    for hook in hooks:
        hook.remove()
    return {name: total / count for name, total in sums.items()}
