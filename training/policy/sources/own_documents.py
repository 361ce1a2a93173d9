"""Questions and claims over bundles of four documents of our own, with the sentences that decide.

The candidates are those that the policy weighs in `ask`: short passages, and the sentences of longer ones,
each after the header of its document.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from probative.models.task_prompts import Line
from probative.scope.cover.learned import pieces_of
from probative.text.prompts import headed
from training.large.bundles import deciding, training_bundles
from training.large.report import passages_in
from training.policy.evidence import Evidence, make_evidence


def bundles(data: Path) -> Iterator[Evidence]:
    """Yield the questions and claims of the bundles to train on; all of a bundle belong to one part."""
    for bundle in training_bundles(data):
        pieces = [piece for _, piece in pieces_of(passages_in(bundle))]
        texts, lines = [headed(piece) for piece in pieces], [Line(piece.text) for piece in pieces]
        asked = [(entry["q"], entry["answer"], entry["sentences"]) for entry in bundle["questions"]]
        asked += [(entry["claim"], None, entry["sentences"]) for entry in bundle["claims"]]
        for number, (query, answer, sentences) in enumerate(asked):
            gold = deciding(lines, sentences)
            if gold is not None:
                name = f"bundle {bundle['bundle']}"
                yield make_evidence(
                    f"{name} {number}", query, texts, gold, "bundles", answer=answer, key=name
                )
