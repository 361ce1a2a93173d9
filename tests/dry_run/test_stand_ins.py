"""What a dry run of each verb estimates, beside what a scripted model that replies otherwise costs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from planned import other_model, other_policy, other_verdict
from word_vectors import WordVectors

from probative import Session
from probative.dry_run.planned import NOTE
from probative.models.loading import MODELS
from probative.settings import load_settings

QUESTION = "In which town was the ferry built that Ole Brandt commanded?"
PASSAGES = [
    "Ole Brandt commanded the ferry Lark for nine years, until the pier was closed.",
    "The ferry Lark was built in Molde in 1890 by the brothers Holm.",
    "Ole Brandt was born in Bergen. His father kept the light at Ulvsund.",
    "Tar is made of pine. It keeps rope and planks from rotting.",
    "The ferry Heron was built in Stavanger, and sold for scrap in 1931.",
    "The pier of Ulvsund was closed in 1921. It was opened again in 1946.",
]
TEXT = " ".join(PASSAGES)
DRAFT = "Ole Brandt commanded the Lark. The Lark was built in Molde. Tar is made of salt."
CLAIM = "The ferry that Ole Brandt commanded was built in Molde."
THINGS = ("tar", "salt", "rot", "rust", "rope", "heron", "mill", "pier", "ferry", "tide", "oak", "fog")
GRAPH = [
    (head, ("stops", "harms", "needs")[row % 3], tail)
    for row, (head, tail) in enumerate(list(itertools.permutations(THINGS, 2))[::3])
]
BY_MODEL = "judge by the model"
ASKED = "Does tar stop the rust of a pier?"

Run = Callable[[Session], Any]
RUNS: dict[str, Run] = {
    **{
        f"ask {preset}": lambda session, preset=preset: session.ask(QUESTION, PASSAGES, preset=preset)
        for preset in ("paper", "calls", "words", "embedded")
    },
    "ask reader": lambda session: session.ask(QUESTION, PASSAGES, preset="embedded"),
    "ask reader evidence": lambda session: session.ask(QUESTION, PASSAGES, preset="large"),
    "ask sources": lambda session: session.ask(QUESTION, PASSAGES, preset="words", min_sources=2),
    **{
        f"ask {method}": lambda session, method=method: session.ask(QUESTION, PASSAGES, method=method)
        for method in ("rag", "closed-book", "cot-sc", "verify-edit")
    },
    "ask verify-edit edited": lambda session: session.ask(
        QUESTION, PASSAGES, method="verify-edit", edit="unless-unanimous"
    ),
    "check": lambda session: session.check(QUESTION, PASSAGES, preset="calls"),
    **{
        f"prove {method}": lambda session, method=method: session.prove(CLAIM, TEXT, k=2, method=method)
        for method in ("mcse", "learned", "embedding", "llm-pick", "llm-rerank", "rankgpt")
    },
    "judge": lambda session: session.judge(CLAIM, TEXT),
    "judge by the model": lambda session: session.judge(CLAIM, TEXT),
    "verify": lambda session: session.verify(DRAFT, PASSAGES),
    "annotate": lambda session: session.annotate(CLAIM, TEXT),
    **{
        f"reason {preset}": lambda session, preset=preset: session.reason(ASKED, GRAPH, preset=preset)
        for preset in ("paper", "calls", "small")
    },
    **{
        f"reason {method}": lambda session, method=method: session.reason(ASKED, GRAPH, method=method)
        for method in ("direct", "cot", "rag", "tog", "graphrag")
    },
}


@pytest.fixture(autouse=True)
def _scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS._entries, "scripted", "planned:open_scripted")


def planned(name: str, run: Run) -> Any:
    settings = load_settings({"cache": False, "verdict": "model" if name == BY_MODEL else None})
    with Session(f"scripted:{name}", settings=settings, dry_run=True) as session:
        return run(session)


@pytest.mark.parametrize("name", RUNS)
def test_the_estimate_of_every_verb_is_within_a_factor_of_two(name: str) -> None:
    plan = planned(name, RUNS[name])
    with Session(
        other_model(name),
        encoder=WordVectors(),
        policy=other_policy(),
        verdict="model" if name == BY_MODEL else other_verdict(),
        settings=load_settings({"cache": False}),
    ) as session:
        real = RUNS[name](session)
    for counted in ("calls", "tokens"):
        estimated, cost = getattr(plan.usage, counted), getattr(real.usage, counted)
        assert cost / 2 <= estimated <= 2 * cost, f"{estimated} {counted} estimated, {cost} made"
    assert plan.notes[0] == NOTE
