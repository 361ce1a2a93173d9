"""The preset `paper` of mcse searches every sentence as a whole, as the paper does."""

from __future__ import annotations

from typing import Any

import pytest
from scripts import hashed_model

from probative import Proof, prove
from probative.mcse.options import PRESETS, McseOptions
from probative.models.types import Pair
from probative.testing import ScriptedModel

CLAIM = "The Sea Lark sank."


def by_letters(prompt: str, continuation: str) -> float:
    """A prompt with a Z makes the claim likely, and no other does; π puts a Z first."""
    return -1.0 if "Z" in prompt + continuation else -9.0


def proved(model: ScriptedModel, sentences: list[str], **changes: Any) -> Proof:
    return prove(CLAIM, sentences, 1, model=model, preset="paper", verdict=False, lookahead=0, **changes)


def test_every_sentence_of_a_long_text_is_searched() -> None:
    """The one sentence that helps shares no word with the claim: a filter of 40 would lose it."""
    sentences = [f"The Sea Lark sank near pier {number}." for number in range(45)] + ["Z."]
    model = ScriptedModel(score=by_letters)
    proof = proved(model, sentences)
    assert [sentence.index for sentence in proof.evidence] == [45]
    assert proof.searched is None
    # No evidence at all, each sentence alone, and π of each as the first.
    assert len([pair for pair in model.asked if isinstance(pair, Pair)]) == 1 + 46 + 46


def by_policy(prompt: str, continuation: str) -> float:
    """π likes the sentences with a P, all alike; of all evidence, Z makes the claim likeliest, then Y."""
    if prompt.startswith("Claim:"):
        return -1.0 if "P" in continuation else -5.0
    return -1.0 if "Z" in prompt else -2.0 if "Y" in prompt else -9.0


def test_only_what_the_policy_proposes_is_tried() -> None:
    """Line 4 of Algorithm 1: Z is the strongest of twelve sentences, and π puts it last."""
    sentences = ["Z.", "P Y.", *(f"P {number}." for number in range(10))]
    proof = proved(ScriptedModel(score=by_policy), sentences)
    assert [sentence.index for sentence in proof.evidence] == [1]
    assert {other.index for other in proof.evidence[0].runners_up} <= set(range(2, 11))
    every = proved(ScriptedModel(score=by_policy), sentences, proposals=None)
    assert [sentence.index for sentence in every.evidence] == [0]
    drawn = proved(ScriptedModel(score=by_policy), sentences, policy="random")
    assert [sentence.index for sentence in drawn.evidence] == [0]  # no policy proposes anything


def test_trajectories_go_beyond_what_is_proposed() -> None:
    """π proposes P alone, but looks ahead from it to Z."""
    asked: list[str] = []

    def score(prompt: str, continuation: str) -> float:
        asked.append(prompt)
        return by_policy(prompt, continuation)

    changes = {"preset": "paper", "proposals": 1, "lookahead": 1, "verdict": False}
    proof = prove(CLAIM, ["Z.", "P."], 1, model=ScriptedModel(score=score), **changes)
    assert [sentence.index for sentence in proof.evidence] == [1]
    assert any("P. Z." in prompt for prompt in asked)
    assert not any("Z. P." in prompt for prompt in asked)


def test_a_long_sentence_is_read_to_its_end() -> None:
    long = " ".join(["wave"] * 600) + " Z"
    proof = proved(ScriptedModel(score=by_letters, window=4_000), [long, "A gull."])
    assert [sentence.index for sentence in proof.evidence] == [0]
    assert not any("only the beginning was read" in note for note in proof.notes)
    cut = proved(ScriptedModel(score=by_letters, window=4_000), [long, "A gull."], max_sentence_tokens=512)
    assert any("longer than 512 tokens, so only the beginning was read" in note for note in cut.notes)
    assert cut.evidence[0].score != proof.evidence[0].score


def test_only_what_the_window_cannot_hold_is_cut() -> None:
    long = " ".join(["wave"] * 600)
    narrow = proved(ScriptedModel(score=by_letters, window=300), [long, "A gull."])
    assert any("only the beginning was read" in note for note in narrow.notes)
    unknown = proved(ScriptedModel(score=by_letters), [" ".join(["wave"] * 2_100), "A gull."])
    assert unknown.notes == () or not any("only the beginning" in note for note in unknown.notes)


def test_the_numbers_are_those_of_section_4_1() -> None:
    paper = PRESETS["paper"]
    assert (paper.gamma, paper.delta, paper.lam) == (0.9, 1, 1)
    assert (paper.lookahead, paper.trajectories, paper.policy) == (4, 10, "path")
    assert paper.proposals == paper.trajectories
    assert (paper.max_candidates, paper.max_sentence_tokens, paper.width) == (None, None, None)
    assert (paper.lexical, paper.semantic, paper.learned, paper.proximity) == (0, 0, 0, 0)


@pytest.mark.parametrize("name", ["full", "fast"])
def test_the_other_presets_keep_their_limits(name: str) -> None:
    assert PRESETS[name].max_candidates == {"full": 40, "fast": 24}[name]
    assert PRESETS[name].max_sentence_tokens == McseOptions().max_sentence_tokens == 512


def test_the_preset_looks_ahead_whatever_k_is() -> None:
    model = hashed_model()
    prove(CLAIM, ["A.", "B.", "C."], 1, model=model, preset="paper", verdict=False)
    assert any(pair.prompt.startswith("Claim:") for pair in model.asked if isinstance(pair, Pair))
