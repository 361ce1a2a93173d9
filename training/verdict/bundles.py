"""Claims and questions over bundles of four documents of daily working life, written for the kinds that
public sets lack: hedged, replaced, computed, over two documents.

Every fifth bundle is kept for tuning: it is measured, and never trained on.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from probative.text.sentences import split_sentences
from probative.verdict.lines import statement
from training.verdict.claims import around
from training.verdict.example import Judged, Label
from training.verdict.questions import wrong_answer

FOLDER = "bundles"
# Every bundle whose number in its file is divisible by this is kept for tuning.
KEPT = 5
# How often each claim is shown, with other sentences around it.
TIMES = 3
MOST = 20


def bundles(data: Path, rng: random.Random) -> Iterator[Judged]:
    """Yield the claims of all bundles but the kept ones."""
    for bundle in read_bundles(data, kept=False):
        yield from _parts(bundle, rng)


def read_bundles(data: Path, *, kept: bool) -> Iterator[dict[str, Any]]:
    """Yield all bundles but the kept ones, or the kept ones."""
    for file in sorted((data / FOLDER).glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
            if line.strip() and (number % KEPT == 0) is kept:
                yield json.loads(line)


def _parts(bundle: dict[str, Any], rng: random.Random) -> Iterator[Judged]:
    group = f"bundle {bundle['bundle']}"
    for claim, label, kind, gold in _claims(bundle):
        for _ in range(1 if kind.startswith("answer_") else TIMES):
            shown, indexes = _shown(bundle, gold, rng)
            part, places = around(shown, indexes, rng, MOST)
            if label == "insufficient":
                yield Judged(claim, part, label, f"bundle_{kind}", group=group)
            elif places:
                yield Judged(claim, part, label, f"bundle_{kind}", places, group=group)
        if label == "supported":
            shown, indexes = _shown(bundle, gold, rng)
            rest = tuple(text for index, text in enumerate(shown) if index not in indexes)
            part, _ = around(rest, (), rng, MOST)
            yield Judged(claim, part, "insufficient", "bundle_without", binary=True, group=group)
    for row in bundle["questions"]:
        gold = [entry["text"] for entry in row["sentences"]]
        wrong = wrong_answer(row["q"], row["answer"] or "", gold, rng)
        if wrong is not None and not any(wrong in spelling for spelling in row["accept"]):
            part, _ = around(*_shown(bundle, gold, rng), rng, MOST)
            claim = statement(row["q"], wrong)
            yield Judged(claim, part, "contradicted", "bundle_wrong", binary=True, group=group)


def _shown(
    bundle: dict[str, Any], gold: Sequence[str], rng: random.Random
) -> tuple[tuple[str, ...], list[int]]:
    """Return the sentences of all documents, and the indexes of those that decide."""
    titled = rng.choice(("first", "first", "each", "no"))
    shown = tuple(text for document in bundle["documents"] for text in sentences_of(document, titled))
    return shown, [index for index, text in enumerate(shown) if any(one in text for one in gold)]


def _claims(bundle: dict[str, Any]) -> Iterator[tuple[str, Label, str, Sequence[str]]]:
    """Yield claims, and questions with their answers, with the sentences that decide."""
    for row in bundle["claims"]:
        yield row["claim"], row["label"], row["kind"], [entry["text"] for entry in row["sentences"]]
    for row in bundle["questions"]:
        if row["answer"]:
            gold = [entry["text"] for entry in row["sentences"]]
            yield statement(row["q"], row["answer"]), "supported", f"answer_{row['kind']}", gold


def sentences_of(document: dict[str, Any], titled: str) -> list[str]:
    """Return the sentences of a document; the first one, or each, behind its title and date."""
    date = f" ({document['date']})" if document.get("date") else ""
    head = f"{document['title']}{date}: "
    blocks = [block for block in document["text"].split("\n") if set(block) - set("|-: ")]
    texts = [
        text.strip()
        for block in blocks
        for text in ([block] if block.startswith("|") else [one.text for one in split_sentences(block)])
    ]
    if titled == "each":
        return [head + text for text in texts]
    return [head + texts[0], *texts[1:]] if titled == "first" else texts
