"""Compare the answers of the embedded engine with those of the trained model in float32."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.models.embedded.catalog import LANGUAGE_MODEL
from probative.models.embedded.fetch import sha256_of
from probative.models.embedded.language import END, EmbeddedModel
from probative.models.embedded.shipped import tuned
from probative.models.embedded.store import Store
from training.reader.arrays import Arrays

MOST_TOKENS = 32


@dataclass(frozen=True)
class Row:
    """A question: the gold answer, and the answers of both models."""

    gold: str
    trained: str
    embedded: str


def embedded_model(base: Path, adapter: Path | None, folder: Path) -> EmbeddedModel:
    """Return the engine with this adapter, converted as the package converts it."""
    source = LANGUAGE_MODEL.model_copy(update={"files": {base.name: sha256_of(base)}})
    source = tuned(source, adapter) if adapter is not None else source
    return EmbeddedModel(Store(folder).ensure(source, lambda what, part: None, origin=base))


def embedded_answers(model: EmbeddedModel, prompts: Sequence[list[int]]) -> list[list[int]]:
    """Return what the engine writes after each prompt, one prompt at a time."""
    answers = []
    for ids in prompts:
        (result,) = model._writer().generate_batch(
            [model._tokens(ids)], max_length=MOST_TOKENS, include_prompt_in_result=False, end_token=[END]
        )
        answers.append([int(token) for token in result.sequences_ids[0]])
    return answers


def trained_answers(
    base: Path, adapter: Path | None, prompts: Sequence[list[int]], end: int, say: Callable[[str], None]
) -> list[list[int]]:
    """Return what the model with the adapter merged writes in float32."""
    import torch

    from training.reader.base import load_base
    from training.reader.lora import load_adapter, merge

    model: Any = load_base(base).eval()
    if adapter is not None:
        merge(model, load_adapter(adapter))
    answers = []
    with torch.inference_mode():
        for number, ids in enumerate(prompts, 1):
            prompt = torch.tensor([ids])
            written = model.generate(
                prompt,
                attention_mask=torch.ones_like(prompt),
                do_sample=False,
                max_new_tokens=MOST_TOKENS,
                eos_token_id=end,
                pad_token_id=end,
            )
            answers.append(written[0, len(ids) :].tolist())
            if number % 20 == 0:
                say(f"{number} of {len(prompts)}")
    return answers


def some_rows(arrays: Arrays, part: str, form: str, rows: int) -> NDArray[np.int64]:
    """Return random questions of a part in one form, always the same ones."""
    numbers = arrays.where(part=part, tasks=("answer", "unknown"), forms=(form,))
    drawn = np.random.default_rng(0).permutation(numbers)[:rows]
    return np.sort(drawn)


def compare(
    base: Path, adapter: Path | None, arrays: Arrays, numbers: NDArray[np.int64], say: Callable[[str], None]
) -> list[Row]:
    """Return both models' answers to some questions."""
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
    """Return how often both wrote the same, how often each is right, and where they differ.

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
