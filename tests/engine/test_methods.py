"""Methods: found by name, with their options checked; other packages add theirs with entry points."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import pytest

import probative
from probative import registry
from probative.engine.methods import Method, MethodChoice, Methods, Tools
from probative.engine.search import Search
from probative.errors import InputError
from probative.mcse.result import McseResult, ProofSentence
from probative.types import Value
from probative.verbs.ask import METHODS as ASK_METHODS
from probative.verbs.prove import METHODS as PROVE_METHODS
from probative.verbs.reason import METHODS as REASON_METHODS


class LastOptions(Value):
    score: float = 1.0


def by_last(
    claim: str, sentences: list[str], k: Any, tools: Tools, options: LastOptions
) -> Search[McseResult]:
    yield from ()
    index = len(sentences) - 1
    return McseResult([ProofSentence(index=index, text=sentences[index], score=options.score)])


LAST = Method(by_last, LastOptions)


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("last", "last_method:LAST", "probative.prove_methods")
    monkeypatch.setitem(sys.modules, "last_method", SimpleNamespace(LAST=LAST))
    monkeypatch.setattr(registry, "entry_points", lambda group: [point] if group == point.group else [])


def test_a_method_of_another_package_is_used_by_name(plugged: None) -> None:
    proof = probative.prove(
        "It snows.", ["It rains.", "It snows now."], method="last", verdict=False, score=2.0
    )
    assert proof.indexes == (1,)
    assert proof.method == "last"
    assert proof.evidence[0].score == 2.0
    with pytest.raises(InputError, match="last has no option 'speed'"):
        probative.prove("It snows.", ["It snows."], method="last", speed=2)
    with pytest.raises(InputError, match="last has no presets"):
        probative.prove("It snows.", ["It snows."], method="last", preset="fast")


@pytest.mark.parametrize("methods", [ASK_METHODS, PROVE_METHODS, REASON_METHODS])
def test_every_method_can_be_loaded_and_has_options_with_defaults(methods: Methods) -> None:
    for name in methods.entries():
        chosen = methods.choose(MethodChoice(name), "openai:some")
        assert isinstance(chosen.options, chosen.method.options)
        assert callable(chosen.run)


def test_a_preset_an_options_object_and_changes_come_together() -> None:
    chosen = PROVE_METHODS.choose(MethodChoice("mcse", "paper", changes={"lookahead": 1}))
    assert (chosen.options.lookahead, chosen.options.max_candidates) == (1, None)
    given = PROVE_METHODS.choose(MethodChoice("mcse", options=chosen.options, changes={"lookahead": 2}))
    assert (given.options.lookahead, given.options.max_candidates) == (2, None)
    with pytest.raises(InputError, match="the options of mcse are McseOptions, not LastOptions"):
        PROVE_METHODS.choose(MethodChoice("mcse", options=LastOptions()))
    with pytest.raises(InputError, match="there is no preset 'slow'"):
        PROVE_METHODS.choose(MethodChoice("mcse", "slow"))


def test_a_seed_reaches_the_options_of_a_baseline_that_draws() -> None:
    assert REASON_METHODS.choose(MethodChoice("tog", seed=7)).options.seed == 7
    assert REASON_METHODS.choose(MethodChoice("tog", seed=7, changes={"seed": 3})).options.seed == 3
