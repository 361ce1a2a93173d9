"""The learned policy has no presets, and without look-ahead nothing to lead."""

from __future__ import annotations

import pytest

import probative
from probative.testing import ScriptedModel

TEXT = ["The Lark sailed.", "It sank in 1911.", "Tar is black."]


def test_a_preset_is_mcses() -> None:
    with pytest.raises(probative.InputError, match="learned has no presets"):
        probative.prove("It sank.", TEXT, 1, method="learned", preset="paper")


def test_a_policy_without_look_ahead_is_noted() -> None:
    model = ScriptedModel(score=lambda prompt, text: -float(len(prompt)))
    proof = probative.prove("It sank.", TEXT, 1, model=model, preset="fast", policy="learned", semantic=0)
    assert any("the look-ahead is off (lookahead=0)" in note for note in proof.notes)
