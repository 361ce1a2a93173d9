"""The manifest: failures, verdicts, and no secrets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from probative import Session, load_settings
from probative.batch.verb_files import verb_file

pytestmark = pytest.mark.model

CLAIMS = [
    {"id": 1, "claim": "Cats sleep.", "sentences": ["Dogs bark.", "Cats sleep all day."]},
    {"id": "two", "claim": " ", "sentences": ["Dogs bark."]},
    {"id": 3, "claim": "Cats sleep."},
    {"id": 4, "claim": "Cats sleep.", "sentences": 7},
    {"id": 5, "claim": "Cats sleep.", "sentences": ["x"], "k": "red"},
]


def write(file: Path, lines: list[dict[str, object]]) -> Path:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_keys_in_addresses_are_not_stored(tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", CLAIMS[:1]), tmp_path / "out.jsonl"
    settings = load_settings(
        {
            "base_url": "http://ann:pa55word@127.0.0.1:9/v1?api_key=s3cret",
            "judge_base_url": "http://127.0.0.1:9/v1?token=s3cret",
            "api_key": "s3cret",
        }
    )
    with Session(settings=settings) as session:
        verb_file("prove", source, out, session=session, method="bm25")
        written = "".join(file.read_text() for file in tmp_path.iterdir() if file.is_file())
        assert "s3cret" not in written
        assert "pa55word" not in written
        assert "127.0.0.1:9" in written
        verb_file("prove", source, out, session=session, method="bm25")  # and it is resumed as before


def test_the_first_failures_and_the_verdicts_are_in_the_manifest(tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", CLAIMS), tmp_path / "out.jsonl"
    with Session() as session:
        manifest = verb_file("prove", source, out, session=session, method="bm25", k=1, verdict=True)
        again = verb_file("prove", source, out, session=session, method="bm25", k=1, verdict=True)
    assert (manifest.done, manifest.failed) == (1, 4)
    assert [failure.id for failure in manifest.failures] == ["two", 3, 4]
    assert all(failure.type == "InputError" and failure.what for failure in manifest.failures)
    assert manifest.verdicts == again.verdicts == {"supported": 1}


def test_checks_have_a_batch_form(tmp_path: Path) -> None:
    question = "Who commanded the Sea Lark?"
    source = write(
        tmp_path / "in.jsonl",
        [
            {"id": "a", "question": question, "knowledge": ["Ada Berg commanded the Sea Lark.", "Pines."]},
            {"id": "b", "question": question, "knowledge": "Pines grow."},
            {"id": "c", "question": question},
        ],
    )
    out = tmp_path / "out.jsonl"
    with Session() as session:
        manifest = verb_file("check", source, out, session=session, preset="words")
    assert (manifest.verb, manifest.done, manifest.failed) == ("check", 2, 1)
    assert manifest.verdicts == {"complete": 1, "incomplete": 1}
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line.get("complete") for line in lines] == [True, False, None]
