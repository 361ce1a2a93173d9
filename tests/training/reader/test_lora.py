from __future__ import annotations

import pytest
from tiny import tiny_llama

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from training.large.model import add_adapters  # noqa: E402
from training.reader.lora import in_8_bits, linear_layers, read_lora, write_lora  # noqa: E402


def test_a_higher_rank_begins_where_a_lower_one_ended() -> None:
    lower, higher = tiny_llama(40), tiny_llama(40)
    add_adapters(lower, rank=4, scale=2.0)
    for _, _, _, layer in linear_layers(lower):
        torch.nn.init.normal_(layer.B, std=0.1)
    add_adapters(higher, rank=6, scale=0.5)
    write_lora(higher, read_lora(lower))
    ids = torch.arange(12)[None]
    with torch.no_grad():
        assert torch.allclose(higher(ids).logits, lower(ids).logits, atol=1e-4)
        assert not torch.allclose(tiny_llama(40)(ids).logits, lower(ids).logits, atol=0.1)
    assert read_lora(higher)["layers.0.mlp.up_proj.A"].shape[0] == 6


def test_eight_bits_lose_at_most_half_a_step() -> None:
    value = torch.randn(3, 50, generator=torch.Generator().manual_seed(1))
    whole, scale = in_8_bits(value, along=1)
    assert (whole.dtype, scale.shape) == (torch.int8, (3, 1))
    assert ((whole * scale - value).abs() <= scale / 2 + 1e-6).all()
