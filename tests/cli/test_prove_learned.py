"""`probative prove --method learned` as a user runs it, with the policy that the package ships."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from prove_command import CLAIM, TEXT, run

import probative

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("open_models")]


def test_the_evidence_is_marked_with_the_policys_probabilities() -> None:
    done = run(CLAIM, "--method", "learned", "-k", "auto", stdin=TEXT)
    assert done.returncode == 0, done.stderr
    assert "The lighthouse was lit in 1871." in done.stdout
    assert "probability" in done.stdout
    assert "the evidence is complete: 0." in done.stdout
    assert "that no sentence helps: 0." in done.stdout
    assert "verdict: supported" in done.stdout
    assert "[embedded:policy: " in done.stderr
    assert "no language model" not in done.stderr


def test_json_has_what_the_policy_said_and_cost() -> None:
    done = run(CLAIM, "--method", "learned", "-k", "2", "--option", "beam=2", "--json", stdin=TEXT)
    proof = probative.Proof.model_validate_json(done.stdout)
    assert sorted(proof.indexes) == [1, 3]
    assert (proof.model, proof.policy) == (None, "embedded:policy")
    assert proof.policy_usage is not None
    assert proof.verdict_usage is not None
    spent = proof.policy_usage + proof.verdict_usage
    assert 0 < proof.policy_usage.prompt_tokens < spent.prompt_tokens == proof.usage.prompt_tokens
    assert all(0 < (sentence.probability or 0) <= 1 for sentence in proof.evidence)
    assert len(proof.stops) == 2
    assert done.stdout == proof.to_json() + "\n"


def test_a_dry_run_counts_the_policys_tokens_and_opens_nothing() -> None:
    done = run(CLAIM, "--method", "learned", "--dry-run", stdin=TEXT)
    assert "would make about 6 calls" in done.stdout
    within = run(CLAIM, "--policy", "learned", "--option", "learned=2", "-k", "1", "--dry-run", stdin=TEXT)
    assert "scored tokens" in within.stdout
    assert "prompt tokens" in within.stdout


def test_a_batch_of_claims(tmp_path: Path) -> None:
    lines = [{"id": number, "claim": CLAIM, "sentences": TEXT, "k": "auto"} for number in range(2)]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    words = ("--in", str(source), "--out", str(target), "--method", "learned")
    assert "2 of 2 done, 0 failed" in run(*words).stdout
    written = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert all(line["policy"] == "embedded:policy" and line["evidence"] for line in written)
    other = run(*words, "--option", "beam=3")  # other settings do not mix with these
    assert other.returncode == 1
