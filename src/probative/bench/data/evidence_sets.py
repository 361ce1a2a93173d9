"""The claims of the `mcse` experiment: four sets of claims with their texts, and two of questions with pages,
each sentence with its page's title before it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from probative.bench.data import evidence as evidence_data
from probative.bench.data.evidence import Example
from probative.bench.data.multihop import read_questions

MULTIHOP = ("hotpotqa", "2wikimultihopqa")
# HoVer with its pages' titles, which its claims mean but its sentences often do not name.
TITLED = "hover-titled"
SETS = (*evidence_data.SETS, TITLED, *MULTIHOP)

# Up to so many sentences are asked for; fewer are the first of them, since the search is greedy.
DEEPEST = {"multirc": 2, "fever": 1, "wice": 5, "hover": 5, TITLED: 5, "hotpotqa": 1, "2wikimultihopqa": 1}
SHOWN: dict[str, tuple[int | str, ...]] = {
    "multirc": (1, 2, "gold"),
    "fever": (1,),
    "wice": (3, 5, "gold"),
    "hover": (3, 5, "gold"),
    TITLED: (3, 5, "gold"),
    "hotpotqa": ("gold",),
    "2wikimultihopqa": ("gold",),
}
# The look-ahead over a whole long text would take hours: these sets are filtered to so many sentences.
FILTERED = {"wice": 16, "hover": 16, TITLED: 16, "hotpotqa": 16, "2wikimultihopqa": 16}

# Nothing about the search was chosen on these, so all their claims count.
UNTUNED = ("wice", "hover", TITLED)


def chosen_examples(data: Path, name: str, most: int, tuning: bool) -> list[Example]:
    """The claims that figures are given of, or those that weights were chosen on."""
    if name in MULTIHOP:
        return _questions(data, name, tuning)[:most]
    claims = _titled(data) if name == TITLED else evidence_data.read_examples(data, name)
    return [one for one in claims if name in UNTUNED or one.tuning == tuning][:most]


def _questions(data: Path, name: str, tuning: bool) -> list[Example]:
    """Questions as claims: what carries them is asked for, not whether they are true."""
    return [
        Example(
            id=one.id,
            claim=one.text,
            sentences=tuple(passage.whole for passage in one.passages),
            gold=(one.gold,),
            label="True",
            tuning=tuning,
        )
        for one in read_questions(data, name, tuning=tuning)
        if one.gold
    ]


def _titled(data: Path) -> list[Example]:
    titles: dict[str, list[str]] = {}
    with (data / "hover" / "dev_with_text_sample.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            titles[str(row["uid"])] = [title for title, piece in row["context"] for _ in piece]
    return [
        replace(
            one,
            sentences=tuple(
                f"{title}: {text}" for title, text in zip(titles[one.id], one.sentences, strict=True)
            ),
        )
        for one in evidence_data.read_examples(data, "hover")
    ]
