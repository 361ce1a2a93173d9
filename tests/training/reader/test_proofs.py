"""Decisions between sentences: drawn rightly, put as mcse puts them, and learnt."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny import tiny_llama, write_gguf

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from reader_files import write_sources  # noqa: E402

from probative.mcse.options import McseOptions  # noqa: E402
from probative.mcse.strength import Strength  # noqa: E402
from training.policy.evidence import Evidence  # noqa: E402
from training.policy.model import listwise_loss  # noqa: E402
from training.reader import __main__ as reader  # noqa: E402
from training.reader import data as reader_data  # noqa: E402
from training.reader import decisions as reader_decisions  # noqa: E402
from training.reader.arrays import Encoder, make_arrays  # noqa: E402
from training.reader.decisions import CANDIDATES, Decision, decisions_of, make_proofs, pairs  # noqa: E402
from training.reader.example import Example, Message  # noqa: E402
from training.reader.loop import Trainer  # noqa: E402
from training.reader.options import Options  # noqa: E402
from training.reader.proofs import Proofs, digest, hits, plan_proofs  # noqa: E402
from training.reader.tokens import encoder_of  # noqa: E402

BOATS = ("Lark", "Heron", "Gull", "Tern", "Swan", "Rook")


def example(number: int, part: str = "train") -> Evidence:
    boat = BOATS[number % 6]
    sentences = (
        f"The {boat} was built in Voss.",
        "Rain fell for a week.",
        f"Later the {boat} was sold.",
        "The harbour is deep.",
        f"Some say that the {boat} sank.",
    )
    return Evidence(
        str(number),
        f"Who sold the {boat}?",
        sentences,
        frozenset({0, 2}),
        "multirc",
        part,  # type: ignore[arg-type]
        answer=f"Anna {number}",
        also=frozenset({4}),
    )


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    file = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    write_gguf(file)
    return encoder_of(file)


@pytest.fixture(scope="module")
def drawn() -> list[Decision]:
    random = np.random.default_rng(3)
    train = decisions_of([example(number) for number in range(30)], 80, random)
    return train + decisions_of([example(number, "choose") for number in range(30, 42)], 50, random)


def test_a_share_of_the_right_ones_by_hand_and_by_brute_force() -> None:
    # By hand: e^0 + e^1 of e^0 + e^1 + e^2; and a half.
    scores = torch.tensor([0.0, 1.0, 2.0, 5.0, 5.0])
    right = torch.tensor([True, True, False, True, False])
    share = (1 + math.e) / (1 + math.e + math.e**2)
    found = float(listwise_loss(scores, right, torch.tensor([0, 0, 0, 1, 1]), 2))
    assert found == pytest.approx(-(math.log(share) + math.log(0.5)) / 2, abs=1e-5)
    random = torch.Generator().manual_seed(1)
    groups = torch.tensor([0] * 5 + [1] * 3 + [2] * 7)
    scores = (60 * torch.randn(15, generator=random) - 100).requires_grad_()
    right = torch.tensor([at % 3 == 0 or at in (5, 8) for at in range(15)])
    each = [
        -(torch.logsumexp(scores[(groups == g) & right], 0) - torch.logsumexp(scores[groups == g], 0))
        for g in range(3)
    ]
    loss = listwise_loss(scores, right, groups, 3)
    assert loss.item() == pytest.approx(sum(one.item() for one in each) / 3, rel=1e-4)
    # However far behind the right ones are, there is something to learn.
    loss.backward()
    behind = [g for g in range(3) if each[g].item() > 1]
    assert behind
    assert all(float(scores.grad[groups == g].abs().max()) > 0.1 for g in behind)


def test_decisions_hold_what_carries_the_claim_and_nothing_doubtful(drawn: list[Decision]) -> None:
    assert sum(not one.choose for one in drawn) == 80
    assert sum(one.choose for one in drawn) == 12  # each set aside once
    chosen = {len(path) - 1 for one in drawn for path in one.paths}
    assert chosen == {0, 1}
    said = {one.claim.endswith("?") for one in drawn}
    assert said == {True, False}
    for one in drawn:
        assert 2 <= len(one.paths) <= CANDIDATES
        assert any(one.right)
        assert not all(one.right)
        for path, right in zip(one.paths, one.right, strict=True):
            assert right == (" built " in path[-1] or " sold" in path[-1])
            assert " sank" not in path[-1]  # carries the claim in another set: neither right nor wrong
            assert path[-1] not in path[:-1]


def test_a_text_is_what_mcse_has_scored(drawn: list[Decision], encoder: Encoder) -> None:
    one = next(one for one in drawn if len(one.paths[0]) == 2)
    pair = Strength(one.claim, one.paths[0], McseOptions()).pair((0, 1))
    assert pairs(one.claim, one.paths)[0] == (pair.prompt, pair.continuation)
    proofs = make_proofs([one], encoder)
    ids = proofs.tokens[: proofs.lengths[0]].tolist()
    assert encoder._text.decode(ids[proofs.cuts[0] :]) == f" {one.claim}"
    assert encoder._text.decode(ids[1:]) == pair.prompt + pair.continuation


def test_too_long_a_text_leaves_its_decision_out(drawn: list[Decision], encoder: Encoder) -> None:
    long = replace(drawn[0], paths=(*drawn[0].paths[:-1], ("word " * 400,)))
    proofs = make_proofs([long, drawn[1]], encoder)
    assert len(proofs.decisions(choose=False)) == 1
    assert len(proofs.starts) == len(drawn[1].paths)


def test_steps_compare_whole_decisions_and_only_those_for_training(
    drawn: list[Decision], encoder: Encoder, tmp_path: Path
) -> None:
    made = make_proofs(drawn, encoder)
    made.save(tmp_path / "p.npz")
    proofs = Proofs.load(tmp_path / "p.npz")
    assert digest(proofs) == digest(made)
    assert digest(proofs)["decisions"] == {"multirc": 92}
    batches = plan_proofs(proofs, steps=30, tokens=1500, seed=1)
    again = plan_proofs(proofs, steps=30, tokens=1500, seed=1)
    sizes = np.bincount(proofs.decision)
    for batch, same in zip(batches, again, strict=True):
        assert np.array_equal(batch, same)
        assert not proofs.choose[batch].any()
        numbers, counts = np.unique(proofs.decision[batch], return_counts=True)
        assert np.array_equal(counts, sizes[numbers])
        assert len(batch) * proofs.lengths[batch].max() <= 1500
    seen = np.unique(np.concatenate([proofs.decision[batch] for batch in batches]))
    assert len(seen) == 80  # none is left out


@pytest.mark.slow
def test_the_claim_becomes_likeliest_after_what_carries_it(
    drawn: list[Decision], encoder: Encoder, tmp_path: Path
) -> None:
    make_proofs(drawn, encoder).save(tmp_path / "p.npz")
    kept = (Message("text", "According to this text: Moss"),)
    asked = (Message("system", "answer"), Message("user", "[1] In Moss.\n\nWhere?"))
    examples = [Example(asked, "Moss", "answer", "after", "hotpotqa", "train") for _ in range(8)]
    examples += [Example(kept, " So.", "keep", "text", "fool_me_twice", "train") for _ in range(4)]
    examples += [replace(examples[0], part="validation")]
    arrays = make_arrays(examples, encoder, {})
    largest = int(max(arrays.tokens.max(), Proofs.load(tmp_path / "p.npz").tokens.max()))
    options = Options(
        steps=24, tokens=200, keep=1, keep_weight=0.1, rank=4, rate=2e-2, form="after", evaluate_every=12,
        checkpoint_every=0, seed=2, proofs=str(tmp_path / "p.npz"), proof_tokens=2000,
    )  # fmt: skip
    trainer = Trainer(tiny_llama(largest + 8), arrays, options, tmp_path / "run", lambda text: None)
    assert trainer.proofs is not None
    assert trainer.texts is not None
    trainer.run()
    trainer.take_best()
    after = hits(trainer.model, trainer.texts, trainer.proofs, torch.float32)
    assert after["hit multirc"] >= 0.9
    assert trainer.history[-1]["hit multirc"] <= max(row["hit multirc"] for row in trainer.history)
    assert trainer.history[-1]["loss"] < trainer.history[0]["loss"]


@pytest.mark.slow
def test_the_command_writes_decisions_and_trains_on_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gguf = tmp_path / "tiny.gguf"
    write_gguf(gguf)
    write_sources(tmp_path / "data", reported_from=30)
    monkeypatch.setattr(reader_data, "INVENTED", {"train": 4, "validation": 2})
    monkeypatch.setattr(reader_data, "GENRES", 60)
    monkeypatch.setattr(reader_data, "FROM_PAGES", {"train": 8, "validation": 2})
    monkeypatch.setattr(reader_decisions, "DECISIONS", {"hotpotqa_bare": 20})

    def run(*words: str) -> str:
        reader.commands().run(words)
        return capsys.readouterr().out

    base, examples, proofs = ["--base", str(gguf)], str(tmp_path / "r.npz"), str(tmp_path / "p.npz")
    said = run("prepare", "--data", str(tmp_path / "data"), *base, "--out", examples, "--proofs", proofs)
    assert "texts of decisions" in said
    assert json.loads((tmp_path / "p.json").read_text())["decisions"]["hotpotqa_bare"] >= 20
    out = tmp_path / "out"
    small = ["--steps", "2", "--rank", "2", "--tokens", "400", "--keep", "1", "--proof-tokens", "1500"]
    run("train", "--examples", examples, *base, "--out", str(out), *small, "--proofs", proofs)
    facts = json.loads((out / "manifest.json").read_text())
    assert facts["steps"] == 2
    assert facts["proofs"] == json.loads((tmp_path / "p.json").read_text())
    assert "hit hotpotqa_bare" in facts["history"][-1]
