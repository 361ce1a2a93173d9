"""Questions and claims over bundles of four documents of our own, with the sentences that decide.

The candidates are those that the policy weighs in `ask`: short passages, and the sentences of longer ones,
each after the header of its document.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from probative.models.task_prompts import Line
from probative.scope.cover.chain import pieces_of
from probative.text.prompts import headed
from training.large.bundles import deciding, training_bundles
from training.large.documents import Bundle
from training.large.report import passages_in
from training.policy.evidence import Evidence, make_evidence


def bundles(data: Path) -> Iterator[Evidence]:
    """Yield the questions and claims of the bundles to train on; all of a bundle belong to one part."""
    for bundle in training_bundles(data):
        pieces = [piece for _, piece in pieces_of(passages_in(bundle))]
        texts, lines = [headed(piece) for piece in pieces], [Line(piece.text) for piece in pieces]
        name = evidence_name(bundle)
        for number, entry in enumerate(asked_in(bundle)):
            gold = deciding(lines, entry["sentences"])
            if gold is not None:
                query, answer = entry.get("claim") or entry["q"], entry.get("answer")
                yield make_evidence(
                    f"{name} {number}", query, texts, gold, "bundles", answer=answer, key=name
                )


def asked_in(bundle: Bundle) -> list[dict[str, Any]]:
    """Return the questions and then the claims of a bundle."""
    return [*bundle["questions"], *bundle["claims"]]


def evidence_name(bundle: Bundle) -> str:
    """Return the name of a bundle, which begins those of its examples."""
    return f"bundle {bundle['bundle']}"
