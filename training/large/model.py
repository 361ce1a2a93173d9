"""Qwen2 or Llama with the weights of a GGUF file, and low-rank adapters on all its linear layers.

The base stays in bfloat16 and is not trained. y = W x + b + scale · B (A x), where only A and B have
gradients. In large layers W's are never computed, which saves a third of the work of a step.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

from training.large.gguf import Gguf
from training.reader.lora import Adapter, linear_layers

_NAMES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}


def load_model(base: Gguf, device: torch.device, dtype: torch.dtype = torch.bfloat16) -> Any:
    """Return the model of a file. Of the two copies of the embeddings the more exact one is used for both."""
    import transformers

    embeddings = "output.weight" if "output.weight" in base.tensors else "token_embd.weight"
    config = config_of(base, base.tensors[embeddings].shape[0])
    kind = {"qwen2": transformers.Qwen2ForCausalLM, "llama": transformers.LlamaForCausalLM}[base.architecture]
    with torch.device("meta"):
        model = kind(config)
    heads = {}
    if base.architecture == "llama":  # it stores the rows of queries and keys in an order of its own
        heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    state = {
        _name(name): _unturned(base.weights(name, device, dtype), heads.get(name.split(".")[-2]))
        for name in base.tensors
        if name in (embeddings, "output_norm.weight") or name.startswith("blk.")
    }
    missing = set(model.load_state_dict(state, strict=False, assign=True).missing_keys)
    if missing - {"lm_head.weight"}:
        raise ValueError(f"the file lacks weights: {sorted(missing)}")
    model.lm_head.weight = model.model.embed_tokens.weight
    # What is computed and not stored was left without values.
    model.model.rotary_emb = type(model.model.rotary_emb)(config).to(device)
    return model.requires_grad_(False).eval()


def _unturned(weight: Tensor, heads: int | None) -> Tensor:
    """Return rows whose rotated pairs stand next to each other (0, n/2, 1, n/2 + 1, …) half by half."""
    if heads is None:
        return weight
    return weight.reshape(heads, -1, 2, weight.shape[1]).transpose(1, 2).reshape(weight.shape)


def config_of(base: Gguf, vocabulary: int) -> Any:
    """Return the shape of the model."""
    import transformers

    kind = {"qwen2": transformers.Qwen2Config, "llama": transformers.LlamaConfig}[base.architecture]
    field = {key.removeprefix(f"{base.architecture}."): value for key, value in base.fields.items()}
    turns = {"rope_type": "default", "rope_theta": float(field["rope.freq_base"])}
    return kind(
        vocab_size=vocabulary,
        hidden_size=field["embedding_length"],
        intermediate_size=field["feed_forward_length"],
        num_hidden_layers=field["block_count"],
        num_attention_heads=field["attention.head_count"],
        num_key_value_heads=field["attention.head_count_kv"],
        max_position_embeddings=field["context_length"],
        rms_norm_eps=field["attention.layer_norm_rms_epsilon"],
        rope_parameters=turns,
        tie_word_embeddings=True,
        attn_implementation="sdpa",
    )


def _name(name: str) -> str:
    """Return the name that transformers has for a tensor.

    >>> _name("blk.3.attn_q.bias")
    'model.layers.3.self_attn.q_proj.bias'
    """
    if name.startswith("blk."):
        _, layer, part, last = name.split(".")
        return f"model.layers.{layer}.{_NAMES[part]}.{last}"
    return "model.norm.weight" if name == "output_norm.weight" else "model.embed_tokens.weight"


def hidden_states(body: Any, ids: Tensor) -> Tensor:
    """Return the last hidden states of rows that are padded at their ends, where nothing before looks. The
    model's own pass gives the same, but it inspects the positions for several texts in one row first, and so
    waits for the device.
    """
    hidden = body.embed_tokens(ids)
    positions = torch.arange(ids.shape[1], device=ids.device)[None, :]
    turned = body.rotary_emb(hidden, position_ids=positions)
    for layer in body.layers:
        hidden = layer(hidden, attention_mask=None, position_ids=positions, position_embeddings=turned)
        hidden = hidden[0] if isinstance(hidden, tuple) else hidden
    states: Tensor = body.norm(hidden)
    return states


# With fewer weights, starting the kernels of a layer takes longer than their work: the adapter is added to
# the weights first, which takes fewer of them.
MERGED_BELOW = 1_500_000


class _Adapted(torch.autograd.Function):  # type: ignore[misc]
    """y = plain + scale · (x Aᵀ) Bᵀ, added in place; `plain` is W x + b."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None, a: Tensor, b: Tensor) -> Tensor:
        flat = x.reshape(-1, x.shape[-1])
        low = flat @ a.T
        ctx.save_for_backward(flat, low, weight, a, b)
        plain = nn.functional.linear(flat, weight, bias)
        return plain.addmm_(low, b.T).reshape(*x.shape[:-1], -1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        flat, low, weight, a, b = ctx.saved_tensors
        up = gradients[0].reshape(-1, weight.shape[0])
        down = up @ b
        x = (up @ weight).addmm_(down, a) if ctx.needs_input_grad[0] else None
        shape = (*gradients[0].shape[:-1], weight.shape[1])
        return None if x is None else x.reshape(shape), None, None, down.T @ flat, up.T @ low


class AdaptedLinear(nn.Module):  # type: ignore[misc]
    """A frozen linear layer with a trained low-rank layer added to it."""

    def __init__(self, base: nn.Linear, rank: int, scale: float) -> None:
        super().__init__()
        self.base, self.scale = base, scale
        place = {"dtype": torch.float32, "device": base.weight.device}
        self.A = nn.Parameter(torch.empty(rank, base.in_features, **place))
        self.B = nn.Parameter(torch.zeros(base.out_features, rank, **place))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))

    def forward(self, x: Tensor) -> Tensor:
        kind = self.base.weight.dtype
        if self.base.weight.numel() < MERGED_BELOW:
            weight = torch.addmm(self.base.weight, self.B.to(kind), self.A.to(kind), alpha=self.scale)
            return nn.functional.linear(x, weight, self.base.bias)
        b = (self.B * self.scale).to(kind)
        adapted: Tensor = _Adapted.apply(x, self.base.weight, self.base.bias, self.A.to(kind), b)
        return adapted


def add_adapters(model: Any, rank: int, scale: float) -> list[nn.Parameter]:
    """Add an adapter to every linear layer of a model; return the parameters to train."""
    trained: list[nn.Parameter] = []
    for _, holder, last, linear in list(linear_layers(model)):
        adapted = AdaptedLinear(linear, rank, scale)
        setattr(holder, last, adapted)
        trained += [adapted.A, adapted.B]
    return trained


def remove_adapters(model: Any) -> None:
    """Take the adapters off again."""
    for _, holder, last, adapted in list(linear_layers(model)):
        setattr(holder, last, adapted.base)


@torch.no_grad()  # type: ignore[untyped-decorator]
def merge_adapter(model: Any, adapter: Adapter) -> None:
    """Add an adapter to the weights of a plain model; the sum is rounded once."""
    for name, _, _, linear in linear_layers(model):
        a, b = (adapter[f"{name}.{side}"].to(linear.weight.device) for side in "AB")
        linear.weight.copy_(torch.addmm(linear.weight.float(), b, a))
