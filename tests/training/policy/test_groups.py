"""The decisions drawn from examples."""

from __future__ import annotations

import numpy as np
import pytest
from policy_examples import tokenizer_of

from probative.models.evidence_policy import AFTER, BEFORE, CLS, COMPLETE, NOTHING, SEP
from training.policy.evaluation import Chosen, figures
from training.policy.evidence import Evidence
from training.policy.examples import Examples, make_examples
from training.policy.groups import Sampler


def test_a_sequence_is_query_chosen_and_candidate(examples: Examples) -> None:
    def text(place: int) -> list[int]:
        return examples.text(int(examples.sentence[place]), 99).tolist()

    group = Sampler(examples).state(0, [2])
    sequence = group.sequences[0].tolist()
    assert sequence[0] == CLS
    assert sequence.count(SEP) == 4  # "fever" is a running text: what stands beside is read, too
    assert sequence[sequence.index(BEFORE) :] == [BEFORE, AFTER, *text(1), SEP]
    assert group.sequences[2].tolist()[-len(text(2)) - 3 :] == [BEFORE, *text(2), AFTER, SEP]
    assert group.seconds[0] == sequence.index(SEP) + 1
    assert group.places == [0, 1, 3, -2, -3]
    assert group.sequences[-2].tolist()[-2:] == [COMPLETE, SEP]
    assert group.sequences[-1].tolist()[-2:] == [NOTHING, SEP]


def test_every_decision_has_something_right_and_stops_only_when_it_should(examples: Examples) -> None:
    sampler, random = Sampler(examples, 8), np.random.default_rng(0)
    ends = set()
    for number in range(400):
        group = sampler.draw(number % 80, random)
        right = {place for place, good in zip(group.places, group.right, strict=True) if good}
        assert right
        if right & {-2, -3}:
            assert len(right) == 1  # complete or nothing, and no sentence besides
            ends |= right
        else:
            span = examples.places(number % 80)
            assert all(examples.gold[span.start + place] for place in right)
    assert ends == {-2, -3}


def test_sentences_of_another_set_that_carries_the_claim_are_never_wrong() -> None:
    texts = ("the lark is red", "red is the lark", "the gull is grey", "the tern is white")
    row = Evidence("1", "the lark is red", texts, frozenset({0}), "fever", "train", also=frozenset({1}))
    sampler = Sampler(make_examples([row], tokenizer_of([row])), 4)
    seen = set()
    for number in range(60):
        seen |= set(sampler.draw(0, np.random.default_rng(number)).places)
    assert 1 not in seen
    assert {0, 2, 3} <= seen
    chosen = Chosen(0, order=[1], stopped_at=1, stopped_by=-2, nothing=[0.1])
    assert figures(sampler.examples, [chosen])["fever"]["f1"] == 100


def lines(sampler: Sampler, draws: int) -> set[tuple[int, ...]]:
    """Every sequence of many draws of the first example."""
    random = np.random.default_rng(3)
    return {tuple(row.tolist()) for _ in range(draws) for row in sampler.draw(0, random).sequences}


def test_gold_that_is_gone_does_not_stand_beside_a_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("the gull is grey", "the lark is red", "the tern is white")
    row = Evidence("1", "what is the lark", texts, frozenset({1}), "fever", "train")
    tokenizer = tokenizer_of([row])
    red = tokenizer.encode("red").ids[0]
    sampler = Sampler(make_examples([row], tokenizer), 3)
    monkeypatch.setattr("training.policy.groups.GONE", 0.0)
    assert any(red in line for line in lines(sampler, 30))
    monkeypatch.setattr("training.policy.groups.GONE", 1.0)
    assert not any(red in line for line in lines(sampler, 30))


def test_two_queries_about_one_text_need_the_evidence_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("the gull is grey", "the lark is red", "the tern is white", "the swan is black")
    rows = [
        Evidence("1", "is the lark red", texts, frozenset({1}), "fever", "train"),
        Evidence("2", "is the tern white", texts, frozenset({2}), "fever", "train"),
    ]
    tokenizer = tokenizer_of(rows)
    sampler = Sampler(make_examples(rows, tokenizer), 4)
    for name, value in {"TWO": 1.0, "GONE": 0.0, "WRONG": 0.0, "HIDING": 0.0}.items():
        monkeypatch.setattr(f"training.policy.groups.{name}", value)
    asked = tuple(tokenizer.encode("is the lark red is the tern white").ids)
    seen = set()
    for number in range(60):
        group = sampler.draw(0, np.random.default_rng(number))
        if tuple(group.sequences[0].tolist()[1 : group.seconds[0] - 1]) == asked:
            seen |= {place for place, good in zip(group.places, group.right, strict=True) if good}
    assert seen == {1, 2, -2}


def test_a_wrong_answer_leaves_the_evidence_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("the gull is grey", "the lark is red")
    rows = [
        Evidence(str(number), f"what is the {bird}", texts, frozenset({place}), "nq", "train", answer=answer)
        for number, (bird, place, answer) in enumerate([("gull", 0, "grey"), ("lark", 1, "red")])
    ]
    tokenizer = tokenizer_of(rows)
    sampler = Sampler(make_examples(rows, tokenizer), 2)
    for name, value in {"ANSWERED": 0.0, "MISLED": 1.0, "GONE": 0.0, "WRONG": 0.0, "HIDING": 0.0}.items():
        monkeypatch.setattr(f"training.policy.groups.{name}", value)
    misled = tokenizer.encode("what is the gull red").ids
    right: set[int] = set()
    for number in range(40):
        group = sampler.draw(0, np.random.default_rng(number))
        if group.sequences[0].tolist()[1 : group.seconds[0] - 1] == misled:
            right |= {place for place, good in zip(group.places, group.right, strict=True) if good}
    assert right == {0, -2}
