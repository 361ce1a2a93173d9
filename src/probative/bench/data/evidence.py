"""Claims with gold sentences, read from the public files of ERASER, WiCE and HoVer.

A folder holds `eraser/multirc`, `eraser/fever` (`val.jsonl` and `docs/`), `wice/dev.jsonl` and
`hover/dev_with_text_sample.jsonl`, each in its published form. `probative.bench.splits` says which claims
figures are reported on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from probative.bench.data.files import read_lines
from probative.bench.splits import digest, in_tuned_documents

SETS = ("multirc", "fever", "wice", "hover")


@dataclass(frozen=True)
class Example:
    """A claim, the sentences of its text, and the sets of sentences each of which proves it.

    `tuning` is true where settings were chosen on the document; `document` names it, where many claims
    share one.
    """

    id: str
    claim: str
    sentences: tuple[str, ...]
    gold: tuple[frozenset[int], ...]
    label: str
    tuning: bool
    document: str = ""

    @property
    def gold_size(self) -> int:
        """The number of sentences of the smallest gold set."""
        return min(len(gold) for gold in self.gold)


def read_examples(folder: Path, name: str) -> list[Example]:
    """Return the claims of a set that have gold sentences, in the order of the digests of their ids."""
    return [example for example in read_claims(folder, name) if example.gold]


def read_claims(folder: Path, name: str) -> list[Example]:
    """Return all claims of a set, also those that nothing in their text supports, in the same order."""
    readers = {"multirc": _multirc, "fever": _fever, "wice": _wice, "hover": _hover}
    return sorted(readers[name](folder), key=lambda example: digest(example.id))


def read_eraser(folder: Path, name: str) -> Iterator[Example]:
    """Yield all claims of MultiRC or FEVER as ERASER publishes them, in the order of the file."""
    base = folder / "eraser" / name
    texts: dict[str, tuple[str, ...]] = {}
    for row in read_lines(base / "val.jsonl"):
        document = str(row["evidences"][0][0]["docid"])
        if document not in texts:
            texts[document] = tuple((base / "docs" / document).read_text(encoding="utf-8").splitlines())
        yield Example(
            id=str(row["annotation_id"]),
            claim=str(row["query"]),
            sentences=texts[document],
            gold=tuple(map(_sentences_of, row["evidences"])),
            label=str(row["classification"]),
            tuning=in_tuned_documents(document),
            document=document,
        )


def _sentences_of(spans: list[dict[str, Any]]) -> frozenset[int]:
    return frozenset(n for span in spans for n in range(span["start_sentence"], span["end_sentence"]))


def joined_query(query: str) -> str:
    """Return MultiRC's query "question || answer" as one text, the claim."""
    return " ".join(part.strip() for part in query.split("||"))


def _multirc(folder: Path) -> Iterator[Example]:
    for example in read_eraser(folder, "multirc"):
        yield replace(example, claim=joined_query(example.claim))


def _fever(folder: Path) -> Iterator[Example]:
    """Yield the claims that one sentence proves or refutes (one hop)."""
    return (example for example in read_eraser(folder, "fever") if example.gold_size == 1)


def _wice(folder: Path) -> Iterator[Example]:
    for number, row in enumerate(read_lines(folder / "wice" / "dev.jsonl")):
        yield Example(
            id=f"wice-{number}",
            claim=str(row["claim"]),
            sentences=tuple(row["evidence"]),
            gold=tuple(frozenset(gold) for gold in row["supporting_sentences"] if gold),
            label=str(row["label"]),
            tuning=in_tuned_documents(str(row["claim"])),
        )


def _hover(folder: Path) -> Iterator[Example]:
    for row in read_lines(folder / "hover" / "dev_with_text_sample.jsonl"):
        sentences = tuple(sentence.strip() for _, page in row["context"] for sentence in page)
        yield Example(
            id=str(row["uid"]),
            claim=str(row["claim"]),
            sentences=sentences,
            gold=(frozenset(sentences.index(sentence.strip()) for sentence in row["gold_sentences"]),),
            label=str(row["label"]),
            tuning=False,
        )
