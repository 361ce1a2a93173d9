"""The tokenizer of a base model, from its GGUF file or from a folder."""

from __future__ import annotations

from pathlib import Path

from training.reader.arrays import Encoder


def encoder_of(base: Path) -> Encoder:
    """Return the encoder that turns examples into the tokens of this model."""
    from probative.models.embedded.convert import document_start, language_tokenizer

    if base.is_dir():
        text = (base / "tokenizer.json").read_text(encoding="utf-8")
        from tokenizers import Tokenizer

        ids = Tokenizer.from_str(text).get_vocab(with_added_tokens=True)
        return Encoder(text, document_start(sorted(ids, key=ids.__getitem__), 0))
    from gguf import GGUFReader

    field = {key: value.contents() for key, value in GGUFReader(base).fields.items()}
    first = document_start(field["tokenizer.ggml.tokens"], field["tokenizer.ggml.bos_token_id"])
    return Encoder(language_tokenizer(field).to_str(), first)
