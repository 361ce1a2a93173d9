from __future__ import annotations

import json
from pathlib import Path

import pytest

from probative.bench.data.graph_qa import Case, drawn, open_graph, read_all_cases, read_cases


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_pubmedqa_evaluates_its_test_part_and_gives_no_abstract(tmp_path: Path) -> None:
    rows = {
        "11": {"QUESTION": "Does tar  float?", "CONTEXTS": ["Tar floats."], "final_decision": "yes"},
        "12": {"QUESTION": "Does rope rot?", "CONTEXTS": [], "final_decision": "maybe"},
    }
    write(tmp_path / "pubmedqa/ori_pqal.json", json.dumps(rows))
    write(tmp_path / "pubmedqa/test_ground_truth.json", json.dumps({"11": "yes"}))
    assert read_cases(tmp_path, "pubmedqa") == [Case("11", "Does tar float?", None, "yes-no", "yes", False)]
    assert [case.gold for case in read_cases(tmp_path, "pubmedqa", tuning=True)] == ["maybe"]
    assert read_all_cases(tmp_path, "pubmedqa") == read_cases(tmp_path, "pubmedqa")


def test_bioasq_gives_yes_no_questions_once_each(tmp_path: Path) -> None:
    questions = [
        {"id": str(n), "type": "yesno", "body": f"Is {n} odd?", "exact_answer": "Yes"} for n in range(40)
    ]
    other = {"id": "x", "type": "factoid", "body": "What is odd?", "exact_answer": [["one"]]}
    write(tmp_path / "bioasq/Task7B/7B1_golden.json", json.dumps({"questions": [*questions, other]}))
    again = {"id": "y", "type": "yesno", "body": "Is 3 odd?", "exact_answer": "yes"}
    write(tmp_path / "bioasq/Task8B/8B1_golden.json", json.dumps({"questions": [again]}))
    cases, seen = read_cases(tmp_path, "bioasq"), read_cases(tmp_path, "bioasq", tuning=True)
    assert {case.id for case in [*cases, *seen]} == {str(n) for n in range(40)}
    assert {case.gold for case in cases} == {"yes"}
    assert not {case.question for case in cases} & {case.question for case in seen}
    assert 20 <= len(cases) < 40
    assert [case.tuning for case in read_all_cases(tmp_path, "bioasq")].count(True) == 40 - len(cases)


def test_of_bioasq_the_papers_tasks_count_where_they_are_there(tmp_path: Path) -> None:
    for name in ("Task2B/2B1_golden", "phaseB_3b_01", "BioASQ-training4b/trainset", "Task7B/7B1_golden"):
        row = {"id": name, "type": "yesno", "body": f"Is {name} odd?", "exact_answer": "Yes."}
        write(tmp_path / f"bioasq/{name}.json", json.dumps({"questions": [row]}))
    assert {case.id for case in read_cases(tmp_path, "bioasq")} == {"Task2B/2B1_golden", "phaseB_3b_01"}
    assert {case.gold for case in read_cases(tmp_path, "bioasq")} == {"yes"}
    assert read_cases(tmp_path, "bioasq", tuning=True) == []  # nothing was tuned on these


def test_processbank_keeps_the_questions_of_a_paragraph_together(tmp_path: Path) -> None:
    for number in range(30):
        questions = "".join(
            f"<question><qid>{number}</qid><q>What does {number} do?</q><a0>\n salt {ask}\n</a0><a1>ice</a1>"
            f"<correct>{ask}</correct></question>"
            for ask in (0, 1)
        )
        text = f"<annotation><text>About {number}.</text><questions>{questions}</questions></annotation>"
        write(tmp_path / "processbank/qa" / str(number), text)
    cases, seen = read_cases(tmp_path, "processbank"), read_cases(tmp_path, "processbank", tuning=True)
    assert len(cases) + len(seen) == 60
    assert not {case.id.split(":")[0] for case in cases} & {case.id.split(":")[0] for case in seen}
    assert {(case.choices, case.gold) for case in cases} == {
        (("salt 0", "ice"), "salt 0"),
        (("salt 1", "ice"), "ice"),
    }


def test_csqa_offers_a_choice_once_and_knows_the_right_one(tmp_path: Path) -> None:
    offered = [
        {"label": label, "text": text} for label, text in zip("ABC", ("pier", "Quay", "quay"), strict=True)
    ]
    rows = [
        {
            "id": str(n),
            "answerKey": "C",
            "question": {"stem": f"Where does ship {n} lie?", "choices": offered},
        }
        for n in range(30)
    ]
    write(tmp_path / "commonsenseqa/dev_rand_split.jsonl", "\n".join(map(json.dumps, rows)))
    cases = read_cases(tmp_path, "csqa")
    assert {(case.choices, case.gold, case.form) for case in cases} == {(("pier", "Quay"), "Quay", "choice")}
    assert 0 < len(read_cases(tmp_path, "csqa", tuning=True)) < len(cases)


def test_the_same_questions_are_drawn_whatever_the_order_of_the_rows() -> None:
    cases = [Case(str(n), f"Is {n} odd?", None, "yes-no", "no", False) for n in range(20)]
    assert drawn(cases, 5) == drawn(cases[::-1], 5)
    assert drawn(cases, 5) != drawn(cases, 5, seed=1)
    assert len({case.id for case in drawn(cases, 50)}) == 20


@pytest.mark.parametrize(
    ("name", "triples"),
    [
        ("umls", {("sea bird", "is a", "bird"), ("bird", "part of", "food web")}),
        ("conceptnet", {("gull", "at location", "pier"), ("gull", "is a", "bird")}),
    ],
)
def test_graphs_have_names_for_people(tmp_path: Path, name: str, triples: set[tuple[str, str, str]]) -> None:
    write(tmp_path / "umls/train.tsv", "sea_bird\tisa\tbird\n")
    write(tmp_path / "umls/test.tsv", "bird\tpart_of\tfood_web\n")
    write(tmp_path / "umls/entity2text.txt", "sea_bird\tsea bird\nbird\tbird\nfood_web\tfood web\n")
    write(tmp_path / "umls/relation2text.txt", "isa\tis a\npart_of\tpart of")
    write(tmp_path / "conceptnet100k/train.txt", "AtLocation\tgull\tpier\nIsA\tgull\tbird\n")
    graph = open_graph(tmp_path, name)
    rows = [row for entity in range(graph.entity_count) for row in graph.out_edges(entity)]
    found = [graph.triple(row) for row in rows]
    assert {(one.head, one.relation, one.tail) for one in found} == triples
