"""What a dry run gives: the case and the cost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from probative import InputError, ResponseCache, Session, Verdict, load_model
from probative.dry_run.planned import NOTE
from probative.settings import load_settings
from probative.testing import LoopbackServer, ScriptedModel, ScriptedPolicy, ScriptedVerdict

TEXTS = ["Ada Berg commanded the Sea Lark.", "The Sea Lark was built in Molde."]
QUESTION = "In which town was the ship built that Ada Berg commanded?"
GRAPH = [("tar", "stops", "rot"), ("rot", "harms", "oak"), ("salt", "harms", "tar")]


def runs(session: Session) -> dict[str, Any]:
    """Run every verb once."""
    return {
        "ask": session.ask(QUESTION, TEXTS),
        "check": session.check(QUESTION, TEXTS),
        "prove": session.prove("The Sea Lark was built in Molde.", TEXTS, k=1),
        "judge": session.judge("The Sea Lark was built in Molde.", TEXTS),
        "verify": session.verify("The Sea Lark was built in Molde.", TEXTS),
        "annotate": session.annotate("The Sea Lark was built in Molde.", TEXTS),
        "reason": session.reason("Does tar stop rot?", GRAPH),
    }


def test_no_verb_calls_or_caches_anything_and_every_result_says_that_it_is_a_plan() -> None:
    with LoopbackServer() as server:
        names = {"model": "openai:m", "judge_model": "openai:j", "encoder": "openai:e"}
        settings = load_settings({**names, "base_url": server.base_url})
        with Session(settings=settings, dry_run=True) as session:
            results = runs(session)
        assert sum(server.seen.values()) == 0
    assert ResponseCache(settings.cache_file).summary().results == 0
    assert not (settings.home_folder / "graphs").exists()
    for result in results.values():
        assert result.notes == (NOTE,)
        assert result.usage.calls > 0
        assert result.trace.usage == result.usage.model_copy(update={"seconds": result.trace.usage.seconds})


def test_nothing_in_a_plan_looks_like_a_result() -> None:
    with Session(dry_run=True) as session:
        results = runs(session)
    assert (results["ask"].answer, results["ask"].chain, results["ask"].verdict) == (
        None,
        (),
        Verdict.INSUFFICIENT,
    )
    assert (results["check"].complete, results["check"].judgements) == (False, ())
    assert (results["prove"].evidence, results["prove"].verdict) == ((), None)
    assert len(set(results["judge"].probabilities.to_dict().values())) == 1
    assert results["verify"].claims == ()
    assert (results["annotate"].evidence, results["annotate"].raw) == ((), "")
    assert (results["reason"].answer, results["reason"].groups) == (None, ())
    assert json.loads(results["ask"].to_json())["question"] == QUESTION


def test_a_call_in_the_trace_of_a_plan_ended_as_a_dry_run() -> None:
    with Session(
        "openai:m", settings=load_settings({"base_url": "http://127.0.0.1:9/v1"}), dry_run=True
    ) as session:
        planned = session.annotate("The Sea Lark was built in Molde.", TEXTS)
    assert planned.trace is not None
    (call,) = planned.trace.steps[0].calls
    assert call.result is not None
    assert call.result["finish_reason"] == "dry-run"


def test_opened_models_are_refused_and_other_opened_tools_are_not_called() -> None:
    for models in ({"model": ScriptedModel(generate="so")}, {"judge_model": ScriptedModel(generate="so")}):
        with pytest.raises(InputError, match="a dry run needs the name of the model"):
            Session(dry_run=True, **models)

    def never(item: Any) -> Any:
        raise AssertionError("called")

    with Session(dry_run=True, policy=ScriptedPolicy(never), verdict=ScriptedVerdict(never)) as session:
        assert session.ask(QUESTION, TEXTS).usage.calls > 0


def test_a_session_of_a_model_that_was_loaded_for_a_dry_run_is_one() -> None:
    model = ScriptedModel(generate="Molde", score=lambda prompt, text: -1.0)
    with Session(load_model(model, dry_run=True)) as session:
        assert session.dry_run
        assert session.ask(QUESTION, TEXTS, method="rag").answer is None
        other = ScriptedModel(generate="Oslo")
        assert session.with_model(other).ask(QUESTION, TEXTS, method="rag").answer is None
    assert (model.asked, other.asked) == ([], [])
