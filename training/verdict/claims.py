"""Claims about whole documents, with the sentences that decide: ERASER's FEVER and MultiRC, FEVEROUS,
FoolMeTwice and EntailmentBank.

A document without the deciding sentences is not enough for the claim, which gives insufficient twins.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from probative.bench.data.claims import plain
from probative.bench.data.files import read_json, read_lines
from training.policy.evidence import Evidence
from training.policy.sources import claims as policy_claims
from training.verdict.example import Judged, Label

# The share of claims that also appear with a document that lacks the deciding sentences.
WITHOUT_GOLD = 0.35


def documents(data: Path, rng: random.Random) -> Iterator[Judged]:
    """Yield the claims of all sets, with the twins."""
    labels = eraser_labels(data)
    for name, read in (("fever", policy_claims.fever), ("multirc", policy_claims.multirc)):
        for row in read(data):
            label = labels[name].get(row.id)
            if label is not None:
                # MultiRC's false answers are mostly contradicted, and sometimes only not said.
                yield from _with_twin(row, label, name, rng, binary=name == "multirc")
    stated = {
        str(row["id"]): _LABELS[row["label"].upper()]
        for row in read_json(data / "feverous/programfc_feverous_dev.json")
    }
    for row in policy_claims.feverous(data):
        yield from _with_twin(row, stated[row.id], "feverous", rng)
    for row in policy_claims.entailmentbank(data):
        yield from _with_twin(row, "supported", "entailmentbank", rng)
    yield from _fool_me_twice(data, rng)


_LABELS: dict[str, Label] = {"SUPPORTS": "supported", "REFUTES": "contradicted"}


def eraser_labels(data: Path) -> dict[str, dict[str, Label]]:
    """Return the label of each claim of FEVER and MultiRC by its id."""
    labels: dict[str, Label] = {**_LABELS, "True": "supported", "False": "contradicted"}
    return {
        name: {
            row["annotation_id"]: labels[row["classification"]]
            for row in read_lines(data / f"eraser/{name}/val.jsonl")
        }
        for name in ("fever", "multirc")
    }


def _with_twin(
    row: Evidence, label: Label, source: str, rng: random.Random, *, binary: bool = False
) -> Iterator[Judged]:
    gold = tuple(sorted(row.gold))
    claim, sentences = plain(row.query), tuple(plain(sentence) for sentence in row.sentences)
    shown, indexes = around(sentences, gold, rng)
    yield Judged(claim, shown, label, source, indexes, binary=binary and label != "supported")
    rest = [
        sentence
        for index, sentence in enumerate(sentences)
        if index not in row.gold and index not in row.also
    ]
    if len(rest) >= 2 and rng.random() < WITHOUT_GOLD and (source != "fever" or label == "supported"):
        shown, _ = around(tuple(rest), (), rng)
        yield Judged(claim, shown, "insufficient", f"{source}_without")
    elif len(gold) > 1 and label == "supported" and rng.random() < WITHOUT_GOLD:
        missing = rng.choice(gold)
        kept = [index for index in range(len(sentences)) if index != missing and index not in row.also]
        shown, _ = around(
            tuple(sentences[index] for index in kept),
            [kept.index(index) for index in gold if index != missing],
            rng,
        )
        yield Judged(claim, shown, "insufficient", f"{source}_without")


def around(
    sentences: tuple[str, ...], gold: Sequence[int], rng: random.Random, most: int = 22
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return a part of a text, of random length, with all gold sentences in it, and their new indexes.

    >>> around(("a", "b", "c", "d"), (2,), random.Random(1), most=2)
    (('c', 'd'), (0,))
    """
    others = [index for index in range(len(sentences)) if index not in gold]
    room = max(0, most - len(gold))
    count = min(len(others), rng.choice((1, 3, 6, 10, room)), room)
    first = rng.randrange(len(others) - count + 1) if count else 0
    kept = sorted([*gold, *others[first : first + count]])
    return tuple(sentences[index] for index in kept), tuple(kept.index(index) for index in gold)


def _fool_me_twice(data: Path, rng: random.Random) -> Iterator[Judged]:
    for row in read_lines(data / "training/fool_me_twice.jsonl"):
        gold = {" ".join(entry["text"].split()) for entry in row["gold_evidence"]}
        page = [" ".join(entry["text"].split()) for entry in row["retrieved_evidence"]]
        sentences = list(dict.fromkeys([*page, *gold]))
        rng.shuffle(sentences)
        indexes = tuple(index for index, sentence in enumerate(sentences) if sentence in gold)
        if indexes:
            shown, places = around(tuple(sentences), indexes, rng)
            title = plain(row.get("wikipedia_page") or "")
            if title:
                shown = (f"{title}: {shown[0]}", *shown[1:])
            yield Judged(plain(row["text"]), shown, _LABELS[row["label"]], "fool_me_twice", places)
