"""Questions about one text with the sentence that answers them: SelQA, SQuAD and Natural Questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from probative.bench.data.files import read_json, read_lines
from training.policy.evidence import Evidence, make_evidence


def selqa(data: Path) -> Iterator[Evidence]:
    """Yield SelQA's questions with its candidate sentences."""
    for name in ("dev", "test"):
        for number, row in enumerate(read_json(data / f"training/selqa_{name}.json")):
            yield make_evidence(
                f"selqa-{name}-{number}", row["question"], row["candidates"], row["answers"], "selqa"
            )


def squad(data: Path) -> Iterator[Evidence]:
    """Yield SQuAD 1.1: every question has its answer in the paragraph."""
    return _squad(data / "training/squad_train_subset.json", "squad")


def squad2(data: Path) -> Iterator[Evidence]:
    """Yield SQuAD 2.0: half of the questions have no answer in the paragraph."""
    return _squad(data / "training/squad2_half_dev.json", "squad2")


def _squad(file: Path, source: str) -> Iterator[Evidence]:
    """Yield questions with the sentence that contains the answer, or none where there is no answer."""
    for page in read_json(file)["data"]:
        for paragraph in page["paragraphs"]:
            spans = sentence_spans(paragraph["context"])
            texts = [paragraph["context"][start:end] for start, end in spans]
            for row in paragraph["qas"]:
                gold: set[int] = set()
                if not row.get("is_impossible"):
                    at = row["answers"][0]["answer_start"]
                    gold = {index for index, (start, end) in enumerate(spans) if start <= at < end}
                    if not gold:
                        continue
                answer = row["answers"][0]["text"] if gold else None
                key = paragraph["context"]
                yield make_evidence(row["id"], row["question"], texts, gold, source, answer=answer, key=key)


def natural_questions(data: Path) -> Iterator[Evidence]:
    """Yield Natural Questions whose answer is in exactly one sentence; of several, the gold is unknown."""
    for number, row in enumerate(read_lines(data / "training/nq_gold.jsonl")):
        text = row["ctxs"][0]["text"]
        title = row["ctxs"][0].get("title", "")
        texts = [text[start:end] for start, end in sentence_spans(text)]
        gold = {
            index
            for index, sentence in enumerate(texts)
            if any(answer.lower() in sentence.lower() for answer in row["answers"])
        }
        if len(gold) == 1:
            titled = [f"{title}: {sentence}" for sentence in texts]
            yield make_evidence(f"nq-{number}", row["question"], titled, gold, "nq", answer=row["answers"][0])


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each sentence: it ends at a stop followed by a capital or a digit.

    >>> sentence_spans("It rained. We left.")
    [(0, 10), (11, 19)]
    """
    spans = []
    start = 0
    for stop in re.finditer(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z0-9\"'(\[])", text):
        if stop.start() - start > 1:
            spans.append((start, stop.start()))
            start = stop.end()
    if start < len(text):
        spans.append((start, len(text)))
    return spans
