"""Documents of our own as examples of the policy, and how soon it finds what answers need."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from policies import RulePolicy
from policy_examples import tokenizer_of

from probative import Session
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.testing import ScriptedModel
from training.large import documents
from training.large.arrays import Arrays, Encoded
from training.policy.examples import make_examples
from training.policy.named import prompts_of, with_named
from training.policy.reach import print_reach, reach
from training.policy.sources import read_all

WALL, ROOF = "The wall of the barn is oak.", "The roof of the mill is slate."


def bundle(name: str) -> dict[str, Any]:
    def asked(thing: str, text: str, **more: Any) -> dict[str, Any]:
        return {
            "q": f"What is the {thing} of?",
            "kind": "single",
            "answer": "oak",
            "accept": ["oak"],
            "sentences": [{"doc": "a", "text": text}],
        } | more

    claim = {"claim": "The roof is slate.", "kind": "true", "label": "supported"}
    return {
        "bundle": name,
        "documents": [
            {"id": "a", "title": "Barn", "date": "2024-05-03", "text": f"{WALL}\n\nIt is old."},
            {"id": "b", "title": "Mill", "date": None, "text": ROOF},
        ],
        "claims": [claim | {"sentences": [{"doc": "b", "text": ROOF}]}],
        "questions": [
            asked("wall", WALL),
            asked("door", WALL, answer=None, accept=[], sentences=[]),
            asked("roof", ROOF, kind="two_docs", sentences=[{"text": WALL}, {"text": ROOF}]),
        ],
    }


@pytest.fixture(autouse=True)
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "FOLDER", tmp_path)
    for part in ("train", "tune"):
        text = "\n".join(json.dumps(bundle(f"{part}-{number}")) for number in range(2))
        (tmp_path / f"{part}.jsonl.gz").write_bytes(gzip.compress(text.encode()))


def test_examples_have_headers_and_what_decides(tmp_path: Path) -> None:
    examples = {example.query: example for example in read_all(tmp_path, ["bundles"])}
    wall = examples["What is the wall of?"]
    assert [wall.sentences[index] for index in wall.gold] == [f"Barn (2024-05-03): {WALL} It is old."]
    assert examples["The roof is slate."].answer is None
    assert not examples["What is the door of?"].gold
    assert len(examples["What is the roof of?"].gold) == 2
    assert len({example.part for example in examples.values()}) == 1


def test_the_last_needed_sentence_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """The policy takes the longest text first, so the roof is found after the wall."""

    def longest(state: PolicyState) -> PolicyScores:
        return PolicyScores(tuple(float(len(text)) for text in state.candidates), -30.0, -30.0)

    with Session(ScriptedModel(), policy=RulePolicy(longest)) as session:
        found = list(reach(session, "tune"))
        assert found == [("single", 1), ("two_docs", 2)] * 2
        print_reach(session, "tune", 2)
    table = capsys.readouterr().out.splitlines()
    assert table[-2] == "| single | " + " | ".join(["1 of 1, 100 (21–100)"] * 3) + " |"


def test_named_sentences_take_the_place_of_the_authors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The large model names the second line for the wall, and is wrong about the roof."""
    evidence = [replace(example, part="train") for example in read_all(tmp_path, ["bundles"])]
    examples, rows = make_examples(evidence, tokenizer_of(evidence)), list(prompts_of(evidence, tmp_path))
    assert [row.source for row in rows] == ["bundles_questions"] * 3 + ["bundles_claims"]
    assert [line.text for line in rows[0].lines] == [WALL, "It is old.", ROOF]
    replies = {"What is the wall of?": "oak [3]", "What is the roof of?": "straw [2]"}
    np.savez(
        tmp_path / "replies.npz",
        asked=np.arange(len(rows)),
        replies=np.array([replies.get(row.asked, "maybe") for row in rows]),
    )
    prompts = Arrays.of([Encoded([0], [0], row.facts) for row in rows], {})
    for union, expected in ((False, [False, True]), (True, [True, True])):
        named = with_named(examples, prompts, tmp_path / "replies.npz", union=union)
        texts = {example.query: place for place, example in enumerate(evidence)}
        wall, roof = (named.places(texts[f"What is the {thing} of?"]) for thing in ("wall", "roof"))
        assert named.gold[wall].tolist() == expected
        assert named.also[wall].tolist() == [not union, False]
        assert named.gold[roof].tolist() == [True, True]
    assert capsys.readouterr().out.splitlines() == ["other 1, wrong 3"] * 2
