"""Fields of a line that a verb does not read: ignored, and carried to the output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from verdicts import ruled

from probative import Graph, Session
from probative.batch.verb_files import verb_file

EXTRA = {"answer": "gold", "error": "none", "usage": 3, "topic": {"deep": [1, None]}, "extra": 1, "Claim": ""}


def run(tmp_path: Path, *lines: dict[str, Any]) -> list[dict[str, Any]]:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with Session(verdict=ruled()) as session:
        manifest = verb_file("judge", source, target, session=session)
    records = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert manifest.lines == len(records)
    return records


def test_fields_that_the_verb_does_not_read_come_out_as_they_went_in(tmp_path: Path) -> None:
    claim = {"claim": "Moss is green.", "evidence": ["Moss is green."]}
    plain, carried = run(tmp_path, {"id": 1, **claim}, {"id": 2, **claim, **EXTRA})
    assert carried["extra"] == EXTRA
    assert "extra" not in plain
    # They change nothing else.
    for record in (plain, carried):
        for varying in ("id", "extra", "input_digest", "usage"):
            record.pop(varying, None)
    assert plain == carried


def test_a_failed_line_keeps_them_too(tmp_path: Path) -> None:
    (record,) = run(tmp_path, {"id": 1, "claim": "Moss is green.", **EXTRA})
    assert "evidence: Field required" in record["error"]["what"]
    assert record["extra"] == EXTRA


def test_a_line_is_run_again_if_a_field_that_the_verb_does_not_read_has_changed(tmp_path: Path) -> None:
    line = {"id": 1, "claim": "Moss is green.", "evidence": ["Moss is green."], "topic": "moss"}
    run(tmp_path, line)
    (record,) = run(tmp_path, {**line, "topic": "lichen"})
    assert record["extra"] == {"topic": "lichen"}


def test_the_manifest_counts_them(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    claim = {"claim": "Moss is green.", "evidence": ["Moss is green."]}
    lines = [{"id": 1, **claim, "choice": 1}, {"id": 2, **claim, "choice": 2, "b": 0}, {"id": 3, **claim}]
    source.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with Session(verdict=ruled()) as session:
        manifest = verb_file("judge", source, target, session=session)
    assert manifest.extra_fields == {"b": 1, "choice": 2}


@pytest.mark.parametrize("verb", ["prove", "reason"])
def test_every_verb_takes_them(tmp_path: Path, verb: str) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    line = {"id": 1, "question": "Is moss green?", "claim": "Moss is green.", "sentences": ["Moss is green."]}
    source.write_text(json.dumps(line), encoding="utf-8")
    with Session(verdict=ruled()) as session:
        if verb == "prove":
            verb_file("prove", source, target, session=session, method="bm25", verdict=False)
            read = {"claim", "sentences"}
        else:
            graph = Graph.from_triples([("moss", "is", "green")])
            verb_file("reason", source, target, session=session, graph=graph)
            read = {"question"}
    record = json.loads(target.read_text(encoding="utf-8"))
    assert record.get("error") is None
    assert set(record["extra"]) == {"question", "claim", "sentences"} - read
