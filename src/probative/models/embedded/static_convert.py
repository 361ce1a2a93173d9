"""Convert the published table of the static encoder."""

from __future__ import annotations

import json
from pathlib import Path


def convert_static(folder: Path, into: Path) -> None:
    """Convert a table of token vectors (safetensors) and copy its tokenizer."""
    import numpy as np
    from safetensors.numpy import load_file

    table = load_file(folder / "model.safetensors")["embeddings"].astype(np.float32)
    with (into / "model.bin").open("wb") as file:
        np.save(file, table)
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["truncation"] = tokenizer["padding"] = None
    (into / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
    facts = {"dimensions": int(table.shape[1])}
    (into / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
