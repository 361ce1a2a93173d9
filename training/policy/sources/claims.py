"""Claims with the sentences that prove or refute them: ERASER's MultiRC and FEVER, FEVEROUS, EntailmentBank
and FoolMeTwice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from probative.bench.data.claims import read_eraser
from probative.bench.data.files import read_json, read_lines
from probative.bench.data.splits import digest
from training.policy.evidence import Evidence, make_evidence
from training.splits import reported_documents

# FEVEROUS: candidates that BM25 retrieves, and how many of them are shown.
RETRIEVED, SHOWN = 24, 16


def multirc(data: Path) -> Iterator[Evidence]:
    """Yield MultiRC's claims ("question || answer") about documents without a reported claim."""
    return _eraser(data, "multirc")


def fever(data: Path) -> Iterator[Evidence]:
    """Yield FEVER's claims about documents without a reported claim."""
    return _eraser(data, "fever")


def _eraser(data: Path, name: str) -> Iterator[Evidence]:
    reported = reported_documents(data, name)
    for example in sorted(read_eraser(data, name), key=lambda example: digest(example.id)):
        if example.document in reported:
            continue
        first, *others = sorted(example.gold, key=len)
        yield make_evidence(
            example.id,
            example.claim,
            example.sentences,
            first,
            name,
            key=f"{name} {example.document}",
            also=frozenset().union(*others) - first,
        )


def feverous(data: Path) -> Iterator[Evidence]:
    """Yield FEVEROUS's claims with their evidence among sentences of other claims that share words with
    them.
    """
    import bm25s

    rows = read_json(data / "feverous/programfc_feverous_dev.json")
    gold_texts = [[plain_links(line) for line in row["evidence"].splitlines()] for row in rows]
    texts = list(dict.fromkeys(text for gold in gold_texts for text in gold))
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    claims = bm25s.tokenize([row["claim"] for row in rows], show_progress=False)
    retrieved, _ = index.retrieve(claims, k=min(RETRIEVED, len(texts)), show_progress=False)
    for row, gold, nearest in zip(rows, gold_texts, retrieved, strict=True):
        pages = {text.split(": ")[0] for text in gold}
        others = [texts[number] for number in nearest.tolist() if texts[number].split(": ")[0] not in pages]
        shown = [*gold, *others[:SHOWN]]
        shown.sort(key=lambda text: digest(row["claim"] + text))
        indexes = {shown.index(text) for text in gold}
        yield make_evidence(str(row["id"]), row["claim"], shown, indexes, "feverous")


def plain_links(line: str) -> str:
    r"""Return a line "page, tab, sentence" of FEVEROUS with its links as plain words.

    >>> plain_links("Lark\tThe Lark is a [[Ketch_(boat)|ketch]].")
    'Lark: The Lark is a ketch.'
    """
    title, _, text = line.partition("\t")
    return title + ": " + re.sub(r"\[\[[^\]|]*\|([^\]]*)\]\]", r"\1", text)


def entailmentbank(data: Path) -> Iterator[Evidence]:
    """Yield EntailmentBank's hypotheses with the sentences that entail them."""
    for row in read_lines(data / "training/entailmentbank_task2.jsonl"):
        yield make_evidence(row["id"], row["hypothesis"], row["sentences"], row["gold"], "entailmentbank")


def fool_me_twice(data: Path) -> Iterator[Evidence]:
    """Yield FoolMeTwice's claims among the sentences that were retrieved for them."""
    for row in read_lines(data / "training/fool_me_twice.jsonl"):
        gold = [piece["text"] for piece in row["gold_evidence"]]
        others = [piece["text"] for piece in row["retrieved_evidence"] if piece["text"] not in gold]
        texts = list(dict.fromkeys([*gold, *others]))
        # The published order has the gold first.
        texts.sort(key=lambda text: digest(row["id"] + text))
        indexes = {texts.index(text) for text in gold}
        titled = [f"{row['wikipedia_page']}: {text}" for text in texts]
        yield make_evidence(row["id"], row["text"], titled, indexes, "fool_me_twice")
