"""Claims and multi-hop questions, each read from a tiny file in its published format."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from probative.bench.data import splits
from probative.bench.data.claims import read_claims, read_examples, read_verdict_rows
from probative.bench.data.graph_qa import read_truthfulqa
from probative.bench.data.pages import read_collection
from probative.bench.data.questions import read_2wikimultihopqa, read_hotpotqa, read_questions
from probative.bench.data.sets import check_sets
from probative.errors import InputError


def write(data: Path, name: str, content: str | bytes) -> None:
    file = data / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def span(document: str, first: int, end: int) -> dict[str, Any]:
    return {"docid": document, "start_sentence": first, "end_sentence": end, "text": "", "start_token": 0}


def eraser_row(name: str, query: str, evidences: list[list[dict[str, Any]]], label: str) -> dict[str, Any]:
    return {"annotation_id": name, "query": query, "evidences": evidences, "classification": label}


def test_multirc_joins_question_and_answer_and_takes_the_sentences_of_its_spans(tmp_path: Path) -> None:
    row = eraser_row("a:0", "Who left? || The ferry", [[span("d1", 0, 1), span("d1", 2, 4)]], "True")
    write(tmp_path, "eraser/multirc/val.jsonl", lines(row))
    write(tmp_path, "eraser/multirc/docs/d1", "It left .\nIt rained .\nIt was late .\nIt was the ferry .\n")
    assert len(check_sets(tmp_path, ["multirc"])) == 2
    (claim,) = read_claims(tmp_path, "multirc")
    assert (claim.claim, claim.label, claim.document) == ("Who left? The ferry", "True", "d1")
    assert (len(claim.sentences), claim.gold, claim.gold_size) == (4, (frozenset({0, 2, 3}),), 3)


def test_fever_has_the_claims_that_one_sentence_decides(tmp_path: Path) -> None:
    one = eraser_row("one", "It sank.", [[span("d", 1, 2)], [span("d", 0, 2)]], "SUPPORTS")
    two = eraser_row("two", "It rose.", [[span("d", 0, 1), span("d", 1, 2)]], "REFUTES")
    write(tmp_path, "eraser/fever/val.jsonl", lines(one, two))
    write(tmp_path, "eraser/fever/docs/d", "A ship .\nIt sank .\n")
    (claim,) = read_claims(tmp_path, "fever")
    assert (claim.id, claim.gold) == ("one", (frozenset({1}), frozenset({0, 1})))


def test_wice_has_several_gold_sets_and_claims_without_any(tmp_path: Path) -> None:
    row = {
        "label": "partially_supported",
        "supporting_sentences": [[0, 1], [2], []],
        "claim": "The Lark was sold twice.",
        "evidence": ["It was sold.", "It was sold again.", "Two sales are known."],
        "meta": {"id": "dev1"},
    }
    none = {**row, "label": "not_supported", "supporting_sentences": [], "claim": "It burnt."}
    write(tmp_path, "wice/dev.jsonl", lines(row, none))
    assert check_sets(tmp_path, ["wice"])
    assert {claim.label for claim in read_claims(tmp_path, "wice")} == {
        "partially_supported",
        "not_supported",
    }
    (claim,) = read_examples(tmp_path, "wice")
    assert claim.gold == (frozenset({0, 1}), frozenset({2}))


def test_hover_finds_its_gold_sentences_in_the_pages(tmp_path: Path) -> None:
    row = {
        "uid": "u1",
        "claim": "The owner of the Lark was born in Voss.",
        "label": "SUPPORTED",
        "num_hops": 2,
        "hpqa_id": "h1",
        "context": [["Lark", ["It is a ketch. ", "Ada Berg owned it."]], ["Ada Berg", ["She is from Voss."]]],
        "gold_sentences": ["Ada Berg owned it.", "She is from Voss."],
    }
    write(tmp_path, "hover/dev_with_text_sample.jsonl", lines(row))
    assert check_sets(tmp_path, ["hover"])
    (claim,) = read_claims(tmp_path, "hover")
    assert (claim.sentences[0], claim.gold) == ("It is a ketch.", (frozenset({1, 2}),))


@pytest.mark.parametrize(
    ("name", "file", "read"),
    [
        ("hotpotqa", "hotpotqa/hotpot_dev_distractor_sample.json", read_hotpotqa),
        ("2wikimultihopqa", "2wikimultihopqa/dev_sample.json", read_2wikimultihopqa),
    ],
)
def test_a_multihop_question_has_its_sentences_and_gold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str, read: Any
) -> None:
    rows = [
        {
            "_id": str(number),
            "question": f"Who owned ship {number}?",
            "answer": "Ada Berg",
            "type": "bridge",
            "level": "hard",
            "supporting_facts": [["Lark", 1], ["Berg", 0]],
            "context": [["Lark", ["A ship.", " Berg owned it."]], ["Berg", ["Ada Berg.", ""]]],
            "evidences": [["Lark", "owner", "Ada Berg"]],
        }
        for number in range(402)
    ]
    write(tmp_path, file, json.dumps(rows))
    assert check_sets(tmp_path, [name])
    questions = read(tmp_path)
    assert [question.id for question in questions] == [str(number) for number in range(402)]
    with pytest.raises(InputError, match="no setting was tuned"):
        read_questions(tmp_path, name, tuning=True)
    assert [passage.text for passage in questions[0].passages] == ["A ship.", "Berg owned it.", "Ada Berg."]
    assert questions[0].gold == {1, 2}
    # The sample of the kept reports is known by its ids: of it, 200 rows were tuned on, and 200 are reported.
    ids = "\n".join(str(number) for number in range(402))
    monkeypatch.setattr(splits, "KEPT_SAMPLES", {hashlib.sha256(ids.encode()).hexdigest()})
    assert [question.id for question in read(tmp_path)] == [str(number) for number in range(200, 400)]
    tuned = read_questions(tmp_path, name, tuning=True)
    assert [question.id for question in tuned] == [str(number) for number in range(200)]


def test_the_collection_finds_the_page_with_the_rarest_word(tmp_path: Path) -> None:
    pages = [{"title": title, "text": f"The {title} is a ship."} for title in ("Lark", "Heron", "Grebe")]
    write(tmp_path, "2wikimultihopqa/corpus.json", json.dumps(pages))
    assert check_sets(tmp_path, ["2wiki-corpus"])
    (page,) = read_collection(tmp_path, "2wiki-corpus")("Where is the Heron?", 1)
    assert page.title == "Heron"


def test_truthfulqa_has_a_question_and_its_best_answer(tmp_path: Path) -> None:
    header = "Type,Category,Question,Best Answer,Correct Answers,Incorrect Answers,Source"
    write(
        tmp_path,
        "truthfulqa/TruthfulQA.csv",
        f'\ufeff{header}\nA,B,Do  gulls read?,"No, they fly",No,Yes,x\n',
    )
    assert check_sets(tmp_path, ["truthfulqa"])
    (question,) = read_truthfulqa(tmp_path)
    assert (question.question, question.best) == ("Do gulls read?", "No, they fly")


def test_a_row_of_the_verdict_form_has_its_title_before_the_evidence(tmp_path: Path) -> None:
    row = {
        "id": "1",
        "set": "own",
        "claim": "The Lark -LRB- a ketch -RRB- sank .",
        "evidence": ["It sank .", "It was old ."],
        "label": "supported",
        "context_title": "Lark",
        "gold": [0],
        "binary": True,
    }
    write(tmp_path, "verdict/eval.jsonl.gz", gzip.compress(lines(row).encode()))
    assert check_sets(tmp_path, ["verdict"])
    (read,) = read_verdict_rows(tmp_path)
    assert read.claim == "The Lark (a ketch) sank."
    assert (read.evidence, read.gold, read.binary) == (("Lark: It sank.", "It was old."), (0,), True)
