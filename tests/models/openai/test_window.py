"""How many tokens a server's model reads: by a setting, by what each kind of server says, by a table."""

from __future__ import annotations

from typing import Any

import pytest
from servers import QUICK, Saying, model_at

from probative import ContextError, Request, SettingsError, load_model
from probative.models.loading import judge_settings
from probative.models.openai.connection import Connection
from probative.models.openai.model import OpenAIModel
from probative.models.openai.window import FILLED, Window
from probative.session.pool import model_key
from probative.settings import Settings, load_settings


def window_of(
    says: dict[str, Any], model: str = "m", setting: int | None = None
) -> tuple[int | None, list[str]]:
    """The window of a model at a server that says this of itself, and the paths that were asked for it."""
    with Saying(says) as server:
        window = Window(Connection(base_url=server.base_url, **QUICK), model, setting)
        assert window.known == (None if setting is None else int(setting * FILLED))
        tokens = window.tokens
        assert window.tokens == tokens  # it is asked once
        return tokens, server.told


def listed(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"/v1/models": {"object": "list", "data": list(entries)}}


def test_vllm_lists_the_window_of_each_model() -> None:
    says = listed({"id": "other", "max_model_len": 512}, {"id": "m", "max_model_len": 8192})
    assert window_of(says) == (int(8192 * FILLED), ["/v1/models"])


@pytest.mark.parametrize("field", ["context_length", "context_window", "max_context_length"])
def test_hosts_of_many_models_have_other_names_for_it(field: str) -> None:
    assert window_of(listed({"id": "m", field: 32_768}))[0] == int(32_768 * FILLED)


def test_llama_cpp_has_the_window_of_a_slot_beside_that_of_the_training() -> None:
    entry = {
        "id": "../models/m.gguf",
        "owned_by": "llamacpp",
        "meta": {"n_ctx": 4096, "n_ctx_train": 131_072},
    }
    assert window_of(listed(entry)) == (int(4096 * FILLED), ["/v1/models"])


def test_an_older_llama_cpp_is_asked_for_its_properties() -> None:
    says = listed({"id": "m.gguf", "meta": {"n_ctx_train": 131_072}})
    says["/props"] = {"default_generation_settings": {"n_ctx": 2048}, "total_slots": 4}
    assert window_of(says) == (int(2048 * FILLED), ["/v1/models", "/props"])


def test_without_properties_the_window_of_the_training_counts() -> None:
    assert window_of(listed({"id": "m.gguf", "meta": {"n_ctx_train": 131_072}}))[0] == int(131_072 * FILLED)


def test_ollama_says_the_window_of_a_model_that_is_loaded() -> None:
    says = listed({"id": "qwen3:latest", "owned_by": "library"})
    says["/api/ps"] = {"models": [{"model": "qwen3:latest", "context_length": 4096}]}
    assert window_of(says, "qwen3") == (int(4096 * FILLED), ["/v1/models", "/props", "/api/ps"])


def test_ollama_loads_a_model_before_it_can_say_its_window() -> None:
    running: list[dict[str, Any]] = [{"model": "other:latest", "context_length": 512}]

    def load(body: dict[str, Any]) -> dict[str, Any]:
        assert "prompt" not in body
        running.append({"model": body["model"], "context_length": 16_384})
        return {"done": True}

    says: dict[str, Any] = {"/api/ps": lambda body: {"models": running}, "/api/generate": load}
    told = ["/v1/models", "/props", "/api/ps", "/api/generate", "/api/ps"]
    assert window_of(says, "qwen3:8b") == (int(16_384 * FILLED), told)


@pytest.mark.parametrize(
    "says",
    [
        {},
        {"/v1/models": {"data": "many"}},
        {"/v1/models": []},
        listed({"id": "other", "max_model_len": 512}, {"id": "another", "max_model_len": 512}),
        listed({"id": "m", "max_model_len": -1, "meta": {"n_ctx": True}}),
        listed({"id": "m", "max_model_len": "8192", "meta": None}),
        {"/props": {"default_generation_settings": {"n_ctx": 0}}, "/api/ps": {"models": None}},
    ],
)
def test_a_server_that_says_nothing_or_nonsense_has_no_window(says: dict[str, Any]) -> None:
    assert window_of(says)[0] is None


def test_what_nobody_says_is_taken_from_the_table() -> None:
    assert window_of({}, "gpt-4")[0] == int(8192 * FILLED)
    assert window_of(listed({"id": "gpt-4", "max_model_len": 4096}), "gpt-4")[0] == int(4096 * FILLED)


def test_a_setting_comes_first_and_the_server_is_not_asked() -> None:
    assert window_of(listed({"id": "m", "max_model_len": 8192}), setting=2000) == (1600, [])
    with load_model("openai:m", base_url="http://127.0.0.1:9/v1", window=1000) as model:
        assert model.window == 800


def test_models_with_different_windows_are_opened_apart() -> None:
    first, second = (Settings(model="openai:m", window=window) for window in (1_000, 2_000))
    assert model_key("model", "openai:m", first) != model_key("model", "openai:m", second)


def test_a_judge_has_its_own_window() -> None:
    settings = judge_settings(Settings(model="openai:m", judge_model="openai:j", window=1_000))
    assert settings.window is None
    both = Settings(model="openai:m", judge_model="openai:j", window=1_000, judge_window=2_000)
    assert judge_settings(both).window == 2_000


@pytest.mark.parametrize("wrong", ["0", "-8192", "many", "8k"])
def test_a_wrong_setting_is_an_error(wrong: str) -> None:
    with pytest.raises(SettingsError, match="window, set by the environment, is invalid"):
        load_settings(environ={"PROBATIVE_WINDOW": wrong})


def test_a_server_out_of_reach_has_no_window_and_that_is_no_error() -> None:
    with OpenAIModel("m", Connection(base_url="http://127.0.0.1:9/v1", **QUICK)) as model:
        assert model.window is None


def test_a_refusal_corrects_a_setting_that_is_too_high_once_for_a_batch() -> None:
    with Saying({}, window=500) as server, model_at(server) as bare:
        model = OpenAIModel("m", bare._transport.connection, 100_000)
        with pytest.raises(Exception, match="maximum context length is 500 tokens"):
            model.generate([Request.user("word " * 600)] * 5)
        assert model.window == int(500 * FILLED)
        # What the server counts may still be more than what is estimated here.
        with pytest.raises(ContextError):
            model.generate([Request.user("a b c d " * 200)])
        assert model.window == int(500 * FILLED * FILLED)
        model.close()
