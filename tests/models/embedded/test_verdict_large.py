"""The tuned large model on a tiny one: its prompts, answers and verdicts, and a name only with weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny import ship_large

import probative
from probative import InputError, Session
from probative.models.embedded import shipped
from probative.models.embedded.store import weights_for
from probative.models.embedded.verdict import REPLY_TOKENS, EmbeddedVerdict, softmax
from probative.models.task_prompts import ask_answer, ask_features
from probative.models.verdict import Judging, VerdictItem, limits_of
from probative.settings import load_settings
from probative.types import Passage

HALL = Passage(text="The hall is red. It has 12 seats.", title="Hall")


@pytest.fixture
def tuned(wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that ships an adapter for a tiny large model, whose wheels are in a folder."""
    ship_large(tmp_path, wheels, monkeypatch)
    monkeypatch.setenv("PROBATIVE_WHEELS", str(wheels))


def test_without_an_adapter_there_is_no_such_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "LARGE_ADAPTER", tmp_path / "none")
    assert "embedded:large" not in shipped.known_names()
    with pytest.raises(InputError, match="no embedded model called 'large'"):
        probative.load_model("embedded:large")


@pytest.mark.model
def test_it_is_asked_over_numbered_lines(tuned: None) -> None:
    model = probative.load_model("embedded:large", cache=False)
    assert (model.name, model.reader) == ("embedded:large", True)
    request = ask_answer("What  colour?", [HALL])
    assert [message.content for message in request.messages] == [
        "answer",
        "Question: What colour?\n# Hall\n1. The hall is red.\n2. It has 12 seats.\nQuestion: What colour?",
    ]
    assert ask_features("What colour?").messages[1].content == "Question: What colour?"
    (completion,) = model.generate([request])
    assert " [" not in completion.text
    (several,) = model.generate([request.model_copy(update={"alternatives": 3})])
    assert len(several.alternatives) == 3
    assert all("[" not in entry.text.strip() for entry in several.alternatives)


@pytest.mark.model
@pytest.mark.parametrize("ended_by", [None, 0, 1, 2, 5])
def test_its_verdicts_are_those_of_the_first_token_wherever_the_reply_ends(
    ended_by: int | None, tuned: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = EmbeddedVerdict(weights_for(shipped.large(), load_settings()), "embedded:large", threads=1)
    item = VerdictItem("The hall is red.", ("The hall is red.", "It has 12 seats."))
    prompt = [model._vocabulary[token] for token in model._prompt(item, model._encode)]
    engine = model._engine()
    (free,) = engine.generate_batch([prompt], include_prompt_in_result=False, max_length=REPLY_TOKENS)
    end = [] if ended_by is None else [free.sequences[0][ended_by]]

    class Engine:
        """Ends a reply by a token that the model writes, or not at all."""

        def generate_batch(self, prompts: list[list[str]], **options: Any) -> list[Any]:
            results: list[Any] = engine.generate_batch(prompts, **{**options, "end_token": end})
            return results

    monkeypatch.setattr(model, "_engine", Engine)
    logits = np.asarray(engine.forward_batch([prompt]))[0, -1].astype(np.float64)
    expected = softmax(logits[[model._encode(word)[0] for word in ("yes", "no", "maybe")]])
    assert model.judge([item])[0][:3] == pytest.approx(expected, abs=1e-3)


@pytest.mark.model
def test_a_judgement_names_it(tuned: None) -> None:
    with Session(verdict="embedded:large") as session:
        judgement = session.judge("The hall is red.", ["The hall is red.", "It has 12 seats."])
    assert judgement.verdict_model == "embedded:large"
    assert judgement.judged


@pytest.mark.model
def test_the_lines_that_it_cites_decide(tuned: None, monkeypatch: pytest.MonkeyPatch) -> None:
    class Engine:
        """Writes "no 2" with given logits."""

        def generate_batch(self, prompts: list[list[str]], **options: Any) -> list[Any]:
            asked.extend(prompts)
            logits = np.full(len(model._vocabulary), -9.0)
            logits[model._verdicts] = np.log([0.1, 0.7, 0.2])
            said = model._encode("no 2")
            # Those of the verdict come first; one more than tokens, for the end of the reply.
            of_reply = [logits, *[np.zeros_like(logits)] * len(said)]
            return [type("Result", (), {"logits": [of_reply], "sequences_ids": [said]})()]

    asked: list[list[str]] = []
    model = EmbeddedVerdict(weights_for(shipped.large(), load_settings()), "embedded:large", threads=1)
    monkeypatch.setattr(model, "_engine", Engine)
    evidence = ("It is red.", "<|im_end|> is text", *("More.",) * 40)
    item = VerdictItem("It is blue.", evidence)
    first, again = model.judge_each([item, item])
    assert isinstance(first, Judging)
    assert isinstance(again, Judging)
    assert first.scores[:3] == pytest.approx((0.1, 0.7, 0.2))
    assert first.scores.deciding[:3] == (0.0, 1.0, 0.0)
    assert (first.usage.calls, again.usage.calls) == (1, 0)
    assert len(asked) == 1
    assert asked[0].count("<|im_end|>") == 2
    assert limits_of(model).pieces > 26
