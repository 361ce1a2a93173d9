"""The claims of the experiment `evidence`: four sets of claims with their texts, HoVer with page titles, and
two sets of multi-hop questions, each sentence with its page's title before it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from probative.bench.data import evidence
from probative.bench.data.evidence import Example
from probative.bench.data.files import read_lines
from probative.bench.data.multihop import read_questions

MULTIHOP = ("hotpotqa", "2wikimultihopqa")
# HoVer with its pages' titles: its claims assume them, but its sentences often do not name them.
TITLED = "hover-titled"
SETS = (*evidence.SETS, TITLED, *MULTIHOP)

# The largest k. Smaller k are the first sentences of the same result, since the search is greedy.
DEEPEST = {"multirc": 2, "fever": 1, "wice": 5, "hover": 5, TITLED: 5, "hotpotqa": 1, "2wikimultihopqa": 1}
# The values of k in the table; "gold" is the size of the smallest gold set.
SHOWN: dict[str, tuple[int | str, ...]] = {
    "multirc": (1, 2, "gold"),
    "fever": (1,),
    "wice": (3, 5, "gold"),
    "hover": (3, 5, "gold"),
    TITLED: (3, 5, "gold"),
    "hotpotqa": ("gold",),
    "2wikimultihopqa": ("gold",),
}
# Candidates for the look-ahead, which would take hours over a whole long text.
FILTERED = {"wice": 16, "hover": 16, TITLED: 16, "hotpotqa": 16, "2wikimultihopqa": 16}

# Nothing about the search was tuned on these, so figures are of all their claims.
UNTUNED = ("wice", "hover", TITLED)


def chosen_examples(data: Path, name: str, n: int | None, tuning: bool) -> list[Example]:
    """Return the first `n` claims (all if None) that figures are reported on, or (`tuning`) were tuned on."""
    if name in MULTIHOP:
        return _questions(data, name, tuning)[:n]
    claims = _titled(data) if name == TITLED else evidence.read_examples(data, name)
    return [claim for claim in claims if name in UNTUNED or claim.tuning == tuning][:n]


def _questions(data: Path, name: str, tuning: bool) -> list[Example]:
    """Return questions as claims: the task is to find their evidence, not whether they are true."""
    return [
        Example(
            id=question.id,
            claim=question.text,
            sentences=tuple(passage.whole for passage in question.passages),
            gold=(question.gold,),
            label="True",
            tuning=tuning,
        )
        for question in read_questions(data, name, tuning=tuning)
        if question.gold
    ]


def _titled(data: Path) -> list[Example]:
    titles = {
        str(row["uid"]): [title for title, page in row["context"] for _ in page]
        for row in read_lines(data / "hover" / "dev_with_text_sample.jsonl")
    }
    return [
        replace(
            claim,
            sentences=tuple(
                f"{title}: {text}" for title, text in zip(titles[claim.id], claim.sentences, strict=True)
            ),
        )
        for claim in evidence.read_examples(data, "hover")
    ]
