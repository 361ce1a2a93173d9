"""What a dry run estimates, beside what a run with a scripted model costs."""

from __future__ import annotations

import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bench_plugin import write_data
from planned import other_model, other_policy, other_reply, other_verdict, write_all_sets
from word_vectors import WordVectors

from probative import Session, load_settings
from probative.bench import plan as planning
from probative.bench.families.coe.study import ContextStudy
from probative.bench.plan import Plan, plan_run
from probative.bench.registry import EXPERIMENTS, load_experiment
from probative.bench.study import Lab, Settings
from probative.bench.worker import Models
from probative.models.items import ITEMS
from probative.models.types import Pair, Request, Selection
from probative.testing import ScriptedModel
from probative.types import Usage, total

EXAMPLES = Path(__file__).parents[2] / "examples"
# The items of a study, few enough that it takes seconds; of dear ones, three sizes of each set are sampled.
# Whether evidence is a chain decides what a candidate costs, so more candidates are needed.
LIMIT, SAMPLED = 8, (1 / 2, 1 / 6, 5 / 6)
CANDIDATES, FEW = 40, 3
DEAR = ("answers", "open-answers", "rules", "reason-options", "attack", "mcse-search-size", "mcse-ablation")
# On a busy machine, fewer items would be sampled in half a minute: a test has hours, or a clock of its own.
HOURS = 7200.0
# The seconds that an item takes by that clock, so that half a minute is over before all have been tried.
SECONDS_EACH = {"coe-noise": 1.25, "chains": 4, "false-passages": 4, "give-shapes": 2}
# What is learned from the graph asks no language model.
OPTIONS: dict[str, dict[str, Any]] = {
    "veracity": {"kinds": "known"},
    "give-encoders": {"encoders": [WordVectors()]},
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_all_sets(tmp_path_factory.mktemp("data"))


def cost_of(model: ScriptedModel) -> Usage:
    """Return what the different items that a model was asked have cost: a run keeps each result."""
    items = {item.to_json(): item for item in model.asked}.values()
    return total(cost for item in items for cost in [_cost(model, item)])


def _cost(model: ScriptedModel, item: Request | Pair | Selection) -> Usage:
    """Return the cost of an item, a reply with the tokens that it has."""
    verb = {Request: "generate", Pair: "score", Selection: "choose"}[type(item)]
    most = ITEMS[verb].cost(model, [item])
    if not isinstance(item, Request):
        return most
    return most.model_copy(update={"completion_tokens": model.count_tokens(other_reply(item))})


@pytest.mark.parametrize("name", EXPERIMENTS.names())
def test_the_estimate_of_every_study_is_within_a_factor_of_two(
    name: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sampled = SAMPLED if name.startswith(("mcse", "give", "reason", "attack")) else planning.SIZES[:15]
    monkeypatch.setattr(planning, "SIZES", sampled)
    assert_within_a_factor_of_two(name, data, HOURS)


@pytest.mark.parametrize("name", SECONDS_EACH)
def test_the_estimate_is_within_a_factor_of_two_when_the_half_minute_is_over(
    name: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(monotonic=itertools.count(0, SECONDS_EACH[name]).__next__)
    monkeypatch.setattr(planning, "time", clock)
    plan = assert_within_a_factor_of_two(name, data, planning.SECONDS)
    assert 0 < plan.sampled < plan.cases


def assert_within_a_factor_of_two(name: str, data: Path, seconds: float) -> Plan:
    """Compare the estimate of a study with what the same cases cost with a scripted model."""
    study = load_experiment(name)
    candidates = isinstance(study, ContextStudy)
    folder = EXAMPLES if "example-corpus" in study.data else data
    limit = CANDIDATES if candidates else FEW if name in DEAR else LIMIT
    settings = Settings(folder, limit=limit, options=OPTIONS.get(name))
    model, judge = other_model("studied"), other_model("judge")
    chosen = load_settings({"cache": False})
    plan = plan_run(study, settings, Models(chosen, model=model, judge=judge), seconds=seconds)
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
    for usage, asked in ((plan.usage, model), (plan.judge_usage, judge)):
        real = cost_of(asked)
        for counted in ("calls", "prompt_tokens", "completion_tokens", "scored_tokens"):
            estimated, made = getattr(usage, counted), getattr(real, counted)
            told = f"{estimated} {counted} estimated of {asked.name}, {made} made"
            assert made / 2 <= estimated <= 2 * made, told
    return plan


@pytest.mark.usefixtures("plugin")
def test_items_that_rarely_ask_anything_are_looked_for_until_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = load_experiment("harbour-closed-book")
    settings, models = Settings(write_data(tmp_path, 25)), Models(load_settings({"cache": False}))
    answer, seen, asking = type(study).answer, [], set[str]()

    def rare(self: Any, case: Any, lab: Lab) -> Any:
        seen.append(case.content.id)
        return answer(self, case, lab) if not asking or case.content.id in asking else {}

    monkeypatch.setattr(type(study), "answer", rare)
    plan = plan_run(study, settings, models, seconds=HOURS)
    assert (plan.cases, plan.sampled, len(seen), plan.usage.calls) == (100, 63, 63, 100)
    asking.update(case.content.id for case in study.cases(settings) if case.content.id not in seen)
    assert len(asking) == 37
    plan = plan_run(study, settings, models, seconds=HOURS)
    assert plan.sampled == 64  # one more, of which each stands for a 64th of all
    assert plan.usage.calls == 2
