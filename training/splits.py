"""What models are trained on, and what they must leave out: every row that figures are reported on.

`probative.bench.data.splits` decides which rows those are, and `SPLITS` says it in words. All trainings take
from here what they must leave out: `reported_keys` and `reported_documents`. A test holds every training
source against every reported row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from probative.bench.data.claims import read_claims
from probative.bench.data.files import read_json, read_lines
from probative.bench.data.graph_qa import SETS, read_cases
from probative.bench.data.questions import POISONED, Question, as_question, read_poisoned, read_rgb
from probative.bench.data.splits import (
    MULTIHOP_FILES,
    digest,
    multihop_rows,
    plain_words,
    question_key,
    reported_claims,
)

Part = Literal["train", "validation", "test", "report"]
PolicyPart = Literal["train", "choose"]

MULTIHOP_MORE = {
    "hotpotqa": "training/hotpotqa_more.jsonl",
    "2wikimultihopqa": "training/2wiki_train.jsonl",
}
GRAPH_FOLDERS = {"csqa": "commonsenseqa"}
# The policy's examples: the share, in percent, that settings and the best state are chosen on.
CHOOSE_PERCENT = 8
# The reader's examples: the shares, in percent, of validation and test.
VALIDATION_PERCENT, TEST_PERCENT = 10, 5


@dataclass(frozen=True)
class Split:
    """What the rows of a data set are used for."""

    reported: str
    tuned: str
    trained: str


_MULTIHOP = Split(
    "rows 200 to 399 of our dev sample, all rows of any other file",
    "rows 0 to 199 of our dev sample",
    "all but the reported questions",
)
_ERASER = Split(
    "the first 200 claims, by the digest of their ids, of the other documents",
    "documents whose digest modulo 100 is below 40",
    "documents without a reported claim",
)
_GRAPH = Split("the other questions", "a quarter, by the digest of the question", "none")
SPLITS: dict[str, Split] = {
    "hotpotqa": _MULTIHOP,
    "2wikimultihopqa": _MULTIHOP,
    "multirc": _ERASER,
    "fever": _ERASER,
    "wice": Split("all claims", "the verdict's curve: a digest modulo 100 below 40", "none"),
    "hover": Split("all claims", "none", "none, nor the HotpotQA questions of its claims (policy)"),
    "rgb": Split("all questions", "none", "none"),
    "poisonedrag": Split("all questions", "none", "none"),
    "pubmedqa": Split("the published test part", "the other questions", "none"),
    "bioasq": _GRAPH,
    "processbank": Split("the other paragraphs", "a quarter, by the digest of the paragraph", "none"),
    "csqa": _GRAPH,
}


def policy_part(key: str) -> PolicyPart:
    """Return the part of the policy's examples that a query (or the text many queries share) belongs to."""
    return "choose" if digest(key) % 100 < CHOOSE_PERCENT else "train"


def reader_part(key: str) -> Part:
    """Return the part of the reader's examples that a question (or the page many questions share) belongs to.

    >>> reader_part("Who built the pier?") == reader_part("who built the pier")
    True
    """
    start = hashlib.sha256(f"part {plain_words(key)}".encode()).digest()[:8]
    percent = int.from_bytes(start, "big") % 100
    if percent < VALIDATION_PERCENT:
        return "validation"
    return "test" if percent < VALIDATION_PERCENT + TEST_PERCENT else "train"


def untouched_questions(data: Path, name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of HotpotQA or 2WikiMultihopQA that the reader never trained on and that no figure is
    reported on: the certainty of answers is fitted on these.
    """
    seen = {question_key(row["question"]) for row in multihop_rows(read_json(data / MULTIHOP_FILES[name]))}
    dev = read_json(data / MULTIHOP_FILES[name])
    rows = unreported_rows(dev) if name == "hotpotqa" else multihop_rows(dev, tuning=True)
    for row in (*rows, *read_lines(data / MULTIHOP_MORE[name])):
        key = question_key(row["question"])
        if key not in seen and reader_part(row["question"]) != "train":
            seen.add(key)
            yield row


def unreported_rows(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the rows of a multi-hop dev sample that may be trained on."""
    reported = multihop_rows(rows)
    return [row for row in rows if row not in reported]


def reported_texts(data: Path) -> Iterator[tuple[str, str]]:
    """Yield the data set and the text of every question and claim that figures are reported on.

    Sets whose files are not in the folder `data` are left out.
    """
    for name, file in MULTIHOP_FILES.items():
        if (data / file).exists():
            yield from ((name, row["question"]) for row in multihop_rows(read_json(data / file)))
    for name, file in (("wice", "wice/dev.jsonl"), ("hover", "hover/dev_with_text_sample.jsonl")):
        if (data / file).exists():
            yield from ((name, claim.claim) for claim in read_claims(data, name))
    for name in ("multirc", "fever"):
        if (data / "eraser" / name).exists():
            yield from ((name, claim.claim) for claim in reported_claims(read_claims(data, name)))
    if (data / "rgb/en_fact.json").exists():
        yield from (("rgb", case.question) for case in read_rgb(data / "rgb/en_fact.json"))
    for name in POISONED:
        file = f"poisonedrag/{name}.json"
        if (data / file).exists():
            yield from (("poisonedrag", case.question) for case in read_poisoned(data / file))
    for name in SETS:
        if (data / GRAPH_FOLDERS.get(name, name)).exists():
            yield from ((name, case.question) for case in read_cases(data, name))


def reported_keys(data: Path) -> frozenset[str]:
    """Return the keys of all questions and claims that figures are reported on: never train on these."""
    return frozenset(question_key(text) for _, text in reported_texts(data))


def reported_documents(data: Path, name: str) -> frozenset[str]:
    """Return the documents of MultiRC or FEVER with a reported claim: never train on these."""
    return frozenset(claim.document for claim in reported_claims(read_claims(data, name)))


def read_untouched(data: Path, name: str) -> list[Question]:
    """Return the questions of a set that neither the reader was trained on nor a figure is reported on."""
    return [as_question(dict(row)) for row in untouched_questions(data, name)]
