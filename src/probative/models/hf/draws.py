"""Draws from a model's probabilities, many requests in one batch, each with its own seed.

torch has one source of random numbers for a whole batch, so a draw would depend on its neighbours. Here each
row has its own: adding noise of the Gumbel distribution to the log-probabilities and taking the largest is a
draw from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Draws:
    """Changes the logits of a batch so that the largest of each row is a draw at the temperature, among the
    most probable tokens that together have the probability `top_p`. Transformers calls it at every step.
    """

    def __init__(self, torch: Any, seeds: Sequence[int], temperature: float, top_p: float) -> None:
        self._torch = torch
        self._temperature, self._top_p = temperature, top_p
        # On the CPU: the same numbers on every device.
        self._sources = [torch.Generator().manual_seed(seed) for seed in seeds]

    def __call__(self, _: Any, logits: Any) -> Any:
        """Return the logits with the noise of this step."""
        torch = self._torch
        scaled = torch.log_softmax(logits.float() / self._temperature, dim=-1)
        if self._top_p < 1:
            scaled = self._nucleus(scaled)
        noise = torch.stack([torch.rand(scaled.shape[-1], generator=source) for source in self._sources])
        return scaled - torch.log(-torch.log(noise.clamp_min(1e-20))).to(scaled.device)

    def _nucleus(self, log_probabilities: Any) -> Any:
        """Leave out every token before which the more probable ones already reach `top_p`."""
        values, order = log_probabilities.sort(dim=-1, descending=True)
        probabilities = values.exp()
        outside = probabilities.cumsum(dim=-1) - probabilities >= self._top_p
        return log_probabilities.masked_fill(outside.scatter(-1, order, outside), float("-inf"))
