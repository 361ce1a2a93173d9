"""The sentences that say what figures show, with figures worked out by hand."""

from __future__ import annotations

import pytest

from probative.bench.findings import auroc_text, difference_finding, ranked_finding
from probative.bench.render import cell_text
from probative.bench.report import Cell, Table, TableRow
from probative.bench.statistics import NO_TEST, first_against, paired_table
from probative.bench.studies.false_passages import COLUMNS as NOTICED
from probative.bench.studies.false_passages import FalsePassages
from probative.bench.studies.risk_coverage import RiskCoverage
from probative.bench.studies.verdicts import Proofs, Unsupported, VerdictSets
from probative.bench.study import Settings

SETTINGS = Settings(data=None)  # type: ignore[arg-type]


def by_case(*values: float) -> dict[str, float]:
    return {f"case {number}": value for number, value in enumerate(values)}


def test_without_a_sure_difference_the_finding_says_so() -> None:
    # Six differences of one sign: p = 0.031, which two tests of the column lift above 0.05.
    groups = {"set": {"A": by_case(*[1] * 6), "B": by_case(*[0] * 6), "C": by_case(*[0] * 6)}}
    tests = paired_table("Tests", first_against("A", groups["set"]), groups)
    assert difference_finding(tests, "F1", "claim") == (
        "No difference in F1 between A and B or C is larger than chance (n = 6)."
    )


def test_a_few_cases_cannot_show_a_difference() -> None:
    groups = {"set": {"A": by_case(1, 1), "B": by_case(0, 0)}}
    tests = paired_table("Tests", [("A", "B")], groups)
    assert difference_finding(tests, "accuracy") == (
        "No difference in accuracy between A and B is larger than chance (n = 2; fewer than 6 questions "
        "cannot show one)."
    )


def test_sure_differences_are_named_with_their_size_and_the_others_counted() -> None:
    # A has eight of nine cases alone against B (p = 0.008); against C one each way.
    groups = {
        "hops": {
            "A": by_case(*[1] * 8, 0),
            "B": by_case(*[0] * 9),
            "C": by_case(*[1] * 7, 0, 1),
        }
    }
    tests = paired_table("Tests", first_against("A", groups["hops"]), groups)
    assert difference_finding(tests, "accuracy") == (
        "A has a higher accuracy than B (hops: +88.9 points, n = 9); 1 other difference is not larger than "
        "chance."
    )
    assert difference_finding(tests, "accuracy", keep=lambda own: own.second == "C") == (
        "No difference in accuracy between A and C is larger than chance (n = 9)."
    )


def test_more_sure_differences_than_are_listed_are_counted() -> None:
    low = {f"B{number}": by_case(*[0] * 12) for number in range(6)}
    groups = {"set": {"A": by_case(*[1] * 12), **low}}
    tests = paired_table("Tests", [(name, "A") for name in low], groups)
    finding = difference_finding(tests, "accuracy")
    assert finding.startswith("B0 has a lower accuracy than A (set: -100.0 points, n = 12); B1 has a lower")
    assert finding.endswith("; 2 more differences are larger than chance.")


def test_nothing_compared_and_nothing_tested_are_said() -> None:
    assert difference_finding((), "F1", "claim") == (
        "Nothing is compared: no two methods have a result for the same claim."
    )
    row = TableRow(name="A against B", cells=(Cell(value=3.0, n=4), NO_TEST))
    table = Table(title="Tests", corner="", columns=("set, difference", "set, p"), rows=(row,))
    assert "were not tested" in difference_finding((table,), "F1")


def table_of(**values: float | None) -> Table:
    rows = tuple(TableRow(name=name, cells=(Cell(value=value, n=20),)) for name, value in values.items())
    return Table(title="WiCE", corner="method", columns=("F1",), rows=rows)


def test_rows_are_ranked_and_ties_are_said() -> None:
    assert ranked_finding(table_of(A=40.0, B=55.0, C=55.0, D=None), "F1") == (
        "WiCE: B and C have the highest F1 (55.0), then A (40.0); n = 20."
    )
    assert (
        ranked_finding(table_of(A=40.0, B=40.0), "F1")
        == "WiCE: the F1 is the same (40.0) for A and B; n = 20."
    )
    assert ranked_finding(table_of(A=40.0), "F1") is None


def test_an_auroc_whose_interval_has_chance_in_it_is_not_more_than_chance() -> None:
    assert auroc_text(Cell(value=0.6, low=0.5, high=0.7, n=40)).endswith("n = 40, not more than chance")
    assert auroc_text(Cell(value=0.6, low=0.51, high=0.7, n=40)) == "AUROC 0.600 [0.510, 0.700], n = 40"
    assert auroc_text(Cell(value=1.0, low=1.0, high=1.0, n=4)).endswith("n = 4, too few to tell from chance")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Cell(value=50.0, n=10, published=60.0), "50.0 (paper 60.0, -10.0)"),
        (Cell(value=50.0, n=9, published=60.0), "50.0 (paper 60.0)"),
        (Cell(value=50.0, n=500, published=60.0, comparable=False), "50.0 (paper 60.0)"),
        (Cell(value=50.0, published=60.0), "50.0 (paper 60.0, -10.0)"),
    ],
)
def test_a_difference_from_the_paper_is_shown_only_where_it_means_something(cell: Cell, text: str) -> None:
    assert cell_text(cell) == text


def test_risk_coverage_compares_supported_answers_with_the_others() -> None:
    # Supported: right, right. Others: right, wrong. The wrong answer has the lowest certainty.
    rows = [
        {
            "key": str(number),
            "set": "hotpotqa",
            "em": 1.0,
            "f1": 1.0,
            "right": right,
            "reply": "",
            "supported": supported,
            "certainty": certainty,
            "signals": None,
            "calls": 1,
            "tokens": 1,
        }
        for number, (right, supported, certainty) in enumerate(
            [(True, True, 0.9), (True, True, 0.8), (True, False, 0.7), (False, False, 0.1)]
        )
    ]
    first, second = RiskCoverage().report(rows, SETTINGS).findings
    assert first == (
        "hotpotqa: 100.0% of 2 answers marked supported are right, and 50.0% of 2 other answers."
    )
    assert "with AUROC 1.000" in second
    assert "0.0% of 1 surest answers are wrong" in second


def test_false_passages_say_alarms_conflicts_and_belief() -> None:
    def row(passages: str, method: str = "ask", **true: bool) -> dict[str, object]:
        said = {column: true.get(column, False) for column in NOTICED}
        return {"key": f"{method}/{passages}", "method": method, "passages": passages, **said}

    rows = [
        row("RGB, true"),
        row("RGB, true and false", contradicted=True),
        row("RGB, true and false"),
        row("RGB, false", fooled=True),
        row("nq, false"),
        row("RGB, true", "words"),
    ]
    alarm, noticed, fooled, *_ = FalsePassages().report(rows, SETTINGS).findings
    assert alarm.endswith("with true passages alone a false alarm is raised for 0.0% of 1 (RGB).")
    assert noticed.endswith("a contradiction is noticed for 50.0% of 2 (RGB).")
    assert fooled.endswith("a false answer is called supported for 100.0% of 1 (RGB) and 0.0% of 1 (nq).")


def test_unsupported_claims_and_proofs_say_their_auroc() -> None:
    claims = [
        {"key": name, "label": label, "gold": [], "nothing": doubt, "doubt": doubt, "tokens": 1}
        for name, label, doubt in (
            ("a", "not_supported", 0.9),
            ("b", "supported", 0.1),
            ("c", "supported", 0.2),
        )
    ]
    first, _ = Unsupported().report(claims, SETTINGS).findings
    assert first.startswith("1 claim that nothing supports told from 2 others: AUROC 1.000")
    assert first.endswith("(by: nothing carries it (the policy)).")
    proofs = [
        {"key": label, "set": "fever", "label": label, "verdict": "supported", "supported": chance}
        for label, chance in (("SUPPORTS", 0.8), ("REFUTES", 0.3))
    ]
    (only,) = Proofs().report(proofs, SETTINGS).findings
    assert only.startswith("fever: SUPPORTS from REFUTES: AUROC 1.000")


def test_verdict_sets_say_the_share_and_the_best_and_worst_set() -> None:
    # first: both right, balanced 100; second: the supported claim is missed, balanced 50.
    rows = [
        {
            "key": f"{name}/{label}",
            "set": name,
            "label": label,
            "binary": False,
            "verdict": "supported",
            "supported": chance,
            "right": (chance >= 0.5) == (label == "supported"),
            "tokens": 1,
        }
        for name, label, chance in (
            ("first", "supported", 0.9),
            ("first", "contradicted", 0.1),
            ("second", "supported", 0.2),
            ("second", "contradicted", 0.1),
        )
    ]
    first, _ = VerdictSets().report(rows, SETTINGS).findings
    assert first == (
        "75.0% of 4 claims are judged right; the balanced accuracy is 75.0 on average over 2 "
        "sets, from 50.0 (second) to 100.0 (first)."
    )
