"""`prove` with the learned policy: the result, its cost, bad input, batches and dry runs."""

from __future__ import annotations

import math
from typing import Any

import pytest
from policies import RulePolicy, hashed, tabled

import probative
from probative import InputError, ModelError, Proof
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.search import K
from probative.models.evidence_policy import PolicyScores

PAIRS = {
    "": {"A": 0.4, "B": 0.5, "C": 0.05, "complete": 0.025, "nothing": 0.025},
    "B": {"A": 0.25, "C": 0.15, "D": 0.1, "complete": 0.3, "nothing": 0.2},
}
TEXT = ["A", "B", "C", "D"]


def proved(monkeypatch: pytest.MonkeyPatch, policy: RulePolicy, text: Any, k: K = 2, **options: Any) -> Proof:
    monkeypatch.setattr("probative.session.tools.Opener.policy", lambda _: policy)
    return probative.prove("c", text, k, method="learned", model="hf:/nowhere", **{"lexical": 0.0, **options})


def test_prove_names_the_policy_and_its_part_of_the_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = proved(monkeypatch, tabled(PAIRS), TEXT)
    assert (proof.indexes, proof.method, proof.model, proof.policy) == ((1, 0), "learned", None, "rule")
    assert proof.policy_usage is not None
    assert (proof.policy_usage.calls, proof.policy_usage.prompt_tokens) == (2, 6 + 5)
    assert proof.usage.calls == 2
    assert Proof.from_dict(proof.to_dict()) == proof
    assert proof.trace is not None
    step = proof.trace.find("policy")
    assert step is not None
    assert step.calls[0].request["candidates"] == TEXT
    assert "complete" in (step.calls[0].result or {})


def test_prove_refuses_what_learned_cannot_use(monkeypatch: pytest.MonkeyPatch) -> None:
    for claim, text, k in (("", TEXT, 1), ("c", [], 1), ("c", [" "], 1), ("c", TEXT, 0), ("c", TEXT, "all")):
        with pytest.raises(InputError):
            probative.prove(claim, text, k, method="learned")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the options are beam"):
        probative.prove("c", TEXT, method="learned", lookahead=2)
    with pytest.raises(InputError, match="LearnedOptions"):
        probative.prove("c", TEXT, method="learned", options=probative.McseOptions())
    with pytest.raises(InputError, match="McseOptions"):
        probative.prove("c", TEXT, options=LearnedOptions())
    broken = RulePolicy(lambda state: PolicyScores((math.nan,) * len(state.candidates), 0.0, 0.0))
    with pytest.raises(ModelError, match="score of nan"):
        proved(monkeypatch, broken, TEXT)


def test_one_sentence_repeats_and_a_large_k_give_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = proved(monkeypatch, hashed(1), ["A"], 3)
    assert proof.indexes == (0,)
    assert any("k is 3, but the text has only 1" in note for note in proof.notes)
    twice = proved(monkeypatch, hashed(1), ["A", " ", "A", "B"], 4)
    assert sorted(twice.indexes) == [0, 3]
    assert any("repeats" in note for note in twice.notes)


def test_a_long_text_is_filtered_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from probative.dry_run.stand_ins import WordModels

    sentences = [f"Filler {number}." for number in range(30)] + ["c d e"]
    policy = hashed(2)
    proof = proved(monkeypatch, policy, sentences, 2, max_candidates=5, encoder=WordModels())
    assert proof.searched is not None
    assert 30 in proof.searched
    assert len(proof.searched) == 5 == len(policy.asked[0][0].candidates)
    assert any("5 of 31 sentences were searched" in note for note in proof.notes)


def test_many_claims_each_with_its_own_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probative.session.tools.Opener.policy", lambda _: hashed(4))
    cases = [{"claim": f"c{n}", "sentences": ["A", "B", "C"][: n + 1], "k": "auto"} for n in range(3)]
    proofs = dict(probative.prove_all(cases, method="learned"))
    assert sorted(proofs) == [0, 1, 2]
    first = proofs[0]
    assert isinstance(first, Proof)
    assert first.policy_usage is not None
    assert first.policy_usage.calls == 1


def test_a_dry_run_counts_and_opens_nothing() -> None:
    proof = probative.prove("c" * 8, ["A" * 8, "B" * 8], 2, method="learned", dry_run=True)
    # First 4 tokens for each of 2 and 2 for each way to stop, and 2 neighbours; then one of 2 + 2 + 2
    # and twice 4, and its neighbour.
    assert proof.policy_usage is not None
    assert (proof.usage.calls, proof.policy_usage.prompt_tokens) == (2, 12 + 4 + 14 + 2)
