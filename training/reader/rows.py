"""A question or a claim with its evidence, whatever file it came from; and what must never be trained on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probative.types import Passage
from training.reader.example import Part, plain_words, question_key

# Figures are reported on these rows of HotpotQA's and 2WikiMultihopQA's dev samples
# (bench/data/multihop.py); the others may be trained on.
ON_REPORT = slice(200, 400)
HOTPOT_DEV = "hotpotqa/hotpot_dev_distractor_sample.json"
HOTPOT_PAGES = "hotpotqa/paragraph_level_sample.jsonl"
WIKI_DEV = "2wikimultihopqa/dev_sample.json"
# Other sets that figures are reported on: the file, and the field that holds the question or claim.
REPORTED = (
    ("hover/dev_with_text_sample.jsonl", "claim"),
    ("rgb/en_fact.json", "query"),
    ("poisonedrag/nq.json", "question"),
    ("poisonedrag/msmarco.json", "question"),
    ("wice/dev.jsonl", "claim"),
)


@dataclass(frozen=True)
class Triple:
    """A fact in the annotators' words, and the place of the sentence that says it (-1: none was found)."""

    head: str
    relation: str
    tail: str
    place: int


@dataclass(frozen=True)
class Row:
    """A question, its answer (None where the sentences do not hold one), and its sentences.

    `gold` are the places of those that carry the answer. `prose` says that the sentences are one text, whose
    order and neighbourhood matter; `needs_all`, that without any one gold page nobody could answer.
    """

    question: str
    answer: str | None
    sentences: tuple[Passage, ...]
    gold: tuple[int, ...]
    source: str
    part: Part
    kind: str = ""
    prose: bool = False
    needs_all: bool = False
    triples: tuple[Triple, ...] = ()

    @property
    def evidence(self) -> tuple[Passage, ...]:
        """The gold sentences."""
        return tuple(self.sentences[place] for place in self.gold)

    @property
    def others(self) -> tuple[Passage, ...]:
        """The sentences that are not gold."""
        gold = set(self.gold)
        return tuple(one for place, one in enumerate(self.sentences) if place not in gold)


@dataclass(frozen=True)
class Claim:
    """A statement, whether its evidence bears it out (yes) or speaks against it (no), and that evidence.

    `beside` are sentences of the same page that share no word with the statement but the page's own name.
    """

    text: str
    label: str
    evidence: tuple[Passage, ...]
    topic: str
    source: str
    part: Part
    beside: tuple[Passage, ...] = ()


def stands_in(answer: str, passages: tuple[Passage, ...]) -> bool:
    """Whether the words of an answer stand in a text, one after another, or the answer is yes or no.

    >>> stands_in("the Pier", (Passage(text="It left from the pier."),)), stands_in("yes", ())
    (True, True)
    """
    low = plain_words(answer)
    if low in ("yes", "no"):
        return True
    return bool(low) and any(f" {low} " in f" {plain_words(passage.whole)} " for passage in passages)


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def read_json(file: Path) -> Any:
    """What a JSON file holds."""
    return json.loads(file.read_text(encoding="utf-8"))


def reported_keys(data: Path) -> frozenset[str]:
    """The keys of every question and claim that figures are reported on, of those sets that are there."""
    found: set[str] = set()
    for name in (HOTPOT_DEV, WIKI_DEV):
        if (data / name).exists():
            found |= {question_key(row["question"]) for row in read_json(data / name)[ON_REPORT]}
    for name, field in REPORTED:
        if (data / name).exists():
            found |= {question_key(str(text)) for text in _field(data / name, field)}
    return frozenset(found)


def _field(file: Path, field: str) -> Iterator[Any]:
    """One field of every object of a file: a list, an object of objects, or JSON lines."""
    text = file.read_text(encoding="utf-8")
    try:
        whole = json.loads(text)
    except ValueError:
        whole = [json.loads(line) for line in text.splitlines() if line.strip()]
    rows = whole if isinstance(whole, list) else [whole] if field in whole else list(whole.values())
    return (row[field] for row in rows if field in row)
