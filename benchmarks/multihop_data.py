"""Questions over several hops with all their passages: HotpotQA (distractor) and 2WikiMultihopQA."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from probative import Passage

FILES = {
    "hotpotqa": "hotpotqa/hotpot_dev_distractor_sample.json",
    "2wikimultihopqa": "2wikimultihopqa/dev_sample.json",
}
# The first so many questions of each served to choose weights; figures are of the others.
TUNED = 200


@dataclass(frozen=True)
class Question:
    """A question, its answer, its sentences with their page as title, and which of them are gold."""

    id: str
    text: str
    answer: str
    kind: str
    passages: tuple[Passage, ...]
    gold: frozenset[int]


def read_questions(data: Path, name: str, *, tuning: bool = False) -> list[Question]:
    """The questions of a set that served for tuning, or the others."""
    rows = json.loads((data / FILES[name]).read_text(encoding="utf-8"))
    return [_question(row) for row in (rows[:TUNED] if tuning else rows[TUNED:])]


def _question(row: dict[str, object]) -> Question:
    gold = {(title, number) for title, number in row["supporting_facts"]}  # type: ignore[attr-defined]
    placed = [
        (title, number, sentence.strip())
        for title, sentences in row["context"]  # type: ignore[attr-defined]
        for number, sentence in enumerate(sentences)
        if sentence.strip()
    ]
    return Question(
        id=str(row["_id"]),
        text=str(row["question"]),
        answer=str(row["answer"]),
        kind=str(row["type"]),
        passages=tuple(Passage(text=text, title=title) for title, _, text in placed),
        gold=frozenset(place for place, (title, number, _) in enumerate(placed) if (title, number) in gold),
    )
