"""The study of English rules: its switch, and its figures worked out by hand."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from probative.bench.families.rules import FAMILIES, Family, recorded, switched_off
from probative.bench.report import Cell, Table
from probative.bench.rows import Row
from probative.bench.studies.rules import EVERY, NONE, Rules
from probative.bench.study import Lab, Settings
from probative.text import english
from probative.text.english.statements import needs_sentence_before

BY_NAME = {family.name: family for family in FAMILIES}
PRONOUNS = BY_NAME["sentences that need the one before"]


def rules_of(family: Family) -> list[object]:
    """Return the functions that callers find now."""
    places = (target.split(":") for target in family.rules)
    return [getattr(importlib.import_module(module), name) for module, name in places]


def test_a_family_that_is_off_finds_nothing_and_is_back_afterwards() -> None:
    with switched_off([PRONOUNS]):
        assert not english.needs_sentence_before("It was old.")
    assert english.needs_sentence_before("It was old.")


def test_rules_are_back_after_an_error() -> None:
    before = [rules_of(family) for family in FAMILIES]
    with pytest.raises(ValueError, match="stop"), switched_off(FAMILIES):
        raise ValueError("stop")
    assert [rules_of(family) for family in FAMILIES] == before
    missing = Family.of("missing", no_such_rule=lambda result: result)
    with pytest.raises(AttributeError, match="no_such_rule"), switched_off([PRONOUNS, missing]):
        pass
    assert english.needs_sentence_before is needs_sentence_before
    with switched_off([PRONOUNS]):  # the lock is free again
        assert english.needs_sentence_before is not needs_sentence_before


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_each_rule_of_a_family_is_a_function_that_is_put_back(family: Family) -> None:
    before = rules_of(family)
    with switched_off([family]):
        assert all(map(callable, rules_of(family)))
        assert not {*before} & {*rules_of(family)}
    assert rules_of(family) == before


def test_two_families_of_one_function_are_off_together() -> None:
    families = [BY_NAME["features of a question"], BY_NAME["kind of a question"]]
    question = "In which harbour was the Lark built?"
    with switched_off(families):
        parsed = english.parse_question(question)
    assert (parsed.kind, parsed.intent, parsed.nodes) == ("name", "answer", ())
    assert english.parse_question(question).kind == "place"


def test_a_family_is_recorded_where_it_finds_something() -> None:
    with recorded() as spoke:
        assert not english.needs_sentence_before("The mill is old.")
        assert spoke == set()
        assert english.needs_sentence_before("It was old.")
    assert spoke == {PRONOUNS.name}


def outcome(good: float, bad: float = 0.0, em: float | None = None) -> Row:
    return {"answer": "", "verdict": "supported", "good": good, "bad": bad, "em": em}


def row(key: str, source: str, **arms: Row) -> Row:
    """Return the row of a case; `forms` is the outcome without the forms of claims."""
    names = {"every": EVERY, "forms": PRONOUNS.name, "none": NONE}
    return {"key": key, "set": source, "arms": {names[arm]: each for arm, each in arms.items()}}


def cells(table: Table, line: str) -> list[float | str | None]:
    found = next(each for each in table.rows if each.name == line)
    return [cell.value if isinstance(cell, Cell) else cell for cell in found.cells]


def test_a_family_without_a_result_of_its_own_has_that_of_all_rules() -> None:
    rows = [
        row("1", "claims", every=outcome(1.0), forms=outcome(0.0, 1.0), none=outcome(0.0)),
        row("2", "claims", every=outcome(1.0), none=outcome(1.0)),
        row("3", "own", every=outcome(0.0, em=0.0), none=outcome(1.0, em=1.0)),
        row("4", "hotpotqa", every=outcome(0.0, em=0.0), none=outcome(0.0, em=0.0)),
    ]
    report = Rules().report(rows, Settings(Path()))
    claims, own, shaped, tests = report.tables
    assert cells(claims, EVERY)[:2] == [100.0, 0.0]
    assert cells(claims, PRONOUNS.name) == [50.0, 50.0, "1", "1"]
    assert cells(claims, "replies") == [100.0, 0.0, "0", "0"]
    assert cells(claims, NONE)[:2] == [50.0, 0.0]
    assert cells(own, PRONOUNS.name)[2:] == ["0", "0"]
    assert [table.rows[0].cells[0].n for table in (claims, own, shaped)] == [2, 1, 1]  # type: ignore[union-attr]
    gained = dict(zip(tests.columns, cells(tests, f"{EVERY} against {PRONOUNS.name}"), strict=True))
    assert (gained["claims, right, difference"], gained["questions, right, difference"]) == (50.0, 0.0)
    assert gained["claims, wrong and supported, difference"] == -50.0
    assert report.findings[0] == (
        f"claims: in 2 cases, 1 of {len(FAMILIES)} families find something; "
        "without them, an answer or a verdict changes for 1."
    )


def test_each_case_is_asked_with_all_rules_and_without(lab: Lab, data: Path) -> None:
    study, settings = Rules(), Settings(data, limit=2, options={"sources": "own,hotpotqa"})
    cases = study.cases(settings)
    assert [case.set for case in cases] == ["own", "hotpotqa", "own", "hotpotqa"]
    rows = [{"key": case.key, **study.run(case, lab)} for case in cases]
    for each in rows:
        assert {EVERY, NONE} <= each["arms"].keys() <= {EVERY, NONE, *BY_NAME}
    born = next(each for each in rows if each["key"] == "hotpotqa/born")
    assert "features of a question" in born["arms"]
