"""What is read from the data sets."""

from __future__ import annotations

import json
from pathlib import Path

from probative.bench.data.splits import MULTIHOP_REPORTED
from training.policy.sources import SOURCES, read_all
from training.policy.sources.questions import sentence_spans


def test_rows_on_which_figures_are_reported_are_never_read(tmp_path: Path) -> None:
    (tmp_path / "hotpotqa").mkdir()
    (tmp_path / "training").mkdir()

    def row(number: int) -> dict[str, object]:
        return {
            "_id": str(number),
            "question": f"Who built boat {number}?",
            "answer": "Ada",
            "supporting_facts": [["Boat", 0]],
            "context": [["Boat", ["Ada built it.", " It is red."]]],
        }

    rows = [row(number) for number in range(MULTIHOP_REPORTED.stop + 2)]
    dev = tmp_path / "hotpotqa/hotpot_dev_distractor_sample.json"
    dev.write_text(json.dumps(rows), encoding="utf-8")
    # The first is reported on: it must not come in by another file.
    more = [row(MULTIHOP_REPORTED.start), row(900)]
    (tmp_path / "training/hotpotqa_more.jsonl").write_text("\n".join(map(json.dumps, more)), encoding="utf-8")
    (tmp_path / "training/hotpotqa_paragraph_gold.jsonl").write_text("", encoding="utf-8")
    evidence = read_all(tmp_path, ["hotpotqa"])
    assert {row.id for row in evidence} == {str(number) for number in range(MULTIHOP_REPORTED.stop + 2)} - {
        str(number) for number in range(MULTIHOP_REPORTED.start, MULTIHOP_REPORTED.stop)
    } | {"900"}
    assert evidence[0].sentences == ("Boat: Ada built it.", "Boat: It is red.")
    assert evidence[0].gold == {0}
    assert {"wice", "hover"}.isdisjoint(SOURCES)


def test_sentences_keep_their_places() -> None:
    text = 'He said "no." Then he left in 1890. It rained.'
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        'He said "no.',
        "Then he left in 1890.",
        "It rained.",
    ]


def test_claims_are_made_of_questions_and_go_where_those_go(tmp_path: Path) -> None:
    (tmp_path / "hotpotqa").mkdir()
    (tmp_path / "training").mkdir()
    (tmp_path / "2wikimultihopqa").mkdir()
    rows = [
        {
            "_id": str(number),
            "question": f"Who painted the boat number {number}?",
            "answer": "Ada",
            "supporting_facts": [["Boat", 0]],
            "context": [["Boat", ["Ada built it.", " It is red."]]],
        }
        for number in range(MULTIHOP_REPORTED.start)
    ]
    (tmp_path / "hotpotqa/hotpot_dev_distractor_sample.json").write_text(json.dumps(rows), encoding="utf-8")
    for name in ("hotpotqa_more", "hotpotqa_paragraph_gold", "2wiki_train"):
        (tmp_path / f"training/{name}.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "2wikimultihopqa/dev_sample.json").write_text("[]", encoding="utf-8")
    questions = {question.id: question for question in read_all(tmp_path, ["hotpotqa"])}
    claims = read_all(tmp_path, ["multihop_claims"])
    assert claims[0].query == "Ada painted the boat number 0."
    assert {claim.part for claim in claims} == {"train", "choose"}
    assert all(claim.part == questions[claim.id].part and claim.gold == {0} for claim in claims)
