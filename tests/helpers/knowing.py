"""A scripted model that knows some statements, and an encoder whose vectors are given; for tests of give."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from probative.models.contract import Progress
from probative.models.encoder import Encoder
from probative.models.types import Request
from probative.testing import ScriptedModel
from probative.types import Usage

_LINE = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)


class Given(Encoder):
    """Encodes a text as the vector given for it, made of length 1; counts what it encoded."""

    name = "given"

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self._vectors = vectors
        self.encoded: list[str] = []

    @property
    def fingerprint(self) -> str:
        return f"given:{sorted(self._vectors.items())}"

    @property
    def dimensions(self) -> int:
        return len(next(iter(self._vectors.values())))

    @property
    def usage(self) -> Usage:
        return Usage(calls=len(self.encoded))

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        self.encoded.extend(texts)
        nothing = [0.0] * self.dimensions
        rows = np.array([self._vectors.get(text, nothing) for text in texts], dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths == 0, 1, lengths), dtype=np.float32)


def knowing_model(
    *,
    entities: Sequence[str] = (),
    relations: Sequence[str] = (),
    true: Collection[str] = (),
    unsure: Collection[str] = (),
    related: Mapping[tuple[str, str], str] | None = None,
    path: str = "1",
    answers: Iterable[str] = ("yes", "yes", "yes"),
    window: int | None = None,
) -> ScriptedModel:
    """Answers each prompt of give by what it is told to know, one at a time or in batches alike."""
    staged = iter(answers)

    def judged(statement: str) -> str:
        return "yes" if statement in true else "maybe" if statement in unsure else "no"

    def phrase(head: str, tail: str) -> str:
        return (related or {}).get((head, tail), "none")

    def reply(request: Request) -> str:
        prompt = request.messages[-1].content
        lines = [text for _, text in _LINE.findall(prompt)]
        if request.json_schema is not None:
            wanted = request.json_schema["properties"]
            known = {"entities": list(entities), "relations": list(relations)}
            return json.dumps({name: known[name] for name in wanted})
        if "Is the statement true?" in prompt:
            return judged(_after(prompt, "Statement: "))
        if prompt.startswith("You check statements"):
            return "\n".join(f"{number}. {judged(text)}" for number, text in enumerate(lines, 1))
        if prompt.endswith("Phrase:"):
            return phrase(_after(prompt, "First: "), _after(prompt, "Second: "))
        if "\nPairs:\n" in prompt:
            pairs = [text.split(" | ") for text in lines]
            return "\n".join(f"{number}. {phrase(*pair)}" for number, pair in enumerate(pairs, 1))
        if prompt.endswith("Number:"):
            return path
        if prompt.startswith("Sum up"):
            return "In short, it holds."
        return next(staged)

    return ScriptedModel(generate=reply, window=window)


def _after(prompt: str, label: str) -> str:
    return prompt.rpartition(label)[2].split("\n", 1)[0]
