"""Bundles of our own documents: what is wrong with one is named, and good ones are packed by their parts."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from probative.text.plan import Plan
from training.large import documents
from training.large.bundles import bundle_rows, header, measured_of, task_rows
from training.large.documents import agrees, as_written, faults, overlaps, pack, read_documents

FILLER = " ".join(f"word{number}" for number in range(90))


def bundle() -> dict[str, Any]:
    """Return a small bundle in which everything is right."""
    texts = {
        "a": "Alden Ropes Ltd (the Supplier) sells rope. The Supplier charges €5 a metre.",
        "b": "From 1 May the Supplier charges €6 a metre.",
        "c": "The yard needs 20 metres.",
        "d": "The yard may build a second slip.",
    }
    rope, order = {"doc": "b", "text": texts["b"]}, {"doc": "c", "text": texts["c"]}
    plan = [
        {"do": "look_up", "ask": "What does a metre cost?", "of": "a metre", "value": "€6"},
        {"do": "look_up", "ask": "How many metres are needed?", "of": "the yard", "value": "20"},
        {"do": "product", "steps": [1, 2]},
    ]
    cost = {"q": "What does the rope cost?", "kind": "compute", "answer": "€120", "accept": ["€120", "120"]}
    return {
        "bundle": "t90-01",
        "domain": "rope",
        "documents": [
            {"id": name, "genre": "note", "title": f"Note {name}", "date": None, "text": f"{text} {FILLER}"}
            for name, text in texts.items()
        ],
        "questions": [
            {**cost, "sentences": [rope, order], "plan": plan},
            {"q": "Who sells?", "kind": "single", "answer": "Alden", "accept": ["Alden"],
             "sentences": [{"doc": "a", "text": "Alden Ropes Ltd (the Supplier) sells rope."}]},
        ],
        "claims": [
            {"claim": "The yard needs rope.", "kind": "true_paraphrase", "label": "supported",
             "sentences": [order]},
            {"claim": "The yard has two slips.", "kind": "not_stated_hedged", "label": "insufficient",
             "sentences": []},
        ],
        "follow_ups": [
            {"before": [{"q": "Who sells rope?", "a": "Alden"}], "follow_up": "And to whom?",
             "alone": "To whom does Alden sell rope?"}
        ],
        "in_force": [
            {"about": "the price", "valid": "second", "second": rope,
             "first": {"doc": "a", "text": "The Supplier charges €5 a metre."}}
        ],
    }  # fmt: skip


def test_a_right_bundle_has_no_faults() -> None:
    assert list(faults(bundle())) == []


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("questions", 0, "accept"), ["€140"], "the plan gives '120 EUR'"),
        (("questions", 0, "plan"), [], "plan: "),
        (("questions", 1, "accept"), ["Borg"], "no accepted answer in its sentences"),
        (("questions", 1, "kind"), "hedged", "the answer to a hedged question"),
        (("claims", 0, "label"), "insufficient", "true_paraphrase is not insufficient"),
        (("claims", 0, "sentences"), [], "no sentence decides"),
        (("in_force", 0, "valid"), "third", "in_force third"),
        (("claims", 0, "sentences", 0, "text"), "The yard needs 21 metres.", "not in document c"),
        (("documents", 3, "text"), "Too short.", "document d has 2 words"),
    ],
)
def test_each_fault_is_named(path: tuple[Any, ...], value: Any, fault: str) -> None:
    wrong = copy.deepcopy(bundle())
    place: Any = wrong
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert any(fault in found for found in faults(wrong))


def test_bundles_are_packed_once_and_by_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "FOLDER", tmp_path / "written")
    files = []
    for name in ("t90-01", "a90-01", "u90-01"):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps({**bundle(), "bundle": name}))
        files.append(file)
    broken = tmp_path / "t90-02.json"
    broken.write_text("{")
    first = pack([*files, broken])
    before = (tmp_path / "written" / "train.jsonl.gz").read_bytes()
    again = pack(files)
    assert first["counts"] == again["counts"]
    assert [error[:10] for error in first["errors"]] == ["t90-02.jso"]
    assert (tmp_path / "written" / "train.jsonl.gz").read_bytes() == before
    assert [entry["bundle"] for entry in read_documents("report_a")] == ["a90-01"]
    assert first["counts"]["tune, items"] == 4


def test_rows_of_all_tasks_come_from_a_bundle() -> None:
    rows = {row.task: row for row in task_rows(bundle(), "bundle", random.Random(1))}
    assert rows["plan"].reply.startswith('[{"do": "look_up"')
    assert rows["alone"].reply == "To whom does Alden sell rope?"
    right = rows["in_force"].lines[int(rows["in_force"].reply) - 1]
    assert "€6" in right.text
    assert {row.source for row in measured_of(bundle(), "tune")} >= {"tune_claims", "tune_questions"}


def test_a_part_of_a_document_has_the_definitions_that_it_needs() -> None:
    document = bundle()["documents"][0]
    assert header(document) == "Note a"
    assert header(document, "The Supplier charges.") == "Note a · the Supplier = Alden Ropes Ltd"


def test_documents_of_our_own_are_trained_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "FOLDER", tmp_path / "written")
    file = tmp_path / "t90-01.json"
    file.write_text(json.dumps(bundle()))
    pack([file])
    rows = list(bundle_rows(tmp_path, random.Random(1)))
    assert {row.task for row in rows} == {"verdict", "answer", "plan", "alone", "in_force"}


def test_the_same_text_in_two_bundles_is_seen() -> None:
    other = {**copy.deepcopy(bundle()), "bundle": "t90-02"}
    assert max(overlaps([bundle(), other])) == 1.0
    assert max(overlaps([bundle()])) == 0.0


def test_an_answer_in_other_words_agrees() -> None:
    assert agrees("1,200 kg", ["1.2 t", "1,200 kilograms"])
    assert not agrees("yes", ["no"])


def test_a_plan_is_read_back_as_it_is_written() -> None:
    steps = [
        {"do": "look_up", "ask": "Who?", "of": "Aa"},
        {"do": "given", "value": "2"},
        {"do": "sum", "steps": [1, 2]},
    ]
    plan = Plan.read(json.dumps(steps))
    assert Plan.read(f"Here it is: {as_written(plan)}.") == plan
