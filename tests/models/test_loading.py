from __future__ import annotations

from pathlib import Path

import pytest

from probative import (
    CapabilityError,
    InputError,
    SettingsError,
    Trace,
    load_encoder,
    load_model,
    load_models,
    step,
)
from probative.models.structured import generate_objects
from probative.settings import load_settings
from probative.testing import LoopbackServer, ScriptedModel
from probative.testing.server import default_answer
from probative.types import Usage


def test_a_loaded_model_caches_and_traces() -> None:
    with LoopbackServer() as server:
        model = load_model("openai:x", base_url=server.base_url)
        with Trace("run") as trace:
            with step("first"):
                model.generate(["q"])
            with step("second"):
                model.generate(["q"])
        model.close()
        assert server.seen["/v1/chat/completions"] == 1
    first, second = trace.root.steps
    assert (first.usage.calls, second.usage.calls, second.usage.cached) == (1, 0, 1)
    (call,) = first.calls
    assert call.request["messages"][0]["content"] == "q"
    assert call.result is not None
    assert call.result["text"] == default_answer("q")
    assert trace.root.to_dict()["steps"][0]["calls"][0]["verb"] == "generate"


def test_a_trace_keeps_failures_too() -> None:
    with LoopbackServer(answer=lambda asked: "") as server:
        model = load_model("openai:x", base_url=server.base_url, retries=0)
        with Trace("run") as trace, pytest.raises(Exception, match="wrote nothing"):
            model.generate(["q"])
        model.close()
    assert "wrote nothing" in (trace.root.calls[0].error or "")


def test_the_cache_can_be_left_out() -> None:
    with LoopbackServer() as server:
        model = load_model("openai:x", base_url=server.base_url, cache=False)
        model.generate(["q"])
        model.generate(["q"])
        model.close()
        assert server.seen["/v1/chat/completions"] == 2


def test_a_judge_is_a_model_of_its_own_and_shares_the_budget() -> None:
    with LoopbackServer() as server, LoopbackServer(answer=lambda asked: "judged") as other:
        models = load_models(
            model="openai:small",
            judge_model="openai:large",
            base_url=server.base_url,
            judge_base_url=other.base_url,
            budget_calls=3,
        )
        assert models.model.generate(["q"])[0].text == default_answer("q")
        assert models.judge.generate(["q"])[0].text == "judged"
        models.judge.generate(["r"])
        with pytest.raises(Exception, match="3 calls"):
            models.model.generate(["s"])
        assert [body["model"] for body in other.bodies] == ["large", "large"]
        for model in models:
            model.close()


def test_without_a_judge_the_model_judges() -> None:
    models = load_models(model="openai:x", base_url="http://127.0.0.1:9/v1")
    assert models.judge is models.model


def test_a_dry_run_makes_no_call_and_counts_what_it_would_make() -> None:
    from pydantic import BaseModel

    class Answer(BaseModel):
        parts: list[str]
        sure: bool

    inner = ScriptedModel(generate=["never asked"], score=lambda p, c: 0.0, choose=lambda p, o: [1, 1])
    dry = load_model(inner, dry_run=True)
    (parsed,) = generate_objects(dry, ["three words here"], Answer)
    assert isinstance(parsed.value, Answer)
    (score,) = dry.score([("two words", " more")])
    (choice,) = dry.choose(["pick"], ["a", "b"])
    assert inner.asked == []
    assert parsed.usage == Usage(calls=1, prompt_tokens=3, completion_tokens=256)  # the most, of a prompt
    assert (score.usage, choice.usage) == (Usage(calls=1, scored_tokens=3), Usage(calls=1, scored_tokens=3))


@pytest.mark.parametrize("name", ["embedded", "embedded:large", "hf:nobody/nothing"])
def test_a_dry_run_loads_and_fetches_no_weights(name: str, tmp_path: Path) -> None:
    settings = load_settings({"model": name, "home": tmp_path / "nothing"})
    with load_model(dry_run=True, settings=settings) as model:
        (completion,) = model.generate(["How many?"])
        assert (model.name, completion.finish_reason) == (name, "dry-run")
        assert completion.usage.prompt_tokens > 0
    assert not (tmp_path / "nothing/weights").exists()


def test_a_dry_run_never_fills_the_cache() -> None:
    from probative import ResponseCache
    from probative.settings import load_settings

    load_model("openai:x", base_url="http://127.0.0.1:9/v1", dry_run=True).generate(["q"])
    assert ResponseCache(load_settings().cache_file).summary().results == 0


@pytest.mark.parametrize("name", ["gpt-4o", "opanai:x", "openai:", "embedded:big", "hf:"])
def test_a_name_that_is_none_says_what_is_meant(name: str) -> None:
    with pytest.raises(InputError) as caught:
        load_model(name)
    assert caught.value.hint


def test_an_encoder_is_named_like_a_model() -> None:
    with pytest.raises(InputError, match="no encoder called") as caught:
        load_encoder("minilm")
    assert "openai:minilm" in caught.value.hint


def test_an_option_that_is_no_setting_is_refused() -> None:
    with pytest.raises(SettingsError, match="base_ulr"):
        load_model("openai:x", base_ulr="http://x")


def test_models_of_other_packages_are_found_by_their_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    from probative import registry

    point = EntryPoint("mine", "tests_entry:open_model", "probative.models")
    import sys
    import types

    module = types.ModuleType("tests_entry")
    module.open_model = lambda rest, settings: ScriptedModel(generate=[rest])  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tests_entry", module)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    assert load_model("mine:hello").generate(["q"])[0].text == "hello"
    with pytest.raises(CapabilityError):
        load_model("mine:hello").score([("a", "b")])
