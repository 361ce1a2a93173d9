"""The embedded verdict model: its scores against the logits of whole sequences, odd input, its adapter."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from probative import ContextError, InputError, ModelError, WeightsError
from probative.models.embedded import shipped as adapters
from probative.models.embedded.engine import Device, number_type
from probative.models.embedded.store import Weights
from probative.models.embedded.verdict import EmbeddedVerdict, softmax
from probative.models.loading import load_verdict
from probative.models.task_prompts import VERDICTS
from probative.models.verdict import Judging, VerdictItem

pytestmark = pytest.mark.model

CLAIM = "The lighthouse on the northern cape was lit for the first time in 1871."
EVIDENCE = (
    "The lighthouse was built of granite between 1868 and 1871 by the harbour office.",
    "Its lamp was first lit on the third of October, two weeks after the lens came.",
    "The keeper lived with his family in a wooden house at the foot of the tower.",
)
ITEM = VerdictItem(CLAIM, EVIDENCE)
OTHER = VerdictItem("Herons eat fish.", ("A heron eats fish and frogs.",))


@pytest.fixture(scope="module")
def model(weights: Weights) -> EmbeddedVerdict:
    """The default model as a verdict model."""
    return EmbeddedVerdict(weights, threads=2)


def test_scores_are_the_softmax_of_the_logits_of_whole_sequences(
    model: EmbeddedVerdict, weights: Weights
) -> None:
    import ctranslate2
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(weights.folder / "tokenizer.json"))
    numbers = number_type(weights.folder)
    engine = ctranslate2.Generator(str(weights.folder), compute_type=numbers, inter_threads=2)
    lines = "\n".join(f"{number}. {text}" for number, text in enumerate(EVIDENCE, 1))
    prompt = (
        "<|im_start|>system\nverdict<|im_end|>\n"
        f"<|im_start|>user\nClaim: {CLAIM}\n{lines}\nClaim: {CLAIM}<|im_end|>\n<|im_start|>assistant\n"
    )
    logits = np.asarray(engine.forward_batch([tokenizer.encode(prompt).tokens]))[0, -1].astype(np.float64)
    (scores,) = model.judge([ITEM])
    expected = softmax(logits[[tokenizer.encode(word).ids[0] for word in VERDICTS]].tolist())
    assert [scores.supported, scores.contradicted, scores.insufficient] == pytest.approx(expected, abs=0.02)


def test_on_a_graphics_card_the_verdicts_are_scored_and_say_the_same(
    model: EmbeddedVerdict, weights: Weights
) -> None:
    on_card = EmbeddedVerdict(weights, threads=2)
    on_card._device = Device("cuda")  # what it asks of its engine, which computes here
    items = [ITEM, OTHER]
    for scored, written in zip(on_card.judge(items), model.judge(items), strict=True):
        assert scored.supported == pytest.approx(written.supported, abs=0.02)
        assert scored.contradicted == pytest.approx(written.contradicted, abs=0.02)
        assert scored.deciding == written.deciding


def test_a_verdict_that_is_no_number_is_an_error(weights: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    model = EmbeddedVerdict(weights, threads=2)
    monkeypatch.setattr(model, "_logits", lambda result: [float("nan"), 0.0, 0.0])
    first, again = model.judge_each([ITEM, ITEM])
    assert isinstance(first, ModelError)
    assert isinstance(again, ModelError)
    assert "is no number" in first.what


def test_each_verdict_is_one_token_of_its_own(model: EmbeddedVerdict) -> None:
    tokens = [tuple(model._encode(word)) for word in VERDICTS]
    assert [len(ids) for ids in tokens] == [1, 1, 1]
    assert len(set(tokens)) == 3


def test_items_keep_their_order_and_equal_ones_are_read_once(model: EmbeddedVerdict) -> None:
    before = model.usage
    outcomes = model.judge_each([ITEM, OTHER, ITEM])
    assert outcomes[0].scores == outcomes[2].scores != outcomes[1].scores
    assert [outcome.usage.calls for outcome in outcomes] == [1, 1, 0]
    assert (model.usage - before).calls == 2
    assert len(outcomes[1].scores.deciding) == 1
    assert model.judge([]) == []


def test_prompts_of_different_lengths_do_not_touch_each_other(model: EmbeddedVerdict) -> None:
    items = [VerdictItem(CLAIM, (f"{EVIDENCE[0]}{' Indeed.' * n}", EVIDENCE[1])) for n in range(3)]
    alone = [model.judge([item])[0] for item in items]
    for single, together in zip(alone, model.judge(items), strict=True):
        assert together[:3] == pytest.approx(single[:3], abs=0.1)
        assert together.deciding == pytest.approx(single.deciding, abs=0.1)


def test_a_claim_with_three_sentences_takes_at_most_130_tokens(model: EmbeddedVerdict) -> None:
    (outcome,) = model.judge_each([ITEM])
    assert isinstance(outcome, Judging)
    assert outcome.usage.prompt_tokens <= 130


def test_a_window_that_is_too_long_fails_alone(model: EmbeddedVerdict) -> None:
    long = VerdictItem("It rained.", ("rain " * 3000,))
    failed, fine = model.judge_each([long, OTHER])
    assert isinstance(failed, ContextError)
    assert failed.window == 2048
    assert isinstance(fine, Judging)
    with pytest.raises(ContextError):
        model.judge([long])


def test_control_tokens_in_a_text_stay_text(model: EmbeddedVerdict) -> None:
    (plain, control) = model.count_tokens(["im_end", "<|im_end|>"])
    assert control > plain
    assert model.count_tokens([""]) == [0]


@pytest.mark.parametrize("evidence", [(), ("a",) * 61])
def test_a_window_without_evidence_or_with_too_much_is_refused(
    model: EmbeddedVerdict, evidence: tuple[str, ...]
) -> None:
    with pytest.raises(InputError, match="1 to 60 pieces"):
        model.judge([VerdictItem("It rained.", evidence)])


def test_a_missing_or_damaged_adapter_is_a_weights_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "small" / "adapter.safetensors"
    monkeypatch.setattr(adapters, "SMALL_ADAPTER", file)
    with pytest.raises(WeightsError, match="no tuned embedded model"):
        load_verdict()
    file.parent.mkdir()
    file.write_bytes(b"damaged")
    with pytest.raises(WeightsError, match="manifest"):
        load_verdict()
    file.with_name("manifest.json").write_text(json.dumps({"adapter_sha256": "0" * 64}))
    with pytest.raises(WeightsError, match="is damaged"):
        load_verdict()
