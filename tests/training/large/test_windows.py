"""Claims over windows of their evidence: which have a label, and how wide they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from training.large.arrays import Arrays, Encoded
from training.large.bundles import measured_of
from training.large.claims import claim_row
from training.large.figures import read_at
from training.large.windows import windows
from training.verdict.example import Judged


def test_windows_without_a_label_are_others_than_those_with_one() -> None:
    judged = [
        Judged(
            f"{name} left at noon.",
            (f"{name} rose.", f"{name} left at noon.", "It rained."),
            "supported",
            "own",
            gold=(1,),
        )
        for name in ("Ada", "Bo", "Cy")
    ]
    assert {example.part for example in judged} == {"train"}
    rows = list(windows(judged, [], 40, seed=1))
    assert [row.reply for row in rows[:3]] == ["yes"] * 3
    assert len(rows) == 40
    assert all(row.facts == {"labelled": False} and row.cited == () for row in rows[3:])
    texts = {tuple(line.text for line in row.lines) for row in rows[3:] if row.asked == judged[0].claim}
    assert judged[0].evidence not in texts
    assert ("Ada rose.", "It rained.") in texts
    assert texts & {judged[1].evidence, judged[2].evidence}


def test_a_window_without_what_may_decide_has_no_label() -> None:
    """Nobody marked what decides: whole, the label is right; where a sentence is left out, it may not be."""
    text = ("Ada left at noon.", "It rained all day long in the town.", "Bo rose.")
    example = Judged("Ada left at noon.", text, "supported", "own")
    assert claim_row(example, 200).facts == {}
    assert claim_row(example, 10).facts == {"labelled": False}
    assert claim_row(replace(example, gold=(0,)), 10).facts == {}
    assert claim_row(replace(example, label="insufficient"), 10).facts == {}
    kept = list(windows([example], [], 1, seed=1))
    assert [row.asked for row in kept] == [example.claim]
    marked = replace(example, claim="It was Cy.", gold=(0, 1, 2))
    assert not claim_row(marked, 4).facts.get("labelled", True)


def test_windows_over_documents_have_what_decides_or_no_label() -> None:
    documents = [
        {
            "id": name,
            "title": f"Notice {name}",
            "date": "2024-05-01",
            "text": f"Alden Ropes Ltd (the Supplier) keeps hall {name}. " + f"Hall {name} has a stove. " * 20,
        }
        for name in ("North", "South")
    ]
    gold = [{"doc": "South", "text": "Alden Ropes Ltd (the Supplier) keeps hall South."}]
    entry = {"claim": "Alden Ropes keeps hall South.", "kind": "", "label": "supported", "sentences": gold}
    bundle = {"bundle": "B-1", "documents": documents, "claims": [entry] * 8, "questions": []}
    rows = list(windows([], [bundle], 32, seed=1))
    assert len(rows) == 32
    assert {row.source for row in rows} == {"bundle_window"}
    for row in rows:
        shown = [line.text for line in row.lines]
        if row.facts.get("labelled", True):
            assert row.cited is not None
            assert [shown[index] for index in row.cited] == [gold[0]["text"]]
        else:
            assert gold[0]["text"] not in shown
    assert {row.facts.get("labelled", True) for row in rows} == {True, False}
    assert any(line.header == "Notice South (2024-05-01)" for row in rows for line in row.lines)


def test_measured_windows_hold_so_many_words_and_are_chosen_by_them(tmp_path: Path) -> None:
    text = " ".join(f"Hall {number} is green." for number in range(40))
    document = {"id": "a", "title": "Halls", "date": None, "text": text}
    gold = [{"doc": "a", "text": "Hall 7 is green."}]
    claim = {"claim": "Hall 7 is green.", "kind": "", "label": "supported", "sentences": gold}
    bundle = {"bundle": "B-1", "documents": [document], "claims": [claim], "questions": []}
    narrow, wide = measured_of(bundle, "tune", [20, 60])
    assert [row.facts["words"] for row in (narrow, wide)] == [20, 60]
    assert sum(len(line.text.split()) for line in narrow.lines) <= 20
    assert len(narrow.lines) < len(wide.lines)
    (whole,) = measured_of(bundle, "tune")
    assert len(whole.lines) == 40
    rows = [Encoded([1], [0], row.facts) for row in (narrow, wide, whole)]
    arrays = Arrays.of(rows, {"words": [20, 60]})
    assert read_at(arrays, np.arange(3), 60).tolist() == [False, True, True]
    with pytest.raises(ValueError, match=r"windows of \[20, 60\] words, not of 1300"):
        read_at(arrays, np.arange(3), 1300)
