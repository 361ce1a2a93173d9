"""The studies of Chain of Evidence on a small world, whose tables were worked out by hand.

The studied model answers only with the linking sentence, which SenP removes and WordP generalises, and only
in a context of at most 390 characters: Lark's evidence has 104, so 416 with 75% of other text; Heron's has
88, so 352.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from coe_world import GREBE, LARK, judge, open_lab, run_all, shown, studied, write_world

from probative.bench.registry import load_experiment
from probative.bench.run import run_experiment
from probative.bench.studies.coe import (
    CoeAblation,
    CoeExtraction,
    CoeFaithfulness,
    CoeHops,
    CoeNoise,
    CoeRobustness,
    CoeSamples,
    CoeSingleHop,
)
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.errors import InputError
from probative.settings import load_settings
from probative.testing import ScriptedModel

NO_EVIDENCE = [0.0, 0.0, 0.0, 0.0]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_world(tmp_path / "data")


def column(table: dict[str, list[float | str | None]], index: int) -> list[float | str | None]:
    return [cells[index] for cells in table.values()]


def test_samples_are_the_candidates_whose_evidence_carries_every_feature(data: Path) -> None:
    rows, report = run_all(CoeSamples(), open_lab(data))
    hotpot = shown(report, "HotpotQA: samples of 2 candidates")
    # Of Lark and Grebe one is a CoE; SenP keeps one sentence of two, WordP both.
    assert hotpot["CoE"] == ["1", 50.0, 2.0, "-"]
    assert hotpot["SenP"] == ["1", 50.0, 1.0, "0"]
    assert hotpot["WordP"] == ["1", 50.0, 2.0, "0"]
    (grebe,) = [row for row in rows if row["question"] == GREBE]
    assert grebe["missing"] == ["node: painter", "relation: painter finished Grebe"]
    assert "1 candidate left out: not a CoE." in report.findings
    assert report.findings[0] == (
        "HotpotQA: the gold evidence of 50.0% of 2 candidates is a chain of evidence; of these, "
        "SenP can be built for 1 and WordP can be built for 1."
    )


def test_noise_lowers_accuracy_only_where_the_context_grows_too_long(data: Path) -> None:
    rows, report = run_all(CoeNoise(), open_lab(data))
    hotpot = shown(report, "HotpotQA, effectiveness, judged")
    wiki = shown(report, "2WikiMultihopQA, effectiveness, judged")
    assert column(hotpot, 0) == [100.0, 100.0, 100.0, 0.0]
    assert column(wiki, 0) == [100.0, 100.0, 100.0, 100.0]
    for table in (hotpot, wiki):
        assert column(table, 1) == column(table, 2) == NO_EVIDENCE
    (lark,) = [row for row in rows if row["question"] == LARK]
    assert len(lark["trials"]) == 3 * 4 * 3  # contexts, shares, repeats
    actual = {trial["share"]: trial["actual_share"] for trial in lark["trials"] if trial["context"] == "CoE"}
    assert all(abs(share - value) < 0.05 for share, value in actual.items())


def test_published_figures_stand_beside_ours(data: Path) -> None:
    _, report = run_all(CoeNoise(), open_lab(data, options={"published": "GPT-4"}))
    cell = report.tables[0].rows[3].cells[1]
    assert not isinstance(cell, str)
    assert cell.published == 80.1  # table 2: GPT-4, HotpotQA, SenP, 0.75
    with pytest.raises(InputError, match="the paper has no model 'GPT-9'"):
        run_all(CoeNoise(), open_lab(data, options={"published": "GPT-9"}))


def test_without_a_judge_rules_build_the_samples_and_exact_match_counts(data: Path) -> None:
    rows, report = run_all(CoeNoise(), open_lab(data, judged=False))
    assert [table.title for table in report.tables[:2]] == [
        "HotpotQA, effectiveness, exact match",
        "HotpotQA, effectiveness, F1",
    ]
    assert any("Samples were built by rules" in finding for finding in report.findings)
    assert all(row["judge"] is None for row in rows)


def test_the_following_rate_counts_answers_that_agree_with_the_wrong_evidence(data: Path) -> None:
    rows, report = run_all(CoeFaithfulness(), open_lab(data))
    hotpot = shown(report, "HotpotQA, faithfulness, judged")
    assert column(hotpot, 0) == [100.0, 100.0, 100.0, 0.0]
    assert column(hotpot, 1) == column(hotpot, 2) == NO_EVIDENCE
    (lark,) = [row for row in rows if row["question"] == LARK]
    assert lark["wrong"] == "Bergen"
    assert {trial["answer"] for trial in lark["trials"]} == {"Bergen", "no idea"}


def test_misinformation_wins_where_it_is_named_more_often(data: Path) -> None:
    rows, report = run_all(CoeRobustness(), open_lab(data))
    # 0.25: 35 characters, cut before "Bergen"; 0.5: "Bergen" three times; 0.75: too long.
    assert column(shown(report, "HotpotQA, robustness, judged"), 0) == [100.0, 100.0, 0.0, 0.0]
    (lark,) = [row for row in rows if row["question"] == LARK]
    assert lark["misinformation"]["replacement"] == ["Ole Brandt had his home in the town of Bergen."]
    assert lark["misinformation"]["generation"][0] == "It was Bergen, record 1 says."
    mixed = lark["misinformation"]["mixed"]
    assert len(set(mixed)) == len(mixed)
    longest = max(sum(map(len, pieces)) for pieces in lark["contexts"].values())
    assert sum(map(len, mixed)) >= 3 * longest  # 75% of all characters, and no sentence twice


def test_a_sample_with_too_few_different_wrong_sentences_is_left_out(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("probative.bench.families.coe.builder.ROUNDS", 2)
    _, report = run_all(CoeRobustness(), open_lab(data))
    assert "2 candidates left out: too little misinformation by mixed." in report.findings


def test_misinformation_by_replacement_and_by_generation_have_their_own_tables(data: Path) -> None:
    _, report = run_all(CoeRobustness(), open_lab(data, options={"misinformation": "all"}))
    # By generation at 0.25: "It was Bergen, record 1 says." is one mention, a tie; at 0.5 there are three.
    assert column(shown(report, "HotpotQA, robustness by generation, judged"), 0) == [100.0, 100.0, 0.0, 0.0]
    # By replacement at 0.5: two whole sentences with "Bergen".
    assert column(shown(report, "HotpotQA, robustness by replacement, judged"), 0) == [100.0, 100.0, 0.0, 0.0]
    with pytest.raises(InputError, match="there is no misinformation 'rumour'"):
        run_all(CoeRobustness(), open_lab(data, options={"misinformation": "rumour"}))


def test_the_ablation_removes_one_feature_and_keeps_the_others(data: Path) -> None:
    rows, report = run_all(CoeAblation(), open_lab(data))
    (lark,) = [row for row in rows if row["question"] == LARK]
    assert lark["contexts"]["ERP"][0] == "The builder who saw the ferry Sea Lark was Ole Brandt."
    assert lark["contexts"]["IntentP"][1] == "Ole Brandt had his saw in the town of Molde."
    # Without the relation the model cannot link; without the intent it answers as before.
    effect = shown(report, "HotpotQA, effectiveness, judged")
    assert column(effect, 0) == column(effect, 3) == [100.0, 100.0, 100.0, 0.0]
    assert column(effect, 1) == column(effect, 2) == NO_EVIDENCE
    assert column(shown(report, "HotpotQA, faithfulness, judged"), 3) == [100.0, 100.0, 100.0, 0.0]
    assert column(shown(report, "HotpotQA, robustness, judged"), 3) == [100.0, 100.0, 0.0, 0.0]


def test_a_question_of_one_hop_goes_through_all_three_studies(data: Path) -> None:
    _, report = run_all(CoeSingleHop(), open_lab(data))
    assert column(shown(report, "RGB, effectiveness, judged"), 0) == [100.0, 100.0, 100.0, 0.0]
    assert column(shown(report, "RGB, faithfulness, judged"), 0) == [100.0, 100.0, 100.0, 0.0]
    assert column(shown(report, "RGB, robustness, judged"), 0) == [100.0, 100.0, 0.0, 0.0]


def test_accuracy_is_split_by_hops(data: Path) -> None:
    _, report = run_all(CoeHops(), open_lab(data))
    table = shown(report, "Accuracy by hops, judged")
    assert column(table, 0) == [100.0, 100.0, 100.0, 0.0]  # Lark of RGB
    assert column(table, 1) == [100.0, 100.0, 100.0, 50.0]  # Lark of HotpotQA, and Heron
    assert column(table, 2) == [None, None, None, None]


def test_a_missing_node_makes_more_candidates_a_chain_and_an_extra_one_no_fewer_here(data: Path) -> None:
    # With seed 1 the painter is dropped, which Grebe's evidence lacks; "home" and "town" are in both texts.
    rows, report = run_all(CoeExtraction(), open_lab(data))
    assert {row["question"]: row["identified"] for row in rows} == {
        LARK: ["as extracted", "missing node", "extra node"],
        GREBE: ["missing node"],
    }
    identified = shown(report, "Candidates taken for a chain of evidence, percent")
    assert identified["identified"] == [50.0, 100.0, 50.0]
    # Lark is right up to 0.5; nothing in Grebe's evidence links, so it is always wrong.
    table = shown(report, "Accuracy by kind of error, judged")
    assert column(table, 0) == [100.0, 100.0, 100.0, 0.0]
    assert column(table, 1) == [50.0, 50.0, 50.0, 0.0]


def test_the_same_seed_gives_the_same_rows_and_a_limit_takes_from_every_set(data: Path) -> None:
    first, _ = run_all(CoeNoise(), open_lab(data))
    second, _ = run_all(CoeNoise(), open_lab(data))
    assert first == second
    cases = CoeNoise().cases(open_lab(data, limit=2).settings)
    assert {case.content.set for case in cases} == {"hotpotqa", "2wikimultihopqa"}


def test_a_wrong_option_is_refused_before_anything_is_asked(data: Path) -> None:
    for options, message in (
        ({"noise": 1}, "the experiment coe-noise has no option 'noise'"),
        ({"form": "graph"}, "form must be one of triples, described"),
    ):
        with pytest.raises(InputError, match=message):
            CoeNoise().cases(open_lab(data, options=options).settings)


def test_a_run_through_the_harness_keeps_its_rows_and_reports(data: Path, tmp_path: Path) -> None:
    models = Models(
        load_settings(),
        ScriptedModel(generate=studied, name="studied", fingerprint="studied"),
        ScriptedModel(generate=judge, name="judge", fingerprint="judge"),
    )
    settings = Settings(data=data, repeats=1)
    report = run_experiment(CoeNoise(), settings, tmp_path / "run", models).report
    assert column(shown(report, "HotpotQA, effectiveness, judged"), 0) == [100.0, 100.0, 100.0, 0.0]
    again = run_experiment(CoeNoise(), settings, tmp_path / "run", models).report
    assert again == report


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("coe-samples", "table 1"),
        ("coe-noise", "table 2"),
        ("coe-faithfulness", "table 3"),
        ("coe-robustness", "table 4"),
        ("coe-usability", "table 5"),
        ("coe-ablation", "table 6"),
        ("coe-single-hop", "table 7"),
        ("coe-hops", "table 8"),
        ("coe-extraction", "table 9"),
    ],
)
def test_every_table_has_its_experiment(name: str, table: str) -> None:
    experiment = load_experiment(name)
    assert (experiment.name, experiment.paper_reference) == (name, table)
    assert experiment.needs_judge == (name == "coe-ablation")
