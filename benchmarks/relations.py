"""How often the verdict model is right about a question that asks for another relation than an edge states.

    python benchmarks/relations.py

`relations.tsv` has pairs of relations: an edge (head, relation, tail), the verb that is asked for, and the
right answer by hand: yes, no, or open where the edge does not tell. Each is asked as a yes-or-no question and
as an open one, in the wordings and with the threshold of `probative.give.other_relations`. The threshold was
chosen on the first set; the second had no part in it.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from probative.give.other_relations import MIN_PROBABILITY
from probative.give.question_words import answered, as_statement
from probative.models.loading import load_verdict
from probative.models.verdict import VerdictItem, VerdictScores
from probative.verdict.lines import statement

PAIRS = Path(__file__).with_name("relations.tsv")


def decided(scores: Sequence[VerdictScores], *, polar: bool) -> str:
    """Return the answer that all wordings of a claim agree on."""
    if min(score.supported for score in scores) >= MIN_PROBABILITY:
        return "yes"
    return "no" if polar and min(score.contradicted for score in scores) >= MIN_PROBABILITY else "open"


def main() -> None:
    """Print how many questions of each set were answered, and how many rightly."""
    model = load_verdict()
    with PAIRS.open(encoding="utf-8") as file:
        pairs = list(csv.DictReader(file, delimiter="\t"))
    for name in dict.fromkeys(pair["set"] for pair in pairs):
        own = [pair for pair in pairs if pair["set"] == name]
        for polar in (True, False):
            told = right = 0
            for pair in own:
                head, asked, tail = pair["head"], pair["asked"], pair["tail"]
                open_question = f"What {asked}s {tail}?"
                wordings = (
                    [as_statement(f"Does {head} {asked} {tail}?", head)]
                    if polar
                    else [statement(open_question, head), answered(open_question, head)]
                )
                edge = (f"{head} {pair['relation']} {tail}.",)
                answer = decided(model.judge([VerdictItem(text, edge) for text in wordings]), polar=polar)
                told += answer != "open"
                right += answer != "open" and answer == pair["answer"]
            form = "yes or no" if polar else "open"
            print(f"{name}, {form}: {len(own)} questions, {told} answered, {right} of them right")


if __name__ == "__main__":
    main()
