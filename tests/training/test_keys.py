"""The keys of what the shipped models were trained on, made from tiny training files."""

from __future__ import annotations

import gzip
import json
from argparse import Namespace
from pathlib import Path

import pytest

pytest.importorskip("torch")  # the trainings

from data_sets import write_reported_sets, write_training_sets

from probative.bench.data.claims import read_claims
from probative.bench.data.splits import reported_claims
from probative.bench.trained import KEY_BYTES, document_key, text_key
from training import keys
from training.reader import data as reader_data
from training.splits import reported_texts

QUESTION = "What was the colour of the lighthouse door in Moss?"
CLAIM = {
    "id": "1",
    "set": "snli_train",
    "claim": "A man rows.",
    "evidence": ["He rows."],
    "label": "supported",
}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, dict[str, set[bytes]]]:
    data, out = tmp_path / "data", tmp_path / "weights"
    write_reported_sets(data)
    poisoned = [text for name, text in reported_texts(data) if name == "poisonedrag"]
    write_training_sets(data, [QUESTION, *poisoned])
    (data / "verdict").mkdir()
    for name in ("train", "train_other_languages", "eval"):
        row = {**CLAIM, "claim": f"{CLAIM['claim']} ({name})"}
        (data / f"verdict/{name}.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))
    monkeypatch.setattr(reader_data, "INVENTED", {"train": 5, "validation": 1, "test": 1})
    monkeypatch.setattr(reader_data, "FROM_PAGES", {"train": 5, "validation": 1, "test": 1})
    for model in keys.KEYS:
        (out / model).mkdir(parents=True)
    keys.write(Namespace(data=data, out=out))
    files = {model: (out / model / keys.FILE).read_bytes() for model in keys.KEYS}
    return data, {
        model: {content[at : at + KEY_BYTES] for at in range(0, len(content), KEY_BYTES)}
        for model, content in files.items()
    }


def test_the_keys_have_what_was_trained_on_and_not_what_is_reported(
    made: tuple[Path, dict[str, set[bytes]]],
) -> None:
    data, written = made
    assert all(text_key(QUESTION) in own for own in written.values())
    assert set(written) == {"policy", "small"}
    assert text_key("A man rows. (train)") in written["small"]
    assert text_key("A man rows. (eval)") not in written["small"]
    claims = read_claims(data, "multirc")
    reported = reported_claims(claims)
    seen = {claim.document for claim in reported}
    other = next(claim for claim in claims if claim.document not in seen)
    for own in written.values():
        assert document_key(other.sentences) in own
        assert document_key(reported[0].sentences) not in own
        assert text_key(reported[0].claim) not in own


def test_the_keys_have_the_poisoned_questions_that_the_shipped_weights_were_trained_on(
    made: tuple[Path, dict[str, set[bytes]]],
) -> None:
    data, written = made
    poisoned = {text_key(text) for name, text in reported_texts(data) if name == "poisonedrag"}
    assert all(poisoned & own for own in written.values())
