"""Listwise annotation: what a reply names, and what is done about one that names nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from probative import InputError, OutputError, Session
from probative.batch.verb_files import verb_file
from probative.mcse.annotation import read_named
from probative.testing import ScriptedModel

TEXT = ["The pier is long.", "", "It was opened in 1901.", "Gulls nest on it."]


def test_numbers_count_the_sentences_that_were_shown() -> None:
    model = ScriptedModel(generate="[3] [2]")
    with Session(model) as session:
        annotation = session.annotate("The pier is over a century old.", TEXT)
    assert annotation.indexes == (3, 2)
    assert [sentence.index for sentence in annotation.evidence] == [2, 3]
    assert "[2] It was opened in 1901.\n[3] Gulls nest on it." in model.asked[0].messages[-1].content


def test_a_reply_without_a_number_is_asked_for_once_more() -> None:
    with Session(ScriptedModel(generate=["I think so.", "[1]"])) as session:
        assert session.annotate("The pier is long.", TEXT).indexes == (0,)
    with (
        Session(ScriptedModel(generate=["I think so.", "Surely."])) as session,
        pytest.raises(OutputError) as failed,
    ):
        session.annotate("The pier is long.", TEXT)
    assert failed.value.raw == "Surely."


def test_none_is_an_answer_and_unknown_numbers_are_noted() -> None:
    with Session(ScriptedModel(generate=["None", "[1] [9]", "[9]"])) as session:
        none = session.annotate("The pier burnt down.", TEXT)
        some = session.annotate("The pier is long.", TEXT)
        with pytest.raises(OutputError):
            session.annotate("The pier is short.", TEXT)
    assert (none.indexes, none.evidence) == ((), ())
    assert "the model says that no sentence supports the claim" in none.notes
    assert some.indexes == (0,)
    assert "the model named sentences that do not exist: 9" in some.notes


@pytest.mark.parametrize(
    ("reply", "numbers"),
    [("[2], [1]", [2, 1]), ("Sent: 9\nSent: 3", [9, 3]), ("none.", []), ("", None), ("No idea", None)],
)
def test_replies_are_read(reply: str, numbers: list[int] | None) -> None:
    assert read_named(reply) == numbers


def test_a_batch_has_a_line_for_each_claim_or_its_error(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = [{"id": "a", "claim": "The pier is long.", "sentences": TEXT}, {"id": "b", "claim": "x"}]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with Session(ScriptedModel(generate="[1]")) as session:
        manifest = verb_file("annotate", source, target, session=session)
    first, second = (json.loads(line) for line in target.read_text(encoding="utf-8").splitlines())
    assert (first["id"], first["indexes"], manifest.failed) == ("a", [0], 1)
    assert second["error"]["type"] == "InputError"


def test_a_claim_is_needed() -> None:
    with Session(ScriptedModel(generate="[1]")) as session, pytest.raises(InputError):
        session.annotate(" ", TEXT)
