"""Low-rank adapters, written out: y = W x + (α/r) · B A x, with W frozen (Hu et al., 2021).

An adapter is stored as A and B of every layer, α/r multiplied into B, under names that need no library to
merge: `layers.3.self_attn.q_proj.A`. W + B A is the tuned weight. They are in 8 bits with a scale
(`.A.scale`) for every row of A and every column of B, that is for each of the rank's directions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

LINEAR = (
    "self_attn.q_proj",
    "self_attn.k_proj",
    "self_attn.v_proj",
    "self_attn.o_proj",
    "mlp.gate_proj",
    "mlp.up_proj",
    "mlp.down_proj",
)
Adapter = dict[str, Tensor]
"""Names with .A (rank × inputs) and .B (outputs × rank)."""


class LoraLinear(nn.Module):  # type: ignore[misc]
    """A frozen linear layer with a trained low-rank layer added to it."""

    def __init__(self, base: nn.Linear, rank: int, alpha: float, dropout: float) -> None:
        super().__init__()
        self.base = base.requires_grad_(False)
        device = base.weight.device
        self.A = nn.Parameter(torch.empty(rank, base.in_features, dtype=torch.float32, device=device))
        self.B = nn.Parameter(torch.zeros(base.out_features, rank, dtype=torch.float32, device=device))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scale = alpha / rank
        self.dropout = nn.Dropout(dropout)
        self.on = True

    def forward(self, x: Tensor) -> Tensor:
        if self.on and self.dropout.p == 0:  # one product instead of three, on all tokens
            kind = self.base.weight.dtype
            weight = torch.addmm(self.base.weight, self.B.to(kind), self.A.to(kind), alpha=self.scale)
            return nn.functional.linear(x, weight)
        plain: Tensor = self.base(x)
        if not self.on:
            return plain
        low = nn.functional.linear(self.dropout(x), self.A.to(x.dtype))
        return plain + nn.functional.linear(low, self.B.to(x.dtype)) * self.scale


def linear_layers(model: Any) -> Iterator[tuple[str, Any, str, Any]]:
    """Yield every adapted layer: its name, the module that contains it, its name there, and the layer."""
    for number, layer in enumerate(model.model.layers):
        for name in LINEAR:
            part, last = name.split(".")
            holder = getattr(layer, part)
            yield f"layers.{number}.{name}", holder, last, getattr(holder, last)


def add_lora(model: Any, rank: int, alpha: float, dropout: float = 0.0) -> list[nn.Parameter]:
    """Add an adapter to every linear layer; return the parameters to train."""
    model.requires_grad_(False)
    trained: list[nn.Parameter] = []
    for _, holder, last, linear in list(linear_layers(model)):
        lora = LoraLinear(linear, rank, alpha, dropout)
        setattr(holder, last, lora)
        trained += [lora.A, lora.B]
    return trained


def set_lora(model: Any, on: bool) -> None:
    """Switch the adapters on or off; without them the model is the plain one."""
    for _, _, _, lora in linear_layers(model):
        lora.on = on


def read_lora(model: Any) -> Adapter:
    """Return the adapter of a model, with its scale multiplied in."""
    adapter: Adapter = {}
    for name, _, _, lora in linear_layers(model):
        adapter[f"{name}.A"] = lora.A.detach().float().cpu().clone()
        adapter[f"{name}.B"] = (lora.B.detach().float() * lora.scale).cpu().clone()
    return adapter


def write_lora(model: Any, adapter: Adapter) -> None:
    """Give a model's adapters the values of a stored adapter of the same or a lower rank. The additional
    rows stay random in A and 0 in B, which changes nothing.
    """
    with torch.no_grad():
        for name, _, _, lora in linear_layers(model):
            a, b = adapter[f"{name}.A"].to(lora.A), adapter[f"{name}.B"].to(lora.B)
            rank = len(a)
            lora.A[:rank] = a
            lora.B.zero_()
            lora.B[:, :rank] = b / lora.scale


def merge(model: Any, adapter: Adapter) -> None:
    """Add an adapter to the weights of a plain model."""
    with torch.no_grad():
        for name, _, _, linear in linear_layers(model):
            a, b = adapter[f"{name}.A"].float(), adapter[f"{name}.B"].float()
            linear.weight += (b @ a).to(linear.weight)


def reduce_rank(model: Any, plain: Any, rank: int, inputs: dict[str, Tensor] | None = None) -> Adapter:
    """The best low-rank form of how a fully tuned model differs from the plain one.

    With U the first singular vectors of the difference D, that is D ≈ U (Uᵀ D). With `inputs` (the mean C of
    x xᵀ at each layer) the error that counts is that of the outputs, ‖(D − B A) x‖: then D C^½ is cut, and A
    is taken back through C^-½.
    """
    adapter: Adapter = {}
    before = {name: linear for name, _, _, linear in linear_layers(plain)}
    for name, _, _, linear in linear_layers(model):
        difference = linear.weight.detach().double() - before[name].weight.detach().double()
        if inputs is None:
            b, a = _cut(difference, rank)
        else:
            root, back = _roots(inputs[name].to(difference))
            b, a = _cut(difference @ root, rank)
            a = a @ back
        # The length is shared between the two, so that neither is too small for float16.
        even = (a.norm(dim=1) / b.norm(dim=0).clamp_min(1e-12)).clamp_min(1e-12).sqrt()
        adapter[f"{name}.A"] = (a / even[:, None]).float().cpu()
        adapter[f"{name}.B"] = (b * even).float().cpu()
    return adapter


def _cut(matrix: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """Return the nearest product of two matrices of this rank. The singular vectors of the shorter side are
    the eigenvectors of a small square matrix, which a GPU finds many times faster than a decomposition.
    """
    if matrix.shape[0] <= matrix.shape[1]:
        left = torch.linalg.eigh(matrix @ matrix.T).eigenvectors[:, -rank:]
        return left, left.T @ matrix
    right = torch.linalg.eigh(matrix.T @ matrix).eigenvectors[:, -rank:]
    return matrix @ right, right.T


def _roots(moment: Tensor) -> tuple[Tensor, Tensor]:
    """Return the square root of a matrix of second moments, and its inverse. Eigenvalues are at least a
    thousandth of the mean, since directions that were hardly seen may be seen later.
    """
    values, vectors = torch.linalg.eigh(moment)
    values = values.clamp_min(float(values.mean()) * 1e-3).sqrt()
    root = (vectors * values) @ vectors.T
    back = (vectors / values) @ vectors.T
    return root, back


def save_adapter(adapter: Adapter, file: Path) -> None:
    """Write an adapter in 8 bits."""
    from safetensors.torch import save_file

    stored: dict[str, Tensor] = {}
    for name, value in adapter.items():
        whole, scale = in_8_bits(value, 1 if name.endswith(".A") else 0)
        stored |= {name: whole, f"{name}.scale": scale}
    save_file(stored, file)


def in_8_bits(value: Tensor, along: int) -> tuple[Tensor, Tensor]:
    """Return integers up to 127 in absolute value, and the factor of each row (`along` 1) or column (0)."""
    scale = (value.float().abs().amax(along, keepdim=True) / 127).clamp_min(1e-12)
    whole = (value.float() / scale).round().clamp(-127, 127).to(torch.int8)
    return whole.contiguous(), scale.contiguous()


def load_adapter(file: Path) -> Adapter:
    """Read an adapter, in 8 bits or in float16."""
    from safetensors.torch import load_file

    stored = load_file(file)
    scales = {name.removesuffix(".scale"): value for name, value in stored.items() if name.endswith(".scale")}
    values = {name: value.float() for name, value in stored.items() if not name.endswith(".scale")}
    return {name: value * scales[name] if name in scales else value for name, value in values.items()}
