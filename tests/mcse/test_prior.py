"""The prior: words and embeddings on the scale of the model's own scores."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scripts import hashed_model

from probative import McseOptions, prove
from probative.mcse.prior import lexical_scores, topic
from probative.models.encoder import Encoder
from probative.testing import ScriptedModel
from probative.text.words import bm25, words
from probative.types import Usage


class Axes(Encoder):
    """A vector with a 1 at the place of each known word: cosines that can be worked out by hand."""

    name = "axes"
    fingerprint = "axes"
    dimensions = 3
    usage = Usage()

    def encode(self, texts, *, progress=None):  # type: ignore[no-untyped-def]
        rows = np.array([[float(word in text) for word in ("rain", "sun", "snow")] for text in texts])
        return (rows / np.maximum(1e-9, np.linalg.norm(rows, axis=1, keepdims=True))).astype(np.float32)


def test_the_prior_is_added_in_standard_deviations_of_the_models_own_scores() -> None:
    # The model: -10, -20, -30 alone (σ = 8.165). Cosines with the claim: 0, 1, 0 (z = -0.707, 1.414, -0.707).
    values = {"A": -10.0, "B rain": -20.0, "C": -30.0, "": -40.0}
    model = ScriptedModel(score=lambda prompt, claim: values[prompt[1:-1]])
    options = McseOptions(lookahead=0, semantic=2.0, lam=0.0, prompt="<{evidence}>")
    proof = prove("rain", ["A", "B rain", "C"], k=1, model=model, encoder=Axes(), options=options)
    assert proof.indexes == (1,)
    assert proof.evidence[0].score == pytest.approx(-20 + 8.165 * 2 * 1.4142, abs=1e-3)
    assert proof.evidence[0].runners_up[0].score == pytest.approx(-10 - 8.165 * 2 * 0.7071, abs=1e-3)


def test_without_weights_no_encoder_is_needed() -> None:
    assert prove("c", ["A", "B"], k=1, model=hashed_model(), options=McseOptions()).usage.calls > 0


def test_a_text_about_one_thing_is_not_found_by_its_name() -> None:
    sentences = [
        "Harwick Light is a lighthouse.",
        "It was lit in 1871 for the first time.",
        "The keeper lived beside it.",
    ]
    claim = "Harwick Light was lit in 1871."
    with_name = lexical_scores(claim, sentences, ignore_topic=False)
    without = lexical_scores(claim, sentences, ignore_topic=True)
    assert without[0] < with_name[0]
    assert max(range(3), key=without.__getitem__) == 1


def test_a_claim_of_nothing_but_the_name_still_finds_it() -> None:
    scores = lexical_scores("Harwick Light", ["Harwick Light stands.", "Gulls."], ignore_topic=True)
    assert scores[0] > scores[1]


def test_the_topic_is_the_longest_shared_run_at_the_beginning() -> None:
    claim = words("The engineer Ida Brandt designed lenses")
    assert topic(claim, words("Ida Brandt was born in Kiel.")) == {"ida", "brandt"}
    assert topic(claim, words("Gulls nest here.")) == frozenset()


def test_bm25_by_hand() -> None:
    # One document of two has the word once: idf = ln(1 + 1.5/1.5) = ln 2; both have length 1.
    assert bm25(["tour"], [["tour"], ["band"]], k1=1.2, b=0.4) == pytest.approx([0.6931 / 2.2, 0.0], abs=1e-3)
    assert bm25(["absent"], [["tour"], []]) == [0.0, 0.0]
    assert bm25([], [[], []]) == [0.0, 0.0]


def test_sentences_near_the_chosen_ones_are_preferred_where_proximity_counts() -> None:
    # All candidates are alike to the model but the first choice: the neighbour is next only with proximity.
    def score(prompt: str, claim: str) -> float:
        return -1.0 if prompt == "<S5>" else -10.0

    sentences = [f"S{number}" for number in range(9)]
    options = McseOptions(lookahead=0, prompt="<{evidence}>")
    far = prove("c", sentences, k=2, model=ScriptedModel(score=score), options=options)
    near = prove("c", sentences, k=2, model=ScriptedModel(score=score), options=options, proximity=1.0)
    assert far.indexes == (5, 0)
    assert near.indexes == (5, 4)


def test_jax_is_not_started_for_bm25(tmp_path: Path) -> None:
    """A stand-in for jax that says when it is imported: bm25s would, if it could."""
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "__init__.py").write_text("print('jax was started')")
    (tmp_path / "jax" / "lax.py").write_text("def top_k(scores, k): ...")
    code = "from probative.text.words import bm25; bm25(['tour'], [['tour'], ['band']]); import jax"
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}; print('end')"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split("\n")[:2] == ["jax was started", "end"]  # by the last import, not before
