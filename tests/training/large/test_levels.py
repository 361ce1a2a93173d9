"""The levels of answers that were measured before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from training.large.levels import by_kind, compact, level_of, levels
from training.row_files import read_rows

KEPT = Path(__file__).parents[3] / "training/large/study/report_b-large.jsonl"
SURE = {"entailed": 0.98, "denied": 0.01, "probability": 0.99, "chain_answerable": 0.99, "completeness": 0.99}


def measured(**changed: Any) -> dict[str, Any]:
    """Return a row that `report` writes, of a sure right answer unless changed."""
    row: dict[str, Any] = {
        "key": "u 0",
        "kind": "single",
        "question": "Who built the pier?",
        "accept": ["Ada Lund"],
    }
    row |= {"answer": "Ada Lund", "candidate": None, "level": "supported", "eligible": True, "calls": 5}
    row |= {"exact": True, "agrees": True, "candidate_exact": False, "signals": SURE | {"computed": 0.0}}
    return row | changed


def test_a_sure_right_answer_is_supported_and_an_unsure_one_is_not() -> None:
    assert level_of(compact(measured()), "large") == "supported"
    unsure = measured(signals=SURE | {"computed": 0.0, "entailed": 0.05, "denied": 0.9, "probability": 0.1})
    assert level_of(compact(unsure), "large") != "supported"
    assert level_of(compact(measured(eligible=False)), "large") == "probable"


def test_a_number_that_had_to_be_computed_is_not_found() -> None:
    asked = measured(question="How many more kegs did the Orme sell than the Vell?", answer="40")
    assert level_of(compact(asked), "large") == "not_found"
    computed = asked | {"signals": SURE | {"computed": 1.0, "values_entailed": 0.99}}
    assert level_of(compact(computed), "large") == "supported"


def test_the_shares_are_of_the_answerable_and_of_all() -> None:
    none = measured(accept=[], exact=False, agrees=False)
    rows = [compact(row) for row in (measured(), none, measured(level="disputed"), measured(signals=None))]
    right, neither, wrong, supported, probable, counts, calls = levels(rows, "large")
    assert right.startswith("right and supported: 2 of 3")
    assert neither.startswith("neither supported nor probable: 1 of 3")
    assert wrong.startswith("wrong and supported, of all: 1 of 4")
    assert supported.startswith("right, of those called supported: 2 of 3")
    assert probable == "right, of those called probable: "
    assert counts == "1 disputed right, 2 supported right"
    assert calls == "calls: 5.0 a question"
    (line,) = by_kind(rows, "large")
    assert line.startswith("  single: 2 of 3")
    assert line.endswith("; 1 wrong and supported")


def test_the_kept_rows_are_of_all_questions_of_the_second_report() -> None:
    rows = read_rows([KEPT], ["key"])
    assert len(rows) == 528
    assert sum(row["answerable"] for row in rows) == 415
