"""Claims with gold sentences, read from the public files of ERASER, WiCE and HoVer.

A folder holds `eraser/multirc`, `eraser/fever` (`val.jsonl` and `docs/`), `wice/dev.jsonl` and
`hover/dev_with_text_sample.jsonl`, each in its published form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SETS = ("multirc", "fever", "wice", "hover")
# Of 100 documents, this many were used to choose weights and thresholds; figures are given for the rest.
TUNED_ON = 40


@dataclass(frozen=True)
class Example:
    """A claim, its text, and the sets of sentences each of which proves it."""

    id: str
    claim: str
    sentences: tuple[str, ...]
    gold: tuple[frozenset[int], ...]
    label: str
    tuning: bool

    @property
    def gold_size(self) -> int:
        """How many sentences the smallest gold set has."""
        return min(len(one) for one in self.gold)


def read_examples(folder: Path, name: str) -> list[Example]:
    """The claims of one set that have gold sentences, in an order that depends only on their ids."""
    return [example for example in read_claims(folder, name) if example.gold]


def read_claims(folder: Path, name: str) -> list[Example]:
    """All claims of one set, also those that nothing in their text supports."""
    readers = {"multirc": _multirc, "fever": _fever, "wice": _wice, "hover": _hover}
    return sorted(readers[name](folder), key=lambda example: _digest(example.id))


def _digest(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def _lines(file: Path) -> Iterator[dict[str, object]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _eraser(folder: Path, name: str) -> Iterator[Example]:
    base = folder / "eraser" / name
    texts: dict[str, tuple[str, ...]] = {}
    for row in _lines(base / "val.jsonl"):
        groups: list[list[dict[str, object]]] = row["evidences"]  # type: ignore[assignment]
        document = str(groups[0][0]["docid"])
        if document not in texts:
            texts[document] = tuple((base / "docs" / document).read_text(encoding="utf-8").splitlines())
        gold = tuple(
            frozenset(n for piece in group for n in range(piece["start_sentence"], piece["end_sentence"]))  # type: ignore[call-overload]
            for group in groups
        )
        yield Example(
            id=str(row["annotation_id"]),
            claim=str(row["query"]),
            sentences=texts[document],
            gold=gold,
            label=str(row["classification"]),
            tuning=_digest(document) % 100 < TUNED_ON,
        )


def _multirc(folder: Path) -> Iterator[Example]:
    """The query is "question || answer": the claim is both, one after the other."""
    for example in _eraser(folder, "multirc"):
        claim = " ".join(part.strip() for part in example.claim.split("||"))
        yield Example(**{**vars(example), "claim": claim})


def _fever(folder: Path) -> Iterator[Example]:
    """Claims that one sentence proves or refutes (one hop)."""
    return (example for example in _eraser(folder, "fever") if example.gold_size == 1)


def _wice(folder: Path) -> Iterator[Example]:
    for number, row in enumerate(_lines(folder / "wice" / "dev.jsonl")):
        sets: list[list[int]] = row["supporting_sentences"]  # type: ignore[assignment]
        yield Example(
            id=f"wice-{number}",
            claim=str(row["claim"]),
            sentences=tuple(row["evidence"]),  # type: ignore[arg-type]
            gold=tuple(frozenset(one) for one in sets if one),
            label=str(row["label"]),
            tuning=_digest(str(row["claim"])) % 100 < TUNED_ON,
        )


def _hover(folder: Path) -> Iterator[Example]:
    for row in _lines(folder / "hover" / "dev_with_text_sample.jsonl"):
        context: list[tuple[str, list[str]]] = row["context"]  # type: ignore[assignment]
        sentences = tuple(sentence.strip() for _, piece in context for sentence in piece)
        gold: list[str] = row["gold_sentences"]  # type: ignore[assignment]
        yield Example(
            id=str(row["uid"]),
            claim=str(row["claim"]),
            sentences=sentences,
            gold=(frozenset(sentences.index(sentence.strip()) for sentence in gold),),
            label=str(row["label"]),
            tuning=False,
        )
