"""The special tokens of a transformers tokenizer, and draws of tokens, each row with its own seed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any


def before_text(tokenizer: Any) -> list[int]:
    """Return the special tokens that a tokenizer puts before every text (as Llama and Gemma do)."""
    whole, plain = tokenizer("a")["input_ids"], tokenizer("a", add_special_tokens=False)["input_ids"]
    return list(whole[: whole.index(plain[0])]) if plain and plain[0] in whole else []


def end_tokens(tokenizer: Any, model: Any) -> list[int]:
    """Return every token that ends an answer: that of the tokenizer, and those of the model's generation
    settings (a model may end its messages with another token than its texts).
    """
    named = getattr(model.generation_config, "eos_token_id", None)
    ends = {tokenizer.eos_token_id, *(named if isinstance(named, list | tuple) else [named])}
    return sorted(int(token) for token in ends if token is not None)


def document_start(tokenizer: Any) -> int | None:
    """Return the token before the first token of a text: the separator of documents in training, otherwise
    the start or end token.
    """
    candidates = (tokenizer.bos_token_id, tokenizer.eos_token_id)
    separator = tokenizer.get_vocab().get("<|endoftext|>")
    return next((int(token) for token in (separator, *candidates) if token is not None), None)


def gguf_tokenizer(path: Path, transformers: Any) -> Any:
    """Return the tokenizer of a GGUF file of a known kind; None leaves it to transformers, whose conversion
    takes half a minute.
    """
    from gguf import GGUFReader

    from probative.models.embedded.convert import language_tokenizer

    field = {key: value for key, value in GGUFReader(path).fields.items() if key.startswith("tokenizer")}
    pre = field.get("tokenizer.ggml.pre")
    if pre is None or pre.contents() != "smollm":
        return None
    facts = {key: value.contents() for key, value in field.items()}
    vocabulary = facts["tokenizer.ggml.tokens"]
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=language_tokenizer(facts),
        bos_token=vocabulary[facts["tokenizer.ggml.bos_token_id"]],
        eos_token=vocabulary[facts["tokenizer.ggml.eos_token_id"]],
        pad_token=vocabulary[facts["tokenizer.ggml.padding_token_id"]],
        chat_template=facts.get("tokenizer.chat_template"),
    )


class Draws:
    """Changes the logits of a batch so that the largest of each row is a draw at the temperature, among the
    most probable tokens that together have the probability `top_p`. Transformers calls it at every step.

    torch has one source of random numbers for a whole batch, so a draw would depend on its neighbours. Here
    each row has its own: adding noise of the Gumbel distribution to the log-probabilities and taking the
    largest is a draw from them.
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
