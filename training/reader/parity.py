"""Whether the embedded engine answers as the trained model does in float32."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.models.embedded.adapter import tuned
from probative.models.embedded.catalog import LANGUAGE_MODEL
from probative.models.embedded.fetch import sha256_of
from probative.models.embedded.language import END, EmbeddedModel
from probative.models.embedded.store import Store
from training.reader.arrays import Arrays

MOST_TOKENS = 32


@dataclass(frozen=True)
class Row:
    """One question: what is right, and what the two wrote."""

    gold: str
    trained: str
    embedded: str


def embedded_model(base: Path, adapter: Path | None, folder: Path) -> EmbeddedModel:
    """The engine with this adapter, converted as the package converts it."""
    source = LANGUAGE_MODEL.model_copy(update={"files": {base.name: sha256_of(base)}})
    source = tuned(source, adapter) if adapter is not None else source
    return EmbeddedModel(Store(folder).ensure(source, lambda what, part: None, origin=base))


def embedded_answers(model: EmbeddedModel, prompts: Sequence[list[int]]) -> list[list[int]]:
    """What the engine writes after each prompt, one at a time, as a question comes."""
    found = []
    for ids in prompts:
        (result,) = model._writer().generate_batch(
            [model._tokens(ids)], max_length=MOST_TOKENS, include_prompt_in_result=False, end_token=[END]
        )
        found.append([int(token) for token in result.sequences_ids[0]])
    return found


def trained_answers(
    base: Path, adapter: Path | None, prompts: Sequence[list[int]], end: int, say: Callable[[str], None]
) -> list[list[int]]:
    """What the model with the adapter merged writes in float32."""
    import torch

    from training.reader.base import load_base
    from training.reader.lora import load_adapter, merge

    model: Any = load_base(base).eval()
    if adapter is not None:
        merge(model, load_adapter(adapter))
    found = []
    with torch.inference_mode():
        for number, ids in enumerate(prompts, 1):
            asked = torch.tensor([ids])
            written = model.generate(
                asked,
                attention_mask=torch.ones_like(asked),
                do_sample=False,
                max_new_tokens=MOST_TOKENS,
                eos_token_id=end,
                pad_token_id=end,
            )
            found.append(written[0, len(ids) :].tolist())
            if number % 20 == 0:
                say(f"{number} of {len(prompts)}")
    return found


def some_rows(arrays: Arrays, part: str, form: str, rows: int) -> NDArray[np.int64]:
    """Questions of a part in one form, drawn at random and always the same."""
    numbers = arrays.where(part=part, tasks=("answer", "unknown"), forms=(form,))
    drawn = np.random.default_rng(0).permutation(numbers)[:rows]
    return np.sort(drawn)


def compare(
    base: Path, adapter: Path | None, arrays: Arrays, numbers: NDArray[np.int64], say: Callable[[str], None]
) -> list[Row]:
    """Both models' answers to some questions."""
    prompts = [arrays.example(n)[: arrays.cuts[n]].astype(int).tolist() for n in numbers]
    targets = [arrays.example(n)[arrays.cuts[n] :].astype(int).tolist() for n in numbers]
    with tempfile.TemporaryDirectory() as folder:
        model = embedded_model(base, adapter, Path(folder))
        embedded = embedded_answers(model, prompts)
        trained = trained_answers(base, adapter, prompts, model._end, say)
        text = [
            [model._frame.decode(ids, skip_special_tokens=True).strip() for ids in answers]
            for answers in (targets, trained, embedded)
        ]
    return [Row(*row) for row in zip(*text, strict=True)]


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """How often the two wrote the same, how often each is right, and where they differ.

    >>> summary([Row("Molde", "Molde", "Molde"), Row("1871", "1871", "1872")])["same"]
    0.5
    """
    return {
        "rows": len(rows),
        "same": float(np.mean([row.trained == row.embedded for row in rows])),
        "exact_trained": float(np.mean([row.trained == row.gold for row in rows])),
        "exact_embedded": float(np.mean([row.embedded == row.gold for row in rows])),
        "different": [
            {"gold": row.gold, "trained": row.trained, "embedded": row.embedded}
            for row in rows
            if row.trained != row.embedded
        ],
    }
