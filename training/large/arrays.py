"""Rows as arrays of token ids in one file, so that training needs no text and a device no data sets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# What a token is: part of the prompt, of a header in it, of the reply, of the numbers that the reply cites.
PROMPT, HEADER, REPLY, CITED = range(4)
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Encoded:
    """A row in tokens: their ids and roles, and facts for the figures (task, source, label, …).

    `either` says that the reply may start with any of the words for "not supported".
    """

    ids: Sequence[int]
    roles: Sequence[int]
    facts: dict[str, Any]
    either: bool = False


class Arrays:
    """Many rows: `ids(number)` and `roles(number)` of each, and what is known about it."""

    def __init__(
        self,
        tokens: NDArray[np.int32],
        roles: NDArray[np.uint8],
        starts: Numbers,
        either: NDArray[np.bool_],
        facts: Sequence[dict[str, Any]],
        about: dict[str, Any],
    ) -> None:
        self._tokens, self._roles, self._starts = tokens, roles, starts
        self.either, self.facts, self.about = either, list(facts), about
        self.labelled = np.array([facts.get("labelled", True) for facts in self.facts])
        self.taught: NDArray[np.float32] = np.full((len(self.facts), 3), np.nan, np.float32)

    @staticmethod
    def of(rows: Sequence[Encoded], about: dict[str, Any]) -> Arrays:
        """Return the arrays of some rows; `about` is kept with them."""
        return Arrays(
            np.concatenate([np.asarray(row.ids, np.int32) for row in rows]),
            np.concatenate([np.asarray(row.roles, np.uint8) for row in rows]),
            np.cumsum([0, *(len(row.ids) for row in rows)]).astype(np.int64),
            np.array([row.either for row in rows]),
            [row.facts for row in rows],
            about,
        )

    def __len__(self) -> int:
        return len(self._starts) - 1

    @property
    def lengths(self) -> Numbers:
        """The number of tokens of each row."""
        return np.diff(self._starts)

    def ids(self, number: int) -> NDArray[np.int32]:
        """Return the token ids of a row."""
        return self._tokens[self._starts[number] : self._starts[number + 1]]

    def roles(self, number: int) -> NDArray[np.uint8]:
        """Return what each token of a row is."""
        return self._roles[self._starts[number] : self._starts[number + 1]]

    def values(self, name: str) -> NDArray[Any]:
        """Return one fact of every row."""
        return np.array([facts.get(name) for facts in self.facts])

    def with_teacher(self, file: Path) -> Arrays:
        """Return the same rows with the verdicts of a teacher: `label` wrote them for the same claims in its
        own tokens.
        """
        claims = np.flatnonzero(self.values("task") == "verdict")
        with np.load(file) as labels:
            if str(labels["claims"]) != self.about["claims"]:
                raise ValueError(f"the verdicts in {file} are about other claims")
            taught = Arrays(self._tokens, self._roles, self._starts, self.either, self.facts, self.about)
            logits = labels["logits"].astype(np.float32)
            shares = np.exp(logits - logits.max(1, keepdims=True))
            taught.taught[claims] = shares / shares.sum(1, keepdims=True)
        return taught

    def without_headers(self) -> Arrays:
        """Return the same rows without the headers of their passages."""
        kept = self._roles != HEADER
        before = np.concatenate([[0], np.cumsum(kept)])
        starts = before[self._starts].astype(np.int64)
        bare = Arrays(self._tokens[kept], self._roles[kept], starts, self.either, self.facts, self.about)
        bare.taught = self.taught
        return bare

    def save(self, file: Path) -> None:
        """Write one compressed file; ids are split into two and one bytes, which takes a third less."""
        told = json.dumps({"facts": self.facts, "about": self.about}, ensure_ascii=False).encode()
        np.savez_compressed(
            file,
            low=(self._tokens & 0xFFFF).astype(np.uint16),
            high=(self._tokens >> 16).astype(np.uint8),
            roles=self._roles,
            lengths=self.lengths.astype(np.uint16),
            either=self.either,
            told=np.frombuffer(told, np.uint8),
        )

    @staticmethod
    def load(file: Path) -> Arrays:
        """Read the arrays of a file."""
        with np.load(file) as stored:
            tokens = stored["low"].astype(np.int32) | stored["high"].astype(np.int32) << 16
            starts = np.concatenate([[0], np.cumsum(stored["lengths"].astype(np.int64))])
            told = json.loads(stored["told"].tobytes())
            return Arrays(tokens, stored["roles"], starts, stored["either"], told["facts"], told["about"])
