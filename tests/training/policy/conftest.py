"""Invented examples, a tiny encoder, and a policy trained on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from policy_examples import PLAN, invented, tokenizer_of

from training.policy.evidence import Evidence
from training.policy.examples import Examples, make_examples


@pytest.fixture(scope="package")
def rows() -> list[Evidence]:
    return invented(80)


@pytest.fixture(scope="package")
def examples(rows: list[Evidence]) -> Examples:
    return make_examples(rows, tokenizer_of(rows))


@pytest.fixture(scope="package")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    from safetensors.torch import save_file
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=160,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    folder = tmp_path_factory.mktemp("base")
    config.to_json_file(folder / "config.json")
    save_file(BertModel(config, add_pooling_layer=False).state_dict(), folder / "model.safetensors")
    return folder


@pytest.fixture(scope="package")
def trained(
    examples: Examples, base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path, dict[str, Any]]:
    """The file of examples, the folder of a policy trained on them, and its manifest."""
    from training.policy.training import train_policy

    folder = tmp_path_factory.mktemp("trained")
    examples.save(folder / "all.npz")
    manifest = train_policy(folder / "all.npz", base, folder / "out", PLAN, "cpu")
    return folder / "all.npz", folder / "out", manifest
