"""What `/v1` ignores, what it refuses, and the shape of its errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from openai_server import ANSWERS, MODEL, SUPPORTED, answering_session
from server_app import serving
from small_corpus import write

from probative.corpus.corpus import Corpus
from probative.server.state.catalog import Catalog
from probative.settings import Settings

CHAT = "/v1/chat/completions"
RESPONSES = "/v1/responses"
QUESTION = {"role": "user", "content": SUPPORTED}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("requests")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(folder / "home"))
        settings = Settings(cache=False)
        with Corpus.open(write(folder / "documents"), vectors=False, settings=settings) as corpus:
            catalog = Catalog({"ferries": corpus})
            with serving(folder / "data", session=answering_session(), catalog=catalog) as opened:
                yield opened


def chat(**changes: Any) -> dict[str, Any]:
    return {"model": MODEL, "messages": [QUESTION], **changes}


def response(**changes: Any) -> dict[str, Any]:
    return {"model": MODEL, "input": SUPPORTED, **changes}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (
            CHAT,
            chat(
                temperature=0.2,
                top_p=1,
                max_tokens=5,
                stop=["x"],
                seed=7,
                logit_bias={"1": 2},
                n=1,
                tools=[{"type": "function", "function": {"name": "f"}}],
                tool_choice="auto",
                response_format={"type": "text"},
                reasoning_effort="low",
                user="u",
                store=False,
                logprobs=False,
                modalities=["text"],
                top_k=40,
                min_p=0.05,
                repeat_penalty=1.1,
                repetition_penalty=1.1,
                chat_template_kwargs={"enable_thinking": False},
            ),
        ),
        (CHAT, chat(messages=[{"role": "assistant", "content": None, "tool_calls": []}, QUESTION])),
        (CHAT, chat(messages=[QUESTION, {"role": "system", "content": "Be brief."}])),
        (
            RESPONSES,
            response(
                temperature=1,
                max_output_tokens=9,
                reasoning={"effort": "low"},
                truncation="auto",
                text={"format": {"type": "text"}, "verbosity": "low"},
                include=["reasoning.encrypted_content"],
                tools=[{"type": "web_search"}],
                background=False,
                store=True,
            ),
        ),
        (
            RESPONSES,
            response(
                input=[
                    {"type": "reasoning", "id": "r", "summary": []},
                    {"type": "item_reference", "id": "msg_1"},  # an earlier reply, as the AI SDK sends it
                    {
                        "type": "message",
                        "role": "user",
                        "content": [{"type": "input_text", "text": SUPPORTED}],
                    },
                ]
            ),
        ),
    ],
)
def test_harmless_parameters_are_accepted(client: TestClient, path: str, body: dict[str, Any]) -> None:
    reply = client.post(path, json=body)
    assert reply.status_code == 200, reply.text
    assert reply.json()["probative"]["verdict"] == ANSWERS[SUPPORTED].verdict


@pytest.mark.parametrize(
    ("path", "body", "param"),
    [
        (CHAT, chat(n=2), "n"),
        (CHAT, chat(tool_choice="required"), "tool_choice"),
        (CHAT, chat(tool_choice={"type": "function", "function": {"name": "f"}}), "tool_choice"),
        (CHAT, chat(function_call={"name": "f"}), "function_call"),
        (CHAT, chat(response_format={"type": "json_schema", "json_schema": {}}), "response_format"),
        (CHAT, chat(response_format={"type": "json_object"}), "response_format"),
        (CHAT, chat(logprobs=True), "logprobs"),
        (CHAT, chat(top_logprobs=2), "top_logprobs"),
        (CHAT, chat(modalities=["text", "audio"]), "modalities"),
        (CHAT, chat(web_search_options={}), "web_search_options"),
        (CHAT, chat(moderation={"model": "m"}), "moderation"),
        (CHAT, chat(messages=[]), "messages"),
        (CHAT, chat(messages=[{"role": "system", "content": "Be brief."}]), "messages"),
        (CHAT, chat(messages=[QUESTION, {"role": "assistant", "content": "Molde"}]), "messages"),
        (CHAT, chat(messages=[{"role": "user", "content": " "}]), "messages"),
        (CHAT, chat(messages=[{"role": "user", "content": "x" * 4001}]), "messages"),
        (CHAT, chat(messages=[{"role": "user", "content": [{"type": "image_url"}]}]), "messages"),
        (CHAT, chat(temprature=1), "temprature"),
        (CHAT, {"messages": [QUESTION]}, "model"),
        (RESPONSES, response(text={"format": {"type": "json_schema"}}), "text.format"),
        (RESPONSES, response(background=True, store=False), "store"),
        (RESPONSES, response(conversation="conv_1"), "conversation"),
        (RESPONSES, response(prompt={"id": "p"}), "prompt"),
        (RESPONSES, response(include=["message.output_text.logprobs"]), "include"),
        (RESPONSES, response(input=""), "input"),
        (RESPONSES, response(input=[]), "input"),
    ],
)
def test_what_would_mislead_is_refused(client: TestClient, path: str, body: Any, param: str) -> None:
    reply = client.post(path, json=body)
    error = reply.json()["error"]
    assert (reply.status_code, error["type"], error["param"]) == (400, "invalid_request_error", param)
    assert set(error) == {"message", "type", "param", "code"}


def test_an_unknown_model_is_named_with_the_known_ones(client: TestClient) -> None:
    for reply in (
        client.post(CHAT, json=chat(model="gpt-5")),
        client.post(RESPONSES, json=response(model="ferries")),
        client.get("/v1/models/probative/trains"),
    ):
        error = reply.json()["error"]
        assert (reply.status_code, error["code"], error["param"]) == (404, "model_not_found", "model")
        assert MODEL in error["message"]


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b'{"model": "\\ud800", "messages": []}', "application/json", 400),
        (b'{"\\ud800": 1}', "application/json", 400),
        (
            b'{"model": "probative/\\u0000", "messages": [{"role": "user", "content": "x"}]}',
            "application/json",
            404,
        ),
        (b"model=x", "application/x-www-form-urlencoded", 415),
    ],
)
def test_broken_bodies_have_errors_of_openais_shape(
    client: TestClient, content: bytes, kind: str, status: int
) -> None:
    reply = client.post(CHAT, content=content, headers={"content-type": kind})
    assert reply.status_code == status, reply.text
    assert set(reply.json()["error"]) == {"message", "type", "param", "code"}


def test_other_addresses_and_methods_have_errors_of_openais_shape(client: TestClient) -> None:
    for reply, status in ((client.get("/v1/files"), 404), (client.get(CHAT), 405)):
        assert (reply.status_code, reply.json()["error"]["type"]) == (status, "invalid_request_error")


def test_the_description_names_every_parameter(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    schemas = described["components"]["schemas"]
    assert "ignored" in schemas["ChatRequest"]["properties"]["temperature"]["description"]
    assert "conversation" in schemas["ResponsesRequest"]["properties"]
    assert {"200", "400", "404", "429"} <= set(described["paths"][RESPONSES]["post"]["responses"])
