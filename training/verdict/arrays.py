"""Examples as arrays of token ids in one file, so that training needs no tokenizer and no text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.models.verdict import VERDICTS, clean, decides, prompt_ids
from probative.verdict.windows import choose_window
from training.verdict.example import LABELS, Judged

Encode = Callable[[Sequence[str]], list[list[int]]]
"""From texts to their token ids."""
# The tokens of a claim that are kept.
CLAIM_TOKENS = 120
# A longer sentence is cut.
SENTENCE_TOKENS = 160


@dataclass(frozen=True)
class Arrays:
    """Windows of evidence with their claims: where their tokens are, and what is right.

    `gold` has a bit for each sentence that decides. `row` is the number of the claim that a window belongs
    to, and `piece` the number of the claim's sentence (-1: the whole claim).
    """

    tokens: NDArray[np.uint16]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int32]
    label: NDArray[np.int8]
    binary: NDArray[np.bool_]
    sentences: NDArray[np.int8]
    gold: NDArray[np.uint32]
    source: NDArray[np.int16]
    validation: NDArray[np.bool_]
    row: NDArray[np.int32]
    piece: NDArray[np.int8]
    sources: tuple[str, ...]
    facts: dict[str, Any]
    """The manifest, and the token ids of the verdicts and of the letters."""

    def __len__(self) -> int:
        return len(self.starts)

    def joined(self, other: Arrays, share: float, seed: int) -> Arrays:
        """Return these windows and a share of others, drawn from a seed."""
        drawn = np.flatnonzero(np.random.default_rng(seed).random(len(other)) < share)
        both = {
            field.name: np.concatenate([getattr(self, field.name), getattr(other, field.name)[drawn]])
            for field in fields(self)
            if field.name not in ("tokens", "sources", "facts")
        }
        both["tokens"] = np.concatenate([self.tokens, other.tokens])
        both["starts"][len(self) :] += len(self.tokens)
        both["source"][len(self) :] += len(self.sources)
        return Arrays(**both, sources=(*self.sources, *other.sources), facts=self.facts)

    def save(self, file: Path) -> None:
        """Write the arrays into one file."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        told = json.dumps({"sources": named.pop("sources"), "facts": named.pop("facts")})
        np.savez_compressed(file, told=np.frombuffer(told.encode(), np.uint8), **named)

    @staticmethod
    def load(file: Path) -> Arrays:
        """Read the arrays of a file."""
        with np.load(file) as stored:
            named = {name: stored[name] for name in stored.files}
        told = json.loads(named.pop("told").tobytes())
        return Arrays(**named, sources=tuple(told["sources"]), facts=told["facts"])


@dataclass(frozen=True)
class Unit:
    """One window to be read: a claim, or a sentence of it, and some sentences of the evidence."""

    claim: str
    evidence: tuple[str, ...]
    example: Judged
    gold: tuple[int, ...]
    row: int
    piece: int = -1


def training_units(rows: Sequence[Judged], encode: Encode) -> Iterator[Unit]:
    """Yield one window for each example: its evidence, or the part of it that shares most with the claim."""
    for number, (row, lengths) in enumerate(zip(rows, _lengths(rows, encode), strict=True)):
        window = choose_window(row.claim, row.evidence, lengths)
        gold = tuple(window.index(index) for index in row.gold if index in window)
        if len(gold) < len(row.gold) and row.label != "insufficient":
            continue  # what decides is not in the window
        yield Unit(row.claim, tuple(row.evidence[index] for index in window), row, gold, number)


def measured_units(
    rows: Sequence[Judged], encode: Encode, split: Callable[[str], Sequence[str]]
) -> Iterator[Unit]:
    """Yield a window for each example, and one for each sentence of a longer claim."""
    for number, (row, lengths) in enumerate(zip(rows, _lengths(rows, encode), strict=True)):
        parts = split(row.claim)
        for piece, claim in [(-1, row.claim), *(enumerate(parts) if len(parts) > 1 else ())]:
            indexes = choose_window(claim, row.evidence, lengths)
            gold = tuple(indexes.index(index) for index in row.gold if index in indexes)
            yield Unit(claim, tuple(row.evidence[index] for index in indexes), row, gold, number, piece)


def _lengths(rows: Sequence[Judged], encode: Encode) -> Iterator[list[int]]:
    """Yield the numbers of tokens of each example's sentences."""
    for start in range(0, len(rows), 2048):
        block = rows[start : start + 2048]
        encoded = iter(encode([clean(text) for row in block for text in row.evidence]))
        for row in block:
            yield [min(len(next(encoded)), SENTENCE_TOKENS) for _ in row.evidence]


def make_arrays(units: Sequence[Unit], encode: Encode, facts: dict[str, Any]) -> Arrays:
    """Return the arrays of some windows."""
    sources = tuple(dict.fromkeys(unit.example.source for unit in units))
    tokens: list[NDArray[np.uint16]] = []
    for start in range(0, len(units), 2048):
        tokens += _encoded(units[start : start + 2048], encode)
    lengths = np.array([len(ids) for ids in tokens], np.int32)
    words = [*VERDICTS, *map(decides, range(26))]
    ids = [ids[0] for ids in encode(words)]
    return Arrays(
        tokens=np.concatenate(tokens),
        starts=np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64),
        lengths=lengths,
        label=np.array([LABELS.index(unit.example.label) for unit in units], np.int8),
        binary=np.array([unit.example.binary for unit in units]),
        sentences=np.array([len(unit.evidence) for unit in units], np.int8),
        gold=np.array([sum(1 << index for index in unit.gold) for unit in units], np.uint32),
        source=np.array([sources.index(unit.example.source) for unit in units], np.int16),
        validation=np.array([unit.example.part == "validation" for unit in units]),
        row=np.array([unit.row for unit in units], np.int32),
        piece=np.array([unit.piece for unit in units], np.int8),
        sources=sources,
        facts={**facts, "verdicts": ids[: len(VERDICTS)], "letters": ids[len(VERDICTS) :]},
    )


def _encoded(units: Sequence[Unit], encode: Encode) -> Iterator[NDArray[np.uint16]]:
    texts = list(dict.fromkeys(clean(text) for unit in units for text in (unit.claim, *unit.evidence)))
    known = dict(zip(texts, encode(texts), strict=True))
    claims = {clean(unit.claim) for unit in units}

    def part(text: str) -> list[int]:
        if text not in known:
            known[text] = encode([text])[0]
        return known[text][: CLAIM_TOKENS if text in claims else SENTENCE_TOKENS]

    for unit in units:
        yield np.array(prompt_ids(unit.claim, unit.evidence, part), np.uint16)
