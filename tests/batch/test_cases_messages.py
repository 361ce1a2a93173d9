"""What a batch says about lines that cannot be run: in the words of the file, with what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from verdicts import ruled

from probative import InputError, Session
from probative.batch.cases import BadLine, read_cases
from probative.batch.verb_files import verb_file


def errors(tmp_path: Path, *lines: object) -> list[dict[str, str]]:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with Session(verdict=ruled()) as session:
        verb_file("judge", source, target, session=session)
    return [json.loads(line)["error"] for line in target.read_text(encoding="utf-8").splitlines()]


def test_a_wrong_field_is_named_as_the_line_writes_it(tmp_path: Path) -> None:
    number, item, missing = errors(
        tmp_path,
        {"id": 1, "claim": "It rained.", "evidence": 5},
        {"id": 2, "claim": "It rained.", "evidence": ["Wet.", 7]},
        {"id": 3, "claim": "It rained."},
    )
    assert "evidence: Input should be a valid string or a list" in number["what"]
    assert "evidence.1: " in item["what"]
    assert "evidence: Field required" in missing["what"]
    for error in (number, item, missing):
        assert ".str" not in error["what"]
        assert "evidence" in error["hint"]


@pytest.mark.parametrize("line", ["{", "[]", '{"claim": "x"}', '{"id": true}', '{"id": "a"}\n{"id": "a"}'])
def test_every_bad_line_has_a_hint(tmp_path: Path, line: str) -> None:
    file = tmp_path / "in.jsonl"
    file.write_text(line, encoding="utf-8")
    bad = [entry for entry in read_cases(file).entries if isinstance(entry, BadLine)]
    assert bad
    assert all(entry.error.hint for entry in bad)


def test_a_missing_or_empty_file_has_a_hint(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", encoding="utf-8")
    for file in (empty, tmp_path / "none.jsonl"):
        with pytest.raises(InputError) as caught:
            read_cases(file)
        assert caught.value.hint
