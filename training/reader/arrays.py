"""Examples as arrays of token ids in one file, so that training needs no tokenizer and no text.

The tokens of all examples follow each other; an example is a start, a length and the index where its target
begins.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.reader.example import FORMS, PARTS, TASKS, Example

MOST_TOKENS = 512
BATCH = 4096
END = "<|im_end|>"


@dataclass(frozen=True)
class Arrays:
    """All examples: where their tokens are, where the targets begin, and what they are."""

    tokens: NDArray[np.uint16]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int32]
    cuts: NDArray[np.int32]
    task: NDArray[np.uint8]
    part: NDArray[np.uint8]
    form: NDArray[np.uint8]
    source: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    noise: NDArray[np.uint8]
    sources: tuple[str, ...]
    kinds: tuple[str, ...]
    facts: dict[str, Any]
    """The manifest, and `unknown`: the first token of the reply that the evidence is not enough."""

    def __len__(self) -> int:
        return len(self.starts)

    def where(self, *, part: str, tasks: Sequence[str], forms: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of the examples of a part with these tasks and forms."""
        wanted = (
            (self.part == PARTS.index(part))  # type: ignore[arg-type]
            & np.isin(self.task, [TASKS.index(task) for task in tasks])  # type: ignore[arg-type]
            & np.isin(self.form, [FORMS.index(form) for form in forms])  # type: ignore[arg-type]
        )
        return np.flatnonzero(wanted)

    def example(self, number: int) -> NDArray[np.uint16]:
        """Return the tokens of an example."""
        start = int(self.starts[number])
        return self.tokens[start : start + int(self.lengths[number])]


class Encoder:
    """Turns examples into token ids, in the model's own chat format; text never becomes control tokens."""

    def __init__(self, tokenizer_json: str, first_token: int) -> None:
        from tokenizers import Tokenizer

        from probative.models.task_prompts import UNKNOWN

        self._text = Tokenizer.from_str(tokenizer_json)
        self._text.encode_special_tokens = True
        self._frame = Tokenizer.from_str(tokenizer_json)
        self._first = first_token
        self._end = self._frame.encode(END).ids
        self._close = self._frame.encode(f"{END}\n").ids
        self._open = {
            role: self._frame.encode(f"<|im_start|>{role}\n").ids for role in ("system", "user", "assistant")
        }
        self.unknown: int = self._text.encode(UNKNOWN).ids[0]

    def encode(self, examples: Sequence[Example]) -> Iterator[tuple[list[int], int]]:
        """Yield the tokens of each example and the index where its target begins."""
        texts = [
            text
            for example in examples
            for text in (*(turn.content for turn in example.messages), example.target)
        ]
        encoded = iter(self._text.encode_batch(texts))
        for example in examples:
            ids: list[int] = []
            for turn in example.messages:
                content = next(encoded).ids
                if example.form == "text":
                    ids += [self._first, *content]
                else:
                    ids += self._open[turn.role] + content + self._close
            if example.form != "text":
                ids += self._open["assistant"]
            target = next(encoded).ids
            ends = [] if example.task == "keep" else self._end
            yield ids + target + ends, len(ids)

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[list[int], int]]:
        """Yield the tokens of each pair of a text and its continuation, without a chat, and where the
        continuation begins.
        """
        encoded = iter(self._text.encode_batch([text for pair in pairs for text in pair]))
        for _ in pairs:
            ids = [self._first, *next(encoded).ids]
            yield ids + next(encoded).ids, len(ids)


def make_arrays(examples: Sequence[Example], encoder: Encoder, facts: dict[str, Any]) -> Arrays:
    """Return the arrays of the examples; examples longer than the limit are left out, and counted."""
    pieces: list[NDArray[np.uint16]] = []
    kept: list[tuple[Example, int, int]] = []
    too_long = 0
    for first in range(0, len(examples), BATCH):
        batch = examples[first : first + BATCH]
        for example, (ids, cut) in zip(batch, encoder.encode(batch), strict=True):
            if len(ids) > MOST_TOKENS:
                too_long += 1
                continue
            pieces.append(np.array(ids, dtype=np.uint16))
            kept.append((example, len(ids), cut))
    sources = tuple(sorted({example.source for example, _, _ in kept}))
    kinds = tuple(sorted({example.kind for example, _, _ in kept}))
    lengths = np.array([length for _, length, _ in kept], dtype=np.int32)
    return Arrays(
        tokens=np.concatenate(pieces),
        starts=np.concatenate([[0], np.cumsum(lengths[:-1], dtype=np.int64)]),
        lengths=lengths,
        cuts=np.array([cut for _, _, cut in kept], dtype=np.int32),
        task=_bytes([TASKS.index(example.task) for example, _, _ in kept]),
        part=_bytes([PARTS.index(example.part) for example, _, _ in kept]),
        form=_bytes([FORMS.index(example.form) for example, _, _ in kept]),
        source=_bytes([sources.index(example.source) for example, _, _ in kept]),
        kind=_bytes([kinds.index(example.kind) for example, _, _ in kept]),
        noise=_bytes([min(example.noise, 255) for example, _, _ in kept]),
        sources=sources,
        kinds=kinds,
        facts={**facts, "unknown": encoder.unknown, "too_long": too_long, "kept": len(kept)},
    )


def _bytes(values: list[int]) -> NDArray[np.uint8]:
    return np.array(values, dtype=np.uint8)


_ARRAYS = ("tokens", "starts", "lengths", "cuts", "task", "part", "form", "source", "kind", "noise")


def save(arrays: Arrays, file: Path) -> None:
    """Write the arrays, compressed, with their facts as JSON."""
    facts = json.dumps({"facts": arrays.facts, "sources": arrays.sources, "kinds": arrays.kinds})
    np.savez_compressed(file, facts=np.array(facts), **{name: getattr(arrays, name) for name in _ARRAYS})


def load(file: Path) -> Arrays:
    """Read the file that `save` wrote."""
    with np.load(file) as stored:
        words = json.loads(str(stored["facts"]))
        fields = {name: stored[name] for name in _ARRAYS}
    return Arrays(
        **fields,
        sources=tuple(words["sources"]),
        kinds=tuple(words["kinds"]),
        facts=words["facts"],
    )
