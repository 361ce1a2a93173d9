"""The tokenizer of a GGUF file, Qwen2's or SmolLM2's, without transformers and without downloads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from training.large.gguf import Gguf

# The words that Qwen2 cuts a text into before it joins bytes to tokens; digits stand alone.
WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
START, END, PAD = "<|im_start|>", "<|im_end|>", "<|endoftext|>"


class Tokens:
    """Texts to token ids and back. A control token that is written in a text stays text."""

    def __init__(self, fields: dict[str, Any]) -> None:
        from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

        self.vocabulary = {token: number for number, token in enumerate(fields["tokenizer.ggml.tokens"])}
        merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"]]
        self._tokenizer = Tokenizer(models.BPE(vocab=self.vocabulary, merges=merges))
        is_qwen = fields["general.architecture"] == "qwen2"
        digits: Any = pre_tokenizers.Digits(individual_digits=True)
        if is_qwen:
            self._tokenizer.normalizer = normalizers.NFC()
            digits = pre_tokenizers.Split(Regex(WORDS), "isolated")
        self._tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [digits, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not is_qwen)]
        )
        self._tokenizer.decoder = decoders.ByteLevel()
        self.start, self.end, self.pad = (self.vocabulary[token] for token in (START, END, PAD))

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text."""
        return [encoded.ids for encoded in self._tokenizer.encode_batch_fast(list(texts))]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of some tokens, up to the first that ends a turn."""
        kept: list[int] = []
        for token in ids:
            if token in (self.end, self.pad):
                break
            kept.append(int(token))
        return str(self._tokenizer.decode(kept))


def tokens_of(base: Gguf) -> Tokens:
    """Return the tokenizer of a GGUF file."""
    return Tokens(base.fields)
