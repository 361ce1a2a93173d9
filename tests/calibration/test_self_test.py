"""The test without labels: claims made of sentences, and what is counted."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from calibrated import SHIPS, TOWNS, corpus, session

from probative import Corpus, InputError
from probative.calibration.claims import FALSE, NOT_STATED, TRUE, made_claims, random_passages, stands_alone
from probative.calibration.kept import SELF_TEST
from probative.calibration.self_test import SelfTest, self_test
from probative.models.evidence_policy import PolicyScores
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedPolicy, ScriptedVerdict

STATED = {f"The {ship} was built in {town} by two brothers." for ship, town in zip(SHIPS, TOWNS, strict=True)}


@pytest.fixture
def ships(tmp_path: Path) -> Iterator[Corpus]:
    with corpus(tmp_path) as opened:
        yield opened


def by_the_letter(item: VerdictItem) -> VerdictScores:
    """Support a claim that stands in the evidence, and contradict one about a ship that it names."""
    deciding = (1.0,) * len(item.evidence)
    if any(item.claim in text for text in item.evidence):
        return VerdictScores(0.9, 0.05, 0.05, deciding)
    ship = next((ship for ship in SHIPS if ship in item.claim), "?")
    if any(ship in text for text in item.evidence):
        return VerdictScores(0.05, 0.9, 0.05, deciding)
    return VerdictScores(0.05, 0.05, 0.9, deciding)


def checked(ships: Corpus) -> SelfTest:
    policy = ScriptedPolicy(lambda state: PolicyScores((0.0,) * len(state.candidates), 0.0, -9.0))
    with session(verdict=ScriptedVerdict(by_the_letter), policy=policy) as opened:
        return self_test(opened, ships, n=9, seed=1)


def test_claims_are_true_false_and_not_stated_by_turns(ships: Corpus) -> None:
    claims = made_claims(ships, 9, seed=1)
    kinds = [made.kind for made in claims]
    assert [kind in TRUE for kind in kinds[0::3]] == [True] * 3
    assert [kind in FALSE for kind in kinds[1::3]] == [True] * 3
    assert kinds[2::3] == [NOT_STATED] * 3
    assert all(made.sentence in STATED for made in claims)
    assert all((made.claim in STATED) == (made.kind not in FALSE) for made in claims if made.kind != "joined")


def test_the_same_seed_makes_the_same_claims(ships: Corpus) -> None:
    assert made_claims(ships, 6, seed=4) == made_claims(ships, 6, seed=4)
    assert made_claims(ships, 6, seed=4) != made_claims(ships, 6, seed=5)


def test_a_model_that_reads_to_the_letter_is_right_about_all_claims(ships: Corpus) -> None:
    test = checked(ships)
    counted = [(share.hits, share.n) for share in (test.believed, test.caught, test.accepted, test.invented)]
    assert counted == [(3, 3), (3, 3), (0, 3), (0, 3)]
    assert [(point.limit, point.true, point.false) for point in test.curve][-3:] == [
        (0.9, 3, 0),
        (0.95, 0, 0),
        (0.99, 0, 0),
    ]
    assert test.usage.calls > 0
    assert test.asked == len(test.claims) == 9


def test_the_test_is_kept_with_the_corpus_and_guarantees_nothing(ships: Corpus) -> None:
    test = checked(ships)
    assert json.loads((ships.path / SELF_TEST).read_text(encoding="utf-8")) == test.to_dict()
    assert not (ships.path / "guarantee.json").exists()


def test_without_whole_sentences_no_claim_can_be_made(tmp_path: Path) -> None:
    from probative import index_folder

    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "list.txt").write_text("- oars\n- ropes\n", encoding="utf-8")
    index_folder(folder, tmp_path / "index", vectors=False)
    with Corpus.open(tmp_path / "index", vectors=False) as opened:
        with pytest.raises(InputError, match="no claim can be made"):
            made_claims(opened, 3, seed=0)
        with pytest.raises(InputError, match="n must be at least 3, got 2"):
            self_test(session(), opened, n=2)


@pytest.mark.parametrize(
    "sentence",
    [
        "She sold the Lark to Ada Berg in May.",  # who?
        "The board agreed to repair the crane.",  # of what?
        "Oak, tar and hemp from Molde.",
        "Was the Lark built in Molde by two brothers?",
        "However, the Lark was sold to Ada Berg.",
    ],
)
def test_a_sentence_that_needs_others_makes_no_claim(sentence: str) -> None:
    assert not stands_alone(sentence)


def test_passages_come_from_all_documents(ships: Corpus) -> None:
    passages = random_passages(ships, random.Random(2))
    sources = {document.source for (_, document), _ in zip(passages, range(200), strict=False)}
    assert len(sources) == len(SHIPS)
