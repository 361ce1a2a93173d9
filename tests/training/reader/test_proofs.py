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
from training.large import __main__ as large  # noqa: E402
from training.large.gguf import Gguf  # noqa: E402
from training.large.model import add_adapters  # noqa: E402
from training.large.tokens import Tokens, tokens_of  # noqa: E402
from training.policy.evidence import Evidence  # noqa: E402
from training.policy.model import listwise_loss  # noqa: E402
from training.reader import decisions as reader_decisions  # noqa: E402
from training.reader.decisions import CANDIDATES, Decision, decisions_of, make_proofs, pairs  # noqa: E402
from training.reader.proofs import (  # noqa: E402
    Proofs,
    Texts,
    claim_log_probabilities,
    decision_loss,
    digest,
    hits,
    plan_proofs,
)

CPU = torch.device("cpu")
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
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Tokens:
    file = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    write_gguf(file)
    return tokens_of(Gguf(file))


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


def test_a_text_is_what_mcse_has_scored(drawn: list[Decision], tokens: Tokens) -> None:
    one = next(one for one in drawn if len(one.paths[0]) == 2)
    pair = Strength(one.claim, one.paths[0], McseOptions()).pair((0, 1))
    assert pairs(one.claim, one.paths)[0] == (pair.prompt, pair.continuation)
    proofs = make_proofs([one], tokens)
    ids = proofs.tokens[: proofs.lengths[0]].tolist()
    assert ids[0] == tokens.vocabulary["<|endoftext|>"]  # it begins a document
    assert tokens.decode(ids[proofs.cuts[0] :]) == f" {one.claim}"
    assert tokens.decode(ids[1:]) == pair.prompt + pair.continuation


def test_too_long_a_text_leaves_its_decision_out(drawn: list[Decision], tokens: Tokens) -> None:
    long = replace(drawn[0], paths=(*drawn[0].paths[:-1], ("word " * 400,)))
    proofs = make_proofs([long, drawn[1]], tokens)
    assert len(proofs.decisions(choose=False)) == 1
    assert len(proofs.starts) == len(drawn[1].paths)


def test_steps_compare_whole_decisions_and_only_those_for_training(
    drawn: list[Decision], tokens: Tokens, tmp_path: Path
) -> None:
    made = make_proofs(drawn, tokens)
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


def test_a_text_is_not_read_past_its_end(drawn: list[Decision], tokens: Tokens) -> None:
    proofs = make_proofs(drawn, tokens)
    texts, model = Texts.on(CPU, proofs), tiny_llama(int(proofs.tokens.max()) + 8)
    short, long = int(np.argmin(proofs.lengths)), int(np.argmax(proofs.lengths))
    with torch.no_grad():
        alone = claim_log_probabilities(model, texts, np.array([short]))
        together = claim_log_probabilities(model, texts, np.array([short, long]))
        ids = proofs.tokens[proofs.starts[short] :][: proofs.lengths[short]].astype(np.int64)
        chances = model(torch.from_numpy(ids)[None]).logits[0].log_softmax(-1)
    claim = np.arange(proofs.cuts[short], len(ids))
    assert float(alone[0]) == pytest.approx(float(chances[claim - 1, ids[claim]].sum()), abs=1e-3)
    assert float(together[0]) == pytest.approx(float(alone[0]), abs=1e-3)


@pytest.mark.slow
def test_the_claim_becomes_likeliest_after_what_carries_it(drawn: list[Decision], tokens: Tokens) -> None:
    proofs = make_proofs(drawn, tokens)
    texts, model = Texts.on(CPU, proofs), tiny_llama(int(proofs.tokens.max()) + 8)
    model.requires_grad_(False)
    optimizer = torch.optim.AdamW(add_adapters(model, rank=4, scale=2.0), lr=1e-2)
    losses = []
    for numbers in plan_proofs(proofs, steps=24, tokens=2000, seed=2):
        loss = decision_loss(model, texts, numbers)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    assert hits(model, texts)["hit multirc"] >= 0.9


def test_the_command_writes_decisions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_gguf(tmp_path / "tiny.gguf")
    write_sources(tmp_path / "data", reported_from=30)
    monkeypatch.setattr(reader_decisions, "DECISIONS", {"hotpotqa_bare": 20})
    words = f"proofs --data {tmp_path}/data --base {tmp_path}/tiny.gguf --out {tmp_path}/p.npz"
    large.commands().run(words.split())
    assert "texts of decisions" in capsys.readouterr().out
    facts = json.loads((tmp_path / "p.json").read_text())
    assert facts == digest(Proofs.load(tmp_path / "p.npz"))
    assert facts["decisions"]["hotpotqa_bare"] >= 20
