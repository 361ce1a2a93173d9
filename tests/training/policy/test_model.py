"""The encoder and what is exported of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from policy_examples import tokenizer_of
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from probative.models.embedded.encoder import EmbeddedPolicy
from probative.models.embedded.shipped import policy as policy_source
from probative.models.embedded.store import ready_weights
from training.policy.evidence import Evidence
from training.policy.examples import Examples
from training.policy.export import LICENCES, export_policy
from training.policy.groups import Sampler
from training.policy.model import Policy, packed, scores_of
from training.policy.sources import SOURCES
from training.policy.training import save_policy


def test_packing_marks_the_second_part_of_each_sequence() -> None:
    rows = [np.array([101, 7, 102, 8, 102], np.int32), np.array([101, 102, 9], np.int32)]
    tokens, kinds, lengths = packed(rows, [3, 2])
    assert tokens.tolist() == [101, 7, 102, 8, 102, 101, 102, 9]
    assert kinds.tolist() == [0, 0, 0, 1, 1, 0, 0, 1]
    assert lengths.tolist() == [5, 3]


def test_the_encoder_computes_what_transformers_computes(examples: Examples, base: Path) -> None:
    policy = Policy.from_folder(base).eval()
    torch.nn.init.normal_(policy.head.weight, generator=torch.Generator().manual_seed(1))
    group = Sampler(examples).state(0, [2])
    with torch.inference_mode():
        scores = scores_of(policy, group.sequences, group.seconds, most_tokens=40)
        for row, second, score in zip(group.sequences, group.seconds, scores, strict=True):
            tokens = torch.from_numpy(row.astype(np.int64))[None]
            kinds = (torch.arange(len(row)) >= second).long()[None]
            states = policy.encoder(input_ids=tokens, token_type_ids=kinds).last_hidden_state[0]
            wanted = policy.head(torch.cat([states[0], states.mean(0)]))
            assert float(score) == pytest.approx(float(wanted), abs=1e-4)


@pytest.mark.model
def test_what_is_exported_scores_as_what_was_trained(
    examples: Examples, rows: list[Evidence], base: Path, tmp_path: Path
) -> None:
    policy, trained, shipped = Policy.from_folder(base).eval(), tmp_path / "trained", tmp_path / "shipped"
    torch.nn.init.normal_(policy.head.weight, generator=torch.Generator().manual_seed(1))
    trained.mkdir()
    save_policy(policy, trained, base)
    words = tokenizer_of(rows).get_vocab()
    vocabulary = {f"[unused{at}]": at for at in range(160) if at not in words.values()}
    tokenizer = Tokenizer(WordLevel({**vocabulary, **words}, unk_token="[UNK]"))
    tokenizer.save(str(trained / "tokenizer.json"))
    examples.save(tmp_path / "all.npz")
    manifest = export_policy(trained, trained / "tokenizer.json", shipped, examples=tmp_path / "all.npz")
    assert manifest["data"]["fever"] == {
        "licence": "FEVER as in ERASER, CC BY-SA 3.0",
        "train": 32,
        "choose": 8,
    }
    assert set(LICENCES) >= set(SOURCES)
    group = Sampler(examples).state(0, [2])
    with torch.inference_mode():
        wanted = scores_of(policy, group.sequences, group.seconds).numpy()
    embedded = EmbeddedPolicy(ready_weights(policy_source(shipped), tmp_path / "cache")).scores(
        tuple(row.tolist()) for row in group.sequences
    )
    scores = [embedded[tuple(row.tolist())] for row in group.sequences]
    assert scores == pytest.approx(wanted.tolist(), abs=0.1 * float(np.std(wanted)) + 0.05)
    assert np.corrcoef(wanted, scores)[0, 1] > 0.99
