"""What a dry run estimates, beside what a run with a scripted model costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from planned import other_model, other_policy, other_verdict, write_all_sets
from word_vectors import WordVectors

from probative import Session, load_settings
from probative.bench import plan as planning
from probative.bench.families.coe.study import ContextStudy
from probative.bench.plan import plan_run
from probative.bench.registry import EXPERIMENTS, load_experiment
from probative.bench.study import Lab, Settings
from probative.bench.worker import Models
from probative.testing import ScriptedModel

EXAMPLES = Path(__file__).parents[2] / "examples"
# The items of a study, few enough that it takes seconds; of dear ones, three sizes of each set are sampled.
# Whether evidence is a chain decides what a candidate costs, so more candidates are needed.
LIMIT, SAMPLED = 8, (1 / 2, 1 / 6, 5 / 6)
CANDIDATES, FEW = 40, 3
DEAR = ("answers", "open-answers", "rules", "reason-options", "attack", "mcse-search-size", "mcse-ablation")
# What is learned from the graph asks no language model.
OPTIONS: dict[str, dict[str, Any]] = {
    "veracity": {"kinds": "known"},
    "give-encoders": {"encoders": [WordVectors()]},
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_all_sets(tmp_path_factory.mktemp("data"))


def different(model: ScriptedModel) -> int:
    """Return how many different items a model was asked: a run keeps each result."""
    return len({item.to_json() for item in model.asked})


@pytest.mark.parametrize("name", EXPERIMENTS.names())
def test_the_estimate_of_every_study_is_within_a_factor_of_two(
    name: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = load_experiment(name)
    candidates = isinstance(study, ContextStudy)
    if name.startswith(("mcse", "give", "reason", "attack")):
        monkeypatch.setattr(planning, "SIZES", SAMPLED)
    folder = EXAMPLES if "example-corpus" in study.data else data
    limit = CANDIDATES if candidates else FEW if name in DEAR else LIMIT
    settings = Settings(folder, limit=limit, options=OPTIONS.get(name))
    model, judge = other_model("studied"), other_model("judge")
    chosen = load_settings({"cache": False})
    plan = plan_run(study, settings, Models(chosen, model=model, judge=judge))
    assert (model.asked, judge.asked) == ([], [])
    with (
        Session(
            model, encoder=WordVectors(), policy=other_policy(), verdict=other_verdict(), settings=chosen
        ) as session,
        Session(judge, settings=chosen) as judging,
    ):
        lab = Lab(session, judging, settings)
        for case in study.cases(settings):
            try:
                study.run(case, lab)
            except Exception:  # a case that fails has cost something, too
                continue
    for estimated, asked in ((plan.usage.calls, model), (plan.judge_usage.calls, judge)):
        real = different(asked)
        assert real / 2 <= estimated <= 2 * real, f"{estimated} calls estimated of {asked.name}, {real} made"
