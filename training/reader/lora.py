"""Low-rank adapters: W + B A is the tuned weight of a layer (Hu et al., 2021).

An adapter is stored as A and B of every layer, α/r multiplied into B, under names that need no library to
merge: `layers.3.self_attn.q_proj.A`. They are in 8 bits with a scale (`.A.scale`) for every row of A and
every column of B, that is for each of the rank's directions.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

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


def linear_layers(model: Any) -> Iterator[tuple[str, Any, str, Any]]:
    """Yield every adapted layer: its name, the module that contains it, its name there, and the layer."""
    for number, layer in enumerate(model.model.layers):
        for name in LINEAR:
            part, last = name.split(".")
            holder = getattr(layer, part)
            yield f"layers.{number}.{name}", holder, last, getattr(holder, last)


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
