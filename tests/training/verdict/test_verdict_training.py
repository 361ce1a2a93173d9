"""The training of the verdict model: examples, arrays, loss and calibration, on texts of our own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from training.verdict.arrays import Arrays, make_arrays, measured_units, training_units
from training.verdict.batches import by_length, epoch
from training.verdict.calibrate import apply, balanced_weights, fit
from training.verdict.data import with_others
from training.verdict.edits import change, edited
from training.verdict.example import Judged
from training.verdict.questions import wrong_answer

TEXT = (
    "Ada Berg built the mill in 1842.",
    "The mill stood north of Molde.",
    "Ole Lund bought the mill in 1871.",
    "The mill was not insured.",
)


def encode(texts: Sequence[str]) -> list[list[int]]:
    """Return a number below 40 for each word, and one for a text without words."""
    return [[sum(map(ord, word)) % 40 for word in text.split()] or [0] for text in texts]


def examples() -> list[Judged]:
    return [
        Judged("The mill was built in 1842.", TEXT, "supported", "own", (0,)),
        Judged("The mill was built in 1843.", TEXT, "contradicted", "own", (0,)),
        Judged("The mill had two wheels. It was old.", TEXT, "insufficient", "own", binary=True),
    ]


def test_changed_sentences_differ_in_one_thing() -> None:
    rng = random.Random(4)
    for sentence in TEXT:
        changed = change(sentence, TEXT, rng)
        assert changed is not None
        assert changed != sentence
    assert change("Nothing happened there.", ["Nothing happened there."], rng) is None


def test_invented_claims_have_the_label_that_follows_from_how_they_are_made() -> None:
    rows = list(
        edited(
            [TEXT, ("It rained all day.", "Herons flew over the lake.", "Nobody came.")], 60, random.Random(1)
        )
    )
    assert {row.label for row in rows} == {"supported", "contradicted", "insufficient"}
    for row in rows:
        stated = " ".join(row.evidence)
        if row.label == "supported":
            assert all(part.strip() in stated for part in row.claim.split(". ")[0:1])
        if row.label == "contradicted":
            assert row.claim not in stated
            assert len(row.gold) == 1


def test_a_wrong_answer_is_of_the_kind_of_the_right_one() -> None:
    rng = random.Random(2)
    assert wrong_answer("When was it built?", "1842", TEXT, rng) == "1871"
    assert wrong_answer("Who built it?", "Ada Berg", TEXT, rng) in ("Ole Lund", "Molde")
    assert wrong_answer("Who built it?", "Ada Berg", ("Ada Berg built it.",), rng) is None


def test_padding_keeps_the_deciding_sentence() -> None:
    rows = [Judged(f"Claim number {n}.", (f"Sentence number {n}.",), "supported", "own") for n in range(300)]
    padded = list(with_others(rows, random.Random(3)))
    longer = [row for row in padded if len(row.evidence) > 1]
    assert longer
    for row in longer:
        (place,) = row.gold
        assert row.evidence[place].split()[-1] == row.claim.split()[-1]


def test_arrays_survive_a_file(tmp_path: Path) -> None:
    arrays = make_arrays(list(training_units(examples(), encode)), encode, {"seed": 1})
    arrays.save(tmp_path / "arrays.npz")
    again = Arrays.load(tmp_path / "arrays.npz")
    assert again.facts == arrays.facts
    assert again.sources == ("own",)
    assert again.tokens.tolist() == arrays.tokens.tolist()
    assert again.gold.tolist() == [1, 1, 0]


def test_each_sentence_of_a_long_claim_is_measured_too() -> None:
    units = list(measured_units(examples(), encode, lambda claim: claim.split(". ")))
    assert [unit.piece for unit in units if unit.row == 2] == [-1, 0, 1]


def test_an_epoch_shows_every_training_example_within_the_size() -> None:
    rows = [Judged(f"Claim {n} is true.", TEXT[: 1 + n % 4], "supported", "own") for n in range(50)]
    arrays = make_arrays(list(training_units(rows, encode)), encode, {})
    batches = epoch(arrays, 200, np.random.default_rng(1))
    shown = sorted(number for batch in batches for number in batch.tolist())
    assert shown == np.flatnonzero(~arrays.validation).tolist()
    for batch in by_length(np.arange(len(arrays)), arrays, 200):
        assert len(batch) == 1 or len(batch) * (arrays.lengths[batch].max() + 1) <= 200


def test_the_curves_are_calibrated_on_what_they_are_fitted_on() -> None:
    rng = np.random.default_rng(1)
    odds = rng.normal(0, 3, 4000)
    chances = 1 / (1 + np.exp(-0.4 * odds))
    labels = np.where(rng.random(4000) < chances, 0, 2)
    readings = np.stack([odds, np.zeros(4000), np.zeros(4000), np.zeros(4000)], 1)
    curves = fit(readings, labels, np.ones(4000, bool), np.ones(4000))
    assert curves.support.claim == pytest.approx(0.4, abs=0.05)
    stated = apply(curves, readings)
    assert stated.sum(1) == pytest.approx(1.0)
    assert stated[:, 0].mean() == pytest.approx(float(np.mean(labels == 0)), abs=0.02)
    assert balanced_weights(["a"] * 3 + ["b"], np.array([0, 0, 1, 0])).sum() == pytest.approx(4.0)


def test_training_lowers_the_loss() -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from training.verdict.loop import Trainer
    from training.verdict.options import Options

    torch.manual_seed(1)
    config = transformers.LlamaConfig(
        vocab_size=72,
        hidden_size=32,
        intermediate_size=64,
        initializer_range=0.2,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        tie_word_embeddings=True,
    )
    rows = [row for row in examples() for _ in range(8)]
    arrays = make_arrays(list(training_units(rows, encode)), encode, {})
    arrays = Arrays(**{**vars(arrays), "facts": {"verdicts": [40, 41, 42], "letters": list(range(43, 69))}})
    trainer = Trainer(
        transformers.LlamaForCausalLM(config),
        arrays,
        Options(rank=8, rate=0.02, epochs=60, minutes=1, compile=False),
        lambda _: None,
    )
    batch = np.arange(len(arrays))
    before = trainer.loss(batch)[0].detach().item()
    trainer.run()
    assert trainer.loss(batch)[0].detach().item() < before - 0.3
