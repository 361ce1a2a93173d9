"""The training, and the figures that choose the best state."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from policy_examples import PLAN

from training.policy.evaluation import Chosen, choose, figures
from training.policy.evidence import Evidence
from training.policy.examples import Examples
from training.policy.groups import Sampler
from training.policy.model import Policy, distilled_loss, scores_of
from training.policy.training import train_policy


def test_figures_by_hand(examples: Examples, rows: list[Evidence]) -> None:
    gold = sorted(rows[1].gold)
    wrong = next(place for place in range(4) if place not in gold)
    whole = Chosen(1, order=[*gold, wrong], stopped_at=2, stopped_by=-2, nothing=[0.1])
    half = Chosen(
        3, order=[min(rows[3].gold), *(p for p in range(4) if p not in rows[3].gold)], nothing=[0.2]
    )
    measured = figures(examples, [whole, half])["hotpotqa"]
    assert measured["f1"] == pytest.approx(75.0)
    assert measured["all"] == pytest.approx(50.0)
    # the first stopped with both; the second never did: 1 of 3 is right, of 2
    assert measured["stop_f1"] == pytest.approx(100 * (1 + 2 / 5) / 2)


def mean_f1(policy: Policy, examples: Examples) -> float:
    measured = figures(examples, choose(policy, examples, list(range(0, 80, 5))))
    return float(np.mean([row["f1"] for row in measured.values()]))


@pytest.mark.slow
def test_training_learns_and_keeps_the_best_state(
    examples: Examples, base: Path, trained: tuple[Path, Path, dict[str, Any]]
) -> None:
    _, out, manifest = trained
    assert manifest["steps"] == PLAN.steps
    assert mean_f1(Policy.from_folder(out), examples) > mean_f1(Policy.from_folder(base), examples)
    rows = manifest["best"]["figures"].values()
    assert manifest["best"]["score"] == pytest.approx(np.mean([row["f1"] + row["all"] for row in rows]) / 2)


@pytest.mark.slow
def test_training_continues_from_its_checkpoint(
    base: Path, trained: tuple[Path, Path, dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, manifest = trained
    again = tmp_path / "again"
    shutil.copytree(out, again)
    more = train_policy(file, base, again, replace(PLAN, steps=PLAN.steps + 2, every=100), "cpu")
    assert more["steps"] == PLAN.steps + 2
    assert more["best"]["score"] >= manifest["best"]["score"]
    assert json.loads((again / "manifest.json").read_text(encoding="utf-8"))["steps"] == PLAN.steps + 2


@pytest.mark.slow
def test_a_policy_learns_from_a_trained_one(
    examples: Examples, base: Path, trained: tuple[Path, Path, dict[str, Any]], tmp_path: Path
) -> None:
    file, teacher, _ = trained
    plan = replace(PLAN, steps=12, every=12, teachers=str(teacher))
    train_policy(file, base, tmp_path / "pupil", plan, "cpu")
    groups = [Sampler(examples).state(number, []) for number in range(0, 80, 5)]

    def distance(folder: Path) -> float:
        """The mean cross entropy of a policy's probabilities under the teacher's."""
        taught, mine = Policy.from_folder(teacher).eval(), Policy.from_folder(folder).eval()
        with torch.inference_mode():
            losses = [
                distilled_loss(
                    scores_of(mine, group.sequences, group.seconds),
                    scores_of(taught, group.sequences, group.seconds).softmax(0),
                    torch.zeros(len(group.sequences), dtype=torch.long),
                    1,
                )
                for group in groups
            ]
        return float(torch.stack(losses).mean())

    assert distance(tmp_path / "pupil") < distance(base)
