"""`ask` from file to file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from json_lines import read_lines, write_lines

from probative import Answer, InputError, Session
from probative.batch.verb_files import verb_file

QUESTION = "In which town was the ship built that Ada Berg commanded?"
PASSAGES = ["Ada Berg commanded the Sea Lark.", {"id": "lark", "text": "The Sea Lark was built in Molde."}]


@pytest.mark.slow
def test_each_line_out_is_an_answer_or_an_error(tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "in.jsonl",
        {"id": 1, "question": QUESTION, "passages": [3]},
        {"id": 2, "question": QUESTION, "passages": PASSAGES},
        {"id": 3, "question": QUESTION, "passages": "one text"},
        {"id": 4, "question": QUESTION},
        {"id": 5, "question": QUESTION, "passages": []},
        {"id": 6, "question": " ", "passages": PASSAGES},
        {"id": 7, "question": QUESTION, "passages": [{"text": None}]},
        {"id": 8, "question": QUESTION, "passages": PASSAGES, "colour": "red"},
        {"id": 9, "question": QUESTION, "passages": [{"id": "\ud800", "text": "A mill."}]},
        {"id": "last", "question": "Who commanded the Sea Lark?", "passages": PASSAGES},
    )
    out = tmp_path / "out.jsonl"
    told: list[tuple[int, int, int]] = []
    manifest = verb_file(
        "ask", source, out, session=Session(), progress=lambda *numbers: told.append(numbers), max_passages=2
    )
    lines = {line["id"]: line for line in read_lines(out)}
    assert len(lines) == 10
    assert {ident for ident, line in lines.items() if "error" in line} == {1, 3, 4, 5, 6, 7, 9}
    assert lines[8]["extra"] == {"colour": "red"}
    assert all(line["error"]["type"] == "InputError" for line in lines.values() if "error" in line)
    assert "trace" not in lines[2]
    answer = {name: value for name, value in lines[2].items() if name not in ("id", "input_digest")}
    assert Answer.from_dict(answer).answer == "Molde"
    assert [one["id"] for one in answer["chain"]] == [None, "lark"]
    assert lines["last"]["answer"] == "Ada Berg"
    assert (manifest.done, manifest.failed, manifest.verb) == (3, 7, "ask")
    assert manifest.settings["max_passages"] == 2
    assert {"model", "encoder", "policy"} <= manifest.weights.keys()
    assert all(name.startswith("ctranslate2-int8") for name in manifest.weights.values())
    assert told[-1] == (3, 7, 10)


@pytest.mark.slow
def test_other_settings_are_not_mixed(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", {"id": 1, "question": QUESTION, "passages": PASSAGES})
    out = tmp_path / "out.jsonl"
    session = Session()
    verb_file("ask", source, out, session=session)
    before = out.read_text(encoding="utf-8")
    with pytest.raises(InputError, match=r"other settings \(max_passages\)"):
        verb_file("ask", source, out, session=session, max_passages=2)
    with pytest.raises(InputError, match=r"other settings \(.*method"):
        verb_file("ask", source, out, session=session, method="rag")
    verb_file("ask", source, out, session=session, preset="embedded")  # the embedded model's own preset
    beside = tmp_path / "out.jsonl.manifest.json"
    manifest = json.loads(beside.read_text(encoding="utf-8"))
    manifest["weights"]["policy"] = "ctranslate2-int8:another"
    beside.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(InputError, match=r"other weights \(policy\)"):
        verb_file("ask", source, out, session=session)
    assert out.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    "wrong", [{"method": "magic"}, {"preset": "cheap"}, {"speed": 9}, {"max_passages": 0}]
)
def test_wrong_options_write_nothing(wrong: dict[str, Any], tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", {"id": 1, "question": QUESTION, "passages": PASSAGES})
    with pytest.raises(InputError):
        verb_file("ask", source, tmp_path / "out.jsonl", session=Session(), **wrong)
    assert [file.name for file in tmp_path.glob("*.json*")] == ["in.jsonl"]


@pytest.mark.model
def test_a_dry_run_writes_nothing_and_counts_the_whole(tmp_path: Path) -> None:
    lines = [{"id": number, "question": QUESTION, "passages": PASSAGES} for number in range(3)]
    source = write_lines(tmp_path / "in.jsonl", *lines, {"id": "bad", "question": QUESTION})
    session = Session(dry_run=True)
    out = tmp_path / "out.jsonl"
    manifest = verb_file("ask", source, out, session=session, method="rag", limit=2)
    assert (manifest.lines, manifest.done, manifest.failed) == (2, 2, 0)
    assert manifest.usage.prompt_tokens > 0
    assert verb_file("ask", source, out, session=session, method="rag").failed == 1
    assert not out.exists()
    assert not (tmp_path / "out.jsonl.manifest.json").exists()
