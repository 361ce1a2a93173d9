"""Every experiment of the McsE study on tiny data, with tables that were worked out by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from data_sets import write_json, write_lines

from probative import InputError
from probative.bench.data.sets import check_sets
from probative.bench.families.claims import covidet, hover
from probative.bench.registry import EXPERIMENTS, load_experiment
from probative.bench.report import Cell, Report, Table
from probative.bench.rows import Row
from probative.bench.study import Lab, Settings, Study


def run_all(name: str, lab: Lab, **options: Any) -> tuple[list[Row], Report]:
    experiment = load_experiment(name)
    settings = replace(lab.settings, options=options)
    own = replace(lab, settings=settings)
    rows = [{"key": case.key, **experiment.run(case, own)} for case in experiment.cases(settings)]
    rows = json.loads(json.dumps(rows, allow_nan=False))
    report = experiment.report(rows, settings)
    assert report.findings
    return rows, report


def values(table: Table, row: str) -> list[float | None]:
    cells = next(line.cells for line in table.rows if line.name == row)
    return [None if cell.value is None else round(cell.value, 1) for cell in cells if isinstance(cell, Cell)]


def published(table: Table, row: str) -> list[float | None]:
    cells = next(line.cells for line in table.rows if line.name == row)
    return [cell.published for cell in cells if isinstance(cell, Cell)]


def test_only_supported_claims_are_drawn_and_the_same_for_the_same_seed(data: Path) -> None:
    settings = Settings(data)
    assert sorted(claim.id for claim in hover(settings)) == ["four", "two-a", "two-b"]
    experiment: Study = load_experiment("mcse-main")
    keys = [case.key for case in experiment.cases(Settings(data, limit=2))]
    assert keys == [case.key for case in experiment.cases(Settings(data, limit=2))]
    assert [key.split("/")[0] for key in keys] == ["hover", "pubmedqa", "hover"]


def test_main_table(lab: Lab) -> None:
    # Without look-ahead. BM25 has no word in common with any sentence and takes the first ones.
    # McsE on two hops takes K1, K2, D, filler; on four hops the four gales, then the first sentence.
    _, report = run_all("mcse-main", lab, methods="BM25,McsE", lookahead="0")
    hover3, hover5, pubmed3, pubmed5, tests = report.tables
    assert (hover3.title, pubmed5.title) == ("HoVer, top 3", "PubMedQA, top 5")
    assert values(hover3, "BM25")[:3] == [44.4, 50.0, 47.1]  # 4 of 9 chosen, of 8 gold
    assert values(hover3, "McsE")[:3] == [77.8, 87.5, 82.4]  # 7 of 9, of 8
    assert values(hover5, "BM25")[:3] == [53.8, 87.5, 66.7]  # 7 of 13, of 8
    assert values(hover5, "McsE")[:3] == [61.5, 100.0, 76.2]  # 8 of 13, of 8
    assert published(hover3, "McsE") == [64.7, 59.2, 61.8, None]
    # The judge names sentences 2 and 3 of the abstract, K1 and K2; McsE and BM25 take all three.
    assert values(pubmed3, "McsE")[:3] == [66.7, 100.0, 80.0]
    # F1 of a claim, top 3: McsE 0.8, 0.8 and 6/7, BM25 0.4, 0.4 and 4/7; three differences of one sign,
    # p = 2 × 1/8.
    assert [row.name for row in tests.rows] == ["McsE against BM25"]
    assert tests.columns[:2] == ("HoVer, top 3, difference", "HoVer, top 3, p")
    assert values(tests, "McsE against BM25")[0] == 36.2
    assert tests.rows[0].cells[1] == "0.250"
    (plot,) = report.plots
    assert plot.ticks == ("BM25", "McsE")
    assert [series.label for series in plot.series] == [
        "HoVer, top 3",
        "HoVer, top 3 (published)",
        "PubMedQA, top 3",
        "PubMedQA, top 3 (published)",
    ]
    assert plot.series[1].points[1] == (1.0, 61.8)
    assert "PubMedQA: the gold sentences of 1 claim are those that judge named" in " ".join(report.findings)
    assert "HoVer, top 3: McsE has the highest F1 (82.4, n = 3); the next has 47.1." in report.findings


def test_gold_comes_from_a_file_or_the_claims_are_left_out_with_a_word(lab: Lab, tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    write_lines(file, [{"id": "11", "indexes": [0]}])
    _, report = run_all("mcse-main", lab, methods="BM25", gold=str(file))
    assert values(report.tables[2], "BM25")[:3] == [33.3, 100.0, 50.0]
    _, report = run_all("mcse-main", replace(lab, judge=None), methods="BM25")
    assert len(report.tables) == 2
    assert "PubMedQA: no gold sentences for 1 claim, in no figure" in " ".join(report.findings)
    with pytest.raises(InputError, match="there is no file"):
        run_all("mcse-main", lab, methods="BM25", gold=str(tmp_path / "missing.jsonl"))


def test_strength_follows_the_gold_sentences_in_the_context(lab: Lab) -> None:
    _, report = run_all("mcse-strength", lab)
    table, order = report.tables
    assert [row.name for row in table.rows] == [
        "not related",
        "not relevant",
        "sufficient",
        "without 1 sentence",
        "without 2 sentences",
        "without 3 sentences",
        "without 4 sentences",
        "with not related",
        "with not relevant",
    ]
    assert [values(table, row.name)[:2] for row in table.rows] == [
        [-8.0, -8.0],
        [-8.0, -8.0],
        [-6.0, -4.0],
        [-6.5, -5.0],
        [-7.0, -6.0],
        [-7.5, -7.0],
        [-8.0, -8.0],
        [-6.0, -4.0],
        [-6.0, -4.0],
    ]
    assert values(table, "without 4 sentences")[2] is None  # nothing to embed
    assert published(table, "sufficient") == [-3.23, -2.95, 85.45]
    assert values(order, "sufficient above without 1 sentence")[:2] == [100.0, 100.0]


def test_hops(lab: Lab) -> None:
    # FEVER-1 has gold K1, which McsE takes first and BM25 second; no claim has three hops.
    rows, report = run_all("mcse-hops", lab, methods="BM25,McsE", lookahead=0)
    table, tests = report.tables
    assert table.columns[:2] == ("FEVER-1 F1", "FEVER-1 EM")
    assert values(table, "McsE") == [100.0, 100.0, 100.0, 100.0, None, None, 100.0, 100.0]
    # BM25 takes filler and K1 of two hops, and two gales among the first four sentences of four hops.
    assert values(table, "BM25") == [0.0, 0.0, 50.0, 0.0, None, None, 50.0, 0.0]
    assert published(table, "BM25") == [51.0, 51.0, 68.5, 47.5, 59.3, 17.0, 59.0, 10.0]
    assert {row["kind"] for row in rows} == {"FEVER-1", "HoVer-2", "HoVer-4"}
    assert values(tests, "McsE against BM25") == [100.0, 50.0, 50.0]  # no column without a claim
    assert tests.rows[0].cells[1::2] == ("1.000", "0.500", "1.000")  # one, two and one claim


def test_chain_of_thought_is_judged_by_both_judges(lab: Lab) -> None:
    # The model writes "[2] [4]" as its steps, which entails nothing by the verdict model; the judge says yes
    # to every evidence without the decoy. McsE without look-ahead finds the gold sentences.
    _, report = run_all("mcse-cot", lab, lookahead=0)
    table, tests = report.tables
    assert values(table, "chain of thought") == [0.0, 100.0]
    assert values(table, "McsE") == [100.0, 100.0]
    assert published(table, "McsE") == [57.0, 82.0]
    cells = [cell for row in table.rows for cell in row.cells[:1] if isinstance(cell, Cell)]
    assert len(cells) == 3
    assert not any(cell.comparable for cell in cells)  # the paper's first judge is another model, TRUE
    assert "not comparable" in table.note
    # The verdict model: three claims of three only by McsE, p = 2 × 1/8; the judge says yes to both.
    assert tests.rows[0].cells[1::2] == ("0.250", "1.000")
    _, report = run_all("mcse-cot", replace(lab, judge=None), lookahead=0)
    assert values(report.tables[0], "McsE") == [100.0, None]
    assert "There is no judge model: only the verdict model judged." in report.findings


def test_a_judge_that_says_neither_yes_nor_no_is_counted(lab: Lab) -> None:
    # Without the grounding prompt McsE chooses the decoy first on two hops: the judge says "Perhaps".
    _, report = run_all("mcse-cot", lab, lookahead=0, grounded=False)
    assert values(report.tables[0], "McsE") == [33.3, 33.3]
    assert "2 of 9 replies of the judge were neither yes nor no: counted as wrong" in report.findings


def test_ablation_with_the_paper_s_look_ahead(lab: Lab) -> None:
    # Two hops: all six orders of the other three sentences are in the pool of ten. f of the first step is
    # K1 -35.7, K2 -39.0, D -39.6, filler -45.5; of the second K2 -36.8, D -39.2. Without the collaborative
    # part the second step has filler -22.5, K2 -22.8, D -23.2. With the plain prompt the decoy comes first,
    # then the filler, the first of three alike.
    rows, report = run_all("mcse-ablation", lab)
    table, tests = report.tables
    two_hops = {row.name: values(table, row.name)[2:4] for row in table.rows}
    assert two_hops == {
        "McsE": [100.0, 100.0],
        "without according to": [0.0, 0.0],
        "without collaborative": [50.0, 0.0],
        "without independent": [100.0, 100.0],
        "without h": [100.0, 100.0],
        "without policy": [100.0, 100.0],
    }
    assert published(table, "without h")[2:4] == [74.5, 52.0]
    assert values(tests, "without collaborative against McsE")[1] == -50.0
    chosen = next(row["chosen"] for row in rows if row["id"] == "two-a")
    assert (chosen["McsE"], chosen["without collaborative"]) == ([1, 3], [1, 0])


def test_search_size_has_a_table_for_each_letter(lab: Lab) -> None:
    _, report = run_all("mcse-search-size", lab, pools="1,10", steps="0,4")
    pools, steps, tests = report.tables
    assert [row.name for row in pools.rows] == ["N = 1", "N = 10"]
    assert values(steps, "K = 4")[:2] == [100.0, 100.0]
    assert [row.name for row in tests.rows] == ["N = 1 against N = 10", "K = 0 against K = 4"]
    assert published(steps, "K = 0")[:2] == [74.5, 52.0]
    # A look-ahead makes more calls than none.
    assert (values(steps, "K = 4")[-1] or 0) > (values(steps, "K = 0")[-1] or 0)
    assert [series.name for series in report.plots[1].series][:2] == ["HoVer-2", "HoVer-2"]


def test_base_models_study_the_judge_too_if_it_can_score(lab: Lab) -> None:
    _, report = run_all("mcse-models", lab, lookahead=0)
    assert values(report.tables[0], "scripted") == [77.8, 87.5, 82.4, 61.5, 100.0, 76.2]
    assert report.findings[0] == "McsE with scripted has an F1 of 82.4 (top 3) and 76.2 (top 5); n = 3."
    assert "The judge model was left out" in report.findings[1]
    _, report = run_all("mcse-models", replace(lab, judge=None), lookahead=0)
    assert len(report.findings) == 1


def test_multirc_has_all_claims_and_those_that_are_true(lab: Lab) -> None:
    # Two claims with gold K1 and K2, one of them false; McsE takes K1, then K2.
    _, report = run_all("mcse-multirc", lab, methods="BM25,McsE", lookahead=0)
    whole, true, tests = report.tables
    assert values(whole, "McsE") == [100.0, 50.0, 66.7, 100.0, 100.0, 100.0]
    assert values(whole, "BM25") == [0.0, 0.0, 0.0, 50.0, 50.0, 50.0]
    assert published(whole, "McsE") == [76.6, 32.9, 45.9, 67.0, 57.6, 61.9]
    assert values(tests, "McsE against BM25") == [66.7, 50.0]
    assert published(whole, "Pipeline S (published only)")[:3] == [66.7, 30.2, 41.6]
    (plot,) = report.plots  # lines with published figures alone are left out
    assert plot.ticks == ("BM25", "McsE")
    assert plot.series[0].points[0] == (0.0, 0.0)
    assert plot.series[1].points == ((0.0, 42.5), (1.0, 45.9))
    assert next(cell.n for cell in true.rows[0].cells if isinstance(cell, Cell)) == 1


def test_annotation_is_measured_where_gold_is_known(lab: Lab) -> None:
    # The judge names sentences 2 and 3: K1 and D of two hops, two gales of four hops.
    _, report = run_all("mcse-annotation", lab)
    (table,) = report.tables
    assert values(table, "HoVer") == [66.7, 50.0, 57.1, 0.0]  # 4 of 6 named, of 8 gold
    counted = {row.name: row.cells[4:] for row in table.rows}
    assert counted["HoVer"][0] == "2.0"
    assert counted["PubMedQA"] == ("2.0", "3.0", "0 of 1", "0 of 1")


def test_covidet_is_read_if_it_is_there(data: Path) -> None:
    assert covidet(Settings(data)) == []
    assert load_experiment("mcse-main").data_of(Settings(data)) == ("hover", "pubmedqa")
    notes = {
        "worker": [{"Emotion": "fear", "Abstractive": ""}, {"Emotion": "joy", "Abstractive": "It ended."}]
    }
    post = {"Reddit Post": "The boat left. It came back.", "Annotations": notes}
    write_json(data / "covidet/test_anonymized-WITH_POSTS.json", {"p1": post})
    (claim,) = covidet(Settings(data))
    assert (claim.text, claim.sentences) == ("It ended.", ("The boat left.", "It came back."))
    assert load_experiment("mcse-main").data_of(Settings(data)) == ("hover", "pubmedqa", "covidet")
    assert len(check_sets(data, ["covidet"])) == 1


def test_errors_and_failures_are_counted(lab: Lab) -> None:
    rows, _ = run_all("mcse-hops", lab, methods="BM25")
    rows[0]["failed"] = {"BM25": "OutputError: nothing"}
    rows.append({"key": "x", "error": "the server is gone\n  → wait"})
    report = load_experiment("mcse-hops").report(rows, lab.settings)
    assert report.findings[-2:] == (
        "1 of 5 claims ended with an error, and are in no figure.",
        "BM25 gave no usable output for 1 of 4 claims: counted as missed.",
    )


def test_an_unknown_method_is_refused_before_anything_runs(lab: Lab) -> None:
    with pytest.raises(InputError, match="there is no method 'BM26'"):
        load_experiment("mcse-hops").cases(replace(lab.settings, options={"methods": "BM26"}))


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS.names() if name.startswith("mcse-")])
def test_a_misspelt_option_or_a_wrong_value_is_refused(name: str, lab: Lab) -> None:
    experiment = load_experiment(name)
    with pytest.raises(InputError, match="has no option 'max_candidate'"):
        experiment.cases(replace(lab.settings, options={"max_candidate": 5}))
    with pytest.raises(InputError, match="lookahead"):
        experiment.cases(replace(lab.settings, options={"lookahead": -1}))
