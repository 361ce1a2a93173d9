"""Learning which questions ask for a computation: the labels, the choice of runs, the limit."""

from __future__ import annotations

import json
from pathlib import Path

from training.certainty.computation import Asked, fit, frequent_runs, matrix, of_bundles, of_drop

ROWS = [
    *[
        Asked(f"How many more {thing} were sold?", computed=True)
        for thing in ("kegs", "nets", "oars", "sails", "pots")
    ],
    *[Asked(f"Who sold the {thing}?", computed=False) for thing in ("kegs", "nets", "oars", "sails", "pots")],
]


def test_a_number_that_the_passage_of_drop_lacks_is_computed_and_a_small_one_that_it_has_says_nothing(
    tmp_path: Path,
) -> None:
    def row(question: str, answer: str) -> str:
        text = f"Passage: The crew had 40 oars, 1,200 nets and 3 kegs.\nQuestion: {question}\nAnswer:"
        return json.dumps({"context": text, "ref_text": answer})

    folder = tmp_path / "training"
    folder.mkdir()
    lines = [row("a?", "37"), row("b?", "1200"), row("c?", "3"), row("d?", "the crew"), row("e?", "5|4")]
    (folder / "drop_dev.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert list(of_drop(tmp_path)) == [
        Asked("a?", True),
        Asked("b?", False),
        Asked("d?", False),
        Asked("e?", True),
    ]


def test_runs_that_many_questions_have_are_kept() -> None:
    runs = frequent_runs(ROWS)
    assert {"how many", "who"} <= set(runs)
    assert "kegs" not in runs  # twice only
    assert matrix(ROWS[:1], ["who", "how many"]).tolist() == [[0.0, 1.0]]


def test_plain_questions_are_below_the_limit() -> None:
    model = fit(ROWS)
    assert all(model.probability(row.text) < model.limit for row in ROWS if not row.computed)
    assert model.probability("How many more ropes were sold?") > 0.5


def test_our_bundles_have_questions_of_both_kinds() -> None:
    rows = list(of_bundles("tune"))
    assert 0.1 < sum(row.computed for row in rows) / len(rows) < 0.3
