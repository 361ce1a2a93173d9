"""Our experiments on evidence and answers, on tiny data with scripted models; the figures were worked out by
hand.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from data_sets import write_json

from probative import InputError
from probative.bench.registry import load_experiment
from probative.bench.report import Cell, Report, Table
from probative.bench.rows import Row
from probative.bench.study import Lab
from probative.testing import ScriptedModel


def run_all(name: str, lab: Lab, limit: int | None = None, **options: Any) -> tuple[list[Row], Report]:
    experiment = load_experiment(name)
    own = replace(lab, settings=replace(lab.settings, limit=limit, options=options))
    rows = [{"key": case.key, **experiment.run(case, own)} for case in experiment.cases(own.settings)]
    rows = json.loads(json.dumps(rows, allow_nan=False))
    report = experiment.report(rows, own.settings)
    assert report.findings
    return rows, report


def values(table: Table, row: str) -> dict[str, float | str | None]:
    cells = next(line.cells for line in table.rows if line.name == row)
    shown = [
        cell if isinstance(cell, str) else None if cell.value is None else round(cell.value, 1)
        for cell in cells
    ]
    return dict(zip(table.columns, shown, strict=True))


def test_evidence_counts_sentences_over_all_claims(lab: Lab) -> None:
    # The model finds only salt strong: sentence 1, gold of the first claim. BM25 takes the sentence with a
    # word of the claim: salt, Lark, heron; the last is not gold. The third claim is false.
    rows, report = run_all("evidence", lab, sets="fever", methods="baselines,default")
    table, tests = report.tables
    assert (table.title, len(rows)) == ("FEVER, top 1", 3 * 4)
    own, bm25 = values(table, "mcse (default: fast)"), values(table, "BM25")
    assert (own["precision"], own["recall"], own["F1"], own["all gold"]) == (33.3, 33.3, 33.3, 33.3)
    assert (bm25["F1"], bm25["F1, true claims"], own["F1, true claims"]) == (66.7, 100.0, 50.0)
    assert bm25["tokens"] == 0.0
    assert own["tokens"] != 0.0
    # Of three claims, the second is lost against BM25.
    assert values(tests, "mcse (default: fast) against BM25")["FEVER, difference"] == -33.3
    assert report.plots[0].ticks == ("ROUGE", "BM25", "embedding", "mcse (default: fast)")


def test_a_method_without_usable_output_has_missed(lab: Lab) -> None:
    rows, report = run_all("evidence", lab, sets="fever", methods="llm")
    assert values(report.tables[0], "LLM picks")["F1"] == 0.0
    assert {row["indexes"] for row in rows if row["method"] == "LLM picks"} == {None}
    assert "LLM picks gave no usable output for 3 claims, counted as missed." in report.findings


def test_an_option_of_mcse_changes_its_methods_and_a_misspelt_one_is_refused(lab: Lab) -> None:
    experiment = load_experiment("evidence")
    with pytest.raises(InputError, match="has no option 'lexicl'"):
        experiment.cases(replace(lab.settings, options={"lexicl": 4}))
    with pytest.raises(InputError, match="there is no method 'bm26' in this experiment"):
        experiment.cases(replace(lab.settings, options={"methods": "bm26"}))


def test_claims_that_nothing_supports(lab: Lab) -> None:
    # Gold is found for salt and missed for Lark. The policy says nothing carries the claim on herons.
    _, report = run_all("unsupported", lab)
    evidence, separation = report.tables
    assert (values(evidence, "learned")["F1"], evidence.rows[0].cells[0].n) == (50.0, 2)  # type: ignore[union-attr]
    for row in separation.rows:
        assert values(separation, row.name) == {"AUROC": 1.0, "not supported": "1", "others": "2"}


def test_chains(lab: Lab) -> None:
    # All four and three sentences fit into the top 5. The model says Voss where it reads it, otherwise Oslo.
    _, report = run_all("chains", lab, sets="hotpotqa", methods="rag,words,closed", answers="own,picked")
    table, tests = report.tables
    rag, words, closed = (
        values(table, method) for method in ("RAG top-5", "words, linked (the default)", "closed book")
    )
    assert (rag["gold"], rag["all"], rag["pieces"], rag["own: EM"]) == (100.0, 100.0, 3.5, 50.0)
    # By words, rope is left out; of the two who were born, the first is computed.
    assert (words["all"], words["pieces"], words["own: EM"]) == (100.0, 2.5, 100.0)
    # The fewest passages that name the features are the builder's alone, without the boat's page.
    assert values(table, "words, exact")["gold"] == 75.0
    assert (closed["all"], closed["own: EM"], closed["picked: EM"]) == (0.0, 0.0, None)
    assert values(tests, "closed book against RAG top-5")["hotpotqa, difference"] == -100.0


def test_chains_without_answers_ask_no_language_model(lab: Lab, model: ScriptedModel) -> None:
    _, report = run_all("chains", lab, sets="hotpotqa", methods="rag,words,learned")
    assert model.asked == []
    assert report.tables[0].columns == ("gold", "all", "pieces", "complete")
    assert report.plots[0].series[0].name == "Passages chosen on hotpotqa"


def test_missing_features_are_looked_up_in_a_collection(lab: Lab, data: Path) -> None:
    write_json(data / "2wikimultihopqa/corpus.json", [{"title": "Rope", "text": "Rope is made of hemp."}])
    rows, report = run_all("chains", lab, 1, sets="2wiki-open", methods="rag,followed")
    assert [row["method"] for row in rows] == ["RAG top-5", "words, linked, what is missing looked up"]
    # Both gold pages are in the open collection, and few others.
    assert values(report.tables[0], "words, linked, what is missing looked up")["all"] == 100.0


def test_answers(lab: Lab) -> None:
    # Picking, the model prefers Voss (right) and Ole Brandt (wrong: Ada Berg was born first).
    rows, report = run_all("answers", lab, sets="hotpotqa", methods="rag,words,gold", lacking=True)
    table, tests = report.tables
    assert values(table, "RAG top-5")["EM"] == 50.0
    assert values(table, "scope words")["EM"] == 100.0  # the comparison is computed
    gold = values(table, "gold evidence")
    assert (gold["EM"], gold["supported"], gold["all gold"], gold["pieces"]) == (50.0, 100.0, 100.0, 2.0)
    assert values(table, "gold evidence, with what is computed")["EM"] == 100.0
    assert values(tests, "scope words against RAG top-5")["hotpotqa, difference"] == 50.0
    # Without the page of the builder, nothing can name Voss.
    assert "Voss" not in {row["answer"] for row in rows if row["lacking"]}


def test_missing_evidence_is_separated_by_what_the_models_state(lab: Lab) -> None:
    rows, _ = run_all("answers", lab, sets="hotpotqa", methods="gold", lacking=True)
    stated = {
        ("hotpotTern", False): 0.9,
        ("hotpotTern", True): 0.2,
        ("born", False): 0.6,
        ("born", True): 0.6,
    }
    marked = [{**row, "answerable": stated[row["question"], row["lacking"]]} for row in rows]
    settings = replace(lab.settings, options={"sets": "hotpotqa", "methods": "gold"})
    report = load_experiment("answers").report(marked, settings)
    # Of the four pairs, 0.9 is above both, 0.6 above 0.2, and 0.6 ties with 0.6.
    cells = dict(zip(report.tables[0].columns, report.tables[0].rows[0].cells, strict=True))
    assert cells["AUROC answerable"] == Cell(value=0.875, n=4)


def test_comparisons(lab: Lab) -> None:
    _, report = run_all("comparisons", lab, sets="hotpotqa")
    compared, others, tests = report.tables
    assert values(compared, "reader alone")["EM"] == 0.0
    assert values(compared, "decomposition") == {
        "EM": 100.0, "computed": 100.0, "EM of these": 100.0, "missing": 0.0, "calls": 0.0,
    }  # fmt: skip
    assert values(others, "decomposition") == {"computed": 0.0, "EM of these": None}
    assert values(tests, "decomposition against reader alone")["hotpotqa, difference"] == 100.0
    _, report = run_all("comparisons", lab, sets="hotpotqa", reader=False)
    assert values(report.tables[0], "reader alone")["EM"] == 0.0


def test_false_passages(lab: Lab) -> None:
    _, report = run_all("false-passages", lab)
    for table in report.tables:
        # 1901 against 1911: noticed by every method where both are there. Alone, neither is contradicted.
        both = values(table, "RGB, true and false")
        assert (both["contradicted"], both["true against false"], both["fooled"]) == (100.0, 100.0, 0.0)
        assert [values(table, f"RGB, {which}")["contradicted"] for which in ("true", "false")] == [0.0, 0.0]
        # The two false passages of PoisonedRAG agree with each other.
        assert values(table, "nq, false")["contradicted"] == 0.0
        assert values(table, "nq, false")["false one in chain"] == 100.0


@pytest.mark.parametrize("name", ["answers", "chains", "comparisons", "false-passages", "risk-coverage"])
def test_a_misspelt_option_is_refused(name: str, lab: Lab) -> None:
    with pytest.raises(InputError, match="has no option 'set'"):
        load_experiment(name).cases(replace(lab.settings, options={"set": "hotpotqa"}))


def test_a_switch_is_true_or_false(lab: Lab) -> None:
    with pytest.raises(InputError, match="lacking must be true or false, got 'perhaps'"):
        load_experiment("answers").cases(replace(lab.settings, options={"lacking": "perhaps"}))
