"""Examples as arrays of token ids in one file, so that training needs no tokenizer and no text.

All tokens stand one after another; an example is a start, a length and the place where its target begins.
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
    """Every example: where its tokens are, where the target begins, and what it is."""

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
        """The numbers of the examples of a part, of these tasks, in these forms."""
        wanted = (
            (self.part == PARTS.index(part))  # type: ignore[arg-type]
            & np.isin(self.task, [TASKS.index(task) for task in tasks])  # type: ignore[arg-type]
            & np.isin(self.form, [FORMS.index(form) for form in forms])  # type: ignore[arg-type]
        )
        return np.flatnonzero(wanted)

    def example(self, number: int) -> NDArray[np.uint16]:
        """The tokens of one example."""
        start = int(self.starts[number])
        return self.tokens[start : start + int(self.lengths[number])]


class Encoder:
    """Examples to token ids, in the model's own chat frame; text never turns into control tokens."""

    def __init__(self, tokenizer_json: str, first_token: int) -> None:
        from tokenizers import Tokenizer

        from probative.models.reader_prompts import UNKNOWN

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
        """The tokens of each example and the place where its target begins."""
        texts = [text for one in examples for text in (*(turn.content for turn in one.messages), one.target)]
        encoded = iter(self._text.encode_batch(texts))
        for one in examples:
            ids: list[int] = []
            for turn in one.messages:
                content = next(encoded).ids
                if one.form == "text":
                    ids += [self._first, *content]
                else:
                    ids += self._open[turn.role] + content + self._close
            if one.form != "text":
                ids += self._open["assistant"]
            target = next(encoded).ids
            ends = [] if one.task == "keep" else self._end
            yield ids + target + ends, len(ids)

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[list[int], int]]:
        """The tokens of each text with what follows it, outside of any chat, and where that begins."""
        encoded = iter(self._text.encode_batch([text for pair in pairs for text in pair]))
        for _ in pairs:
            ids = [self._first, *next(encoded).ids]
            yield ids + next(encoded).ids, len(ids)


def make_arrays(examples: Sequence[Example], encoder: Encoder, facts: dict[str, Any]) -> Arrays:
    """The arrays of examples; those longer than the limit are left out, and counted."""
    pieces: list[NDArray[np.uint16]] = []
    kept: list[tuple[Example, int, int]] = []
    too_long = 0
    for first in range(0, len(examples), BATCH):
        batch = examples[first : first + BATCH]
        for one, (ids, cut) in zip(batch, encoder.encode(batch), strict=True):
            if len(ids) > MOST_TOKENS:
                too_long += 1
                continue
            pieces.append(np.array(ids, dtype=np.uint16))
            kept.append((one, len(ids), cut))
    sources = tuple(sorted({one.source for one, _, _ in kept}))
    kinds = tuple(sorted({one.kind for one, _, _ in kept}))
    lengths = np.array([length for _, length, _ in kept], dtype=np.int32)
    return Arrays(
        tokens=np.concatenate(pieces),
        starts=np.concatenate([[0], np.cumsum(lengths[:-1], dtype=np.int64)]),
        lengths=lengths,
        cuts=np.array([cut for _, _, cut in kept], dtype=np.int32),
        task=_bytes([TASKS.index(one.task) for one, _, _ in kept]),
        part=_bytes([PARTS.index(one.part) for one, _, _ in kept]),
        form=_bytes([FORMS.index(one.form) for one, _, _ in kept]),
        source=_bytes([sources.index(one.source) for one, _, _ in kept]),
        kind=_bytes([kinds.index(one.kind) for one, _, _ in kept]),
        noise=_bytes([min(one.noise, 255) for one, _, _ in kept]),
        sources=sources,
        kinds=kinds,
        facts={**facts, "unknown": encoder.unknown, "too_long": too_long, "kept": len(kept)},
    )


def _bytes(values: list[int]) -> NDArray[np.uint8]:
    return np.array(values, dtype=np.uint8)


_ARRAYS = ("tokens", "starts", "lengths", "cuts", "task", "part", "form", "source", "kind", "noise")


def save(arrays: Arrays, file: Path) -> None:
    """Write the arrays, compressed, with their facts as text."""
    facts = json.dumps({"facts": arrays.facts, "sources": arrays.sources, "kinds": arrays.kinds})
    np.savez_compressed(file, facts=np.array(facts), **{name: getattr(arrays, name) for name in _ARRAYS})


def load(file: Path) -> Arrays:
    """Read what `save` wrote."""
    with np.load(file) as stored:
        words = json.loads(str(stored["facts"]))
        fields = {name: stored[name] for name in _ARRAYS}
    return Arrays(
        **fields,
        sources=tuple(words["sources"]),
        kinds=tuple(words["kinds"]),
        facts=words["facts"],
    )
