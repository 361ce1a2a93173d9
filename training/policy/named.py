"""The sentences that the large model names for a question or claim, as what the policy learns to find.

`prompts_of` asks over all sentences that the policy weighs, `training.large measure` writes the replies, and
`with_named` puts what they cite in the place of the authors' sentences. A reply that the authors would call
wrong teaches nothing: their sentences stay. In the part for choosing they stay too, so that the figures of
several trainings are about the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from probative.bench.metrics import is_accepted
from probative.models.task_prompts import UNKNOWN, VERDICTS, Line, passage_lines, read_reply
from probative.scope.cover.chain import pieces_of
from probative.text.prompts import passage_header
from probative.types import Passage
from training.large.arrays import Arrays
from training.large.bundles import training_bundles
from training.large.report import passages_in
from training.large.rows import LABELS, Row
from training.policy.evidence import Evidence
from training.policy.examples import Examples
from training.policy.sources.own_documents import asked_in, evidence_name

SOURCE = "bundles"


def prompts_of(evidence: Sequence[Evidence], data: Path) -> Iterator[Row]:
    """Yield what the model is asked for each example over documents of our own, to `measure`."""
    places = {example.id: place for place, example in enumerate(evidence) if example.source == SOURCE}
    for bundle in training_bundles(data):
        lines, pieces = _lines_in(bundle)
        for number, entry in enumerate(asked_in(bundle)):
            example = places.get(f"{evidence_name(bundle)} {number}")
            if example is None:
                continue
            facts = {"example": example, "pieces": pieces}
            if "claim" in entry:
                label = VERDICTS[LABELS.index(entry["label"])]
                facts["accept"] = [label]
                yield Row("verdict", entry["claim"], lines, label, f"{SOURCE}_claims", facts=facts)
            else:
                facts["accept"] = entry["accept"] or [UNKNOWN]
                yield Row("answer", entry["q"], lines, UNKNOWN, f"{SOURCE}_questions", facts=facts)


def _lines_in(bundle: dict[str, object]) -> tuple[tuple[Line, ...], list[int]]:
    """Return the sentences of a bundle, and the number of the text of the policy that each is a part of."""
    pieces = [piece for _, piece in pieces_of(passages_in(bundle))]
    shown = [
        (Line(text, passage_header(piece)), number)
        for number, piece in enumerate(pieces)
        for text in passage_lines(Passage(text=piece.text))
    ]
    return tuple(line for line, _ in shown), [number for _, number in shown]


def with_named(examples: Examples, prompts: Arrays, replies: Path, *, union: bool = False) -> Examples:
    """Return the examples with the sentences that the replies cite, where the reply is right; with `union`,
    beside those of the authors. The authors' other sentences count neither as right nor as wrong.
    """
    gold, also, counts = examples.gold.copy(), examples.also.copy(), Counter[str]()
    with np.load(replies) as measured:
        written = zip(measured["asked"].tolist(), measured["replies"].tolist(), strict=True)
    for row, reply in written:
        facts = prompts.facts[row]
        example, (answer, cited) = facts["example"], read_reply(reply)
        named = sorted({facts["pieces"][line] for line in cited if line < len(facts["pieces"])})
        if not is_accepted(answer, facts["accept"]):
            counts["wrong"] += 1
        elif not named:
            counts["cites nothing"] += 1
        elif examples.choose[example]:
            counts["for choosing"] += 1
        else:
            span = examples.places(example)
            authors, mine = gold[span].copy(), np.zeros(span.stop - span.start, np.bool_)
            mine[named] = True
            counts["same" if (authors == mine).all() else "other"] += 1
            gold[span] = mine | authors if union else mine
            also[span] |= authors & ~gold[span]
    print(", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())), flush=True)
    return replace(examples, gold=gold, also=also)
