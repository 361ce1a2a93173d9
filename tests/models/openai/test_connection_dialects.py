"""Schema output, and learning what a server wants from its refusals."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from pydantic import BaseModel
from servers import Answering, model_at, said

from probative import (
    Capability,
    Request,
    RequestError,
    ServerError,
    generate_objects,
)
from probative.models.openai.connection import Connection
from probative.models.openai.model import OpenAIModel
from probative.testing import LoopbackServer
from probative.testing.server import _json, default_answer


class City(BaseModel):
    name: str
    people: int


def test_the_servers_schema_output_is_used_where_it_has_one() -> None:
    with LoopbackServer() as server, model_at(server) as model:
        (city,) = generate_objects(model, ["Name a city."], City)
        assert server.bodies[0]["response_format"]["type"] == "json_schema"
    assert city.value == City(name="example", people=0)


def test_a_server_without_schema_output_is_asked_in_words() -> None:
    answer = '{"name": "Oslo", "people": 700000}'
    with LoopbackServer(json_schema=False, answer=lambda asked: answer) as server, model_at(server) as model:
        with pytest.warns(UserWarning, match="the prompt describes the schema"):
            cities = generate_objects(model, ["Name a city.", "And one more."], City)
        assert '"name": <string>' in server.bodies[-1]["messages"][-1]["content"]
        assert Capability.SCHEMA not in model.capabilities
    assert [city.value.name for city in cities] == ["Oslo", "Oslo"]


def test_a_server_that_wants_another_name_for_the_limit_gets_it() -> None:
    class Picky(LoopbackServer):
        def _chat(self, body: dict[str, Any], *, empty: bool) -> Any:

            if "max_tokens" in body:
                return _json(400, {"error": {"message": "Unsupported parameter; use max_completion_tokens"}})
            if "temperature" in body:
                return _json(400, {"error": {"message": "temperature does not support 0 with this model"}})
            return super()._chat(body, empty=empty)

    with Picky() as server, model_at(server) as model, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        results = model.generate(["a", "b", "c"])
        model.generate(["d"])
        assert server.bodies[-1].keys() == {"model", "messages", "max_completion_tokens"}
    assert [result.text for result in results] == [default_answer(p) for p in ("a", "b", "c")]
    assert any("temperature" in str(warning.message) for warning in said)


def test_a_request_the_server_will_not_take_is_an_error_at_once() -> None:
    with (
        LoopbackServer() as server,
        OpenAIModel("m", Connection(base_url=server.base_url + "/nowhere")) as model,
    ):
        with pytest.raises(ServerError, match="404"):
            model.generate(["q"])


@pytest.mark.parametrize(
    "refusal",
    [
        (
            422,
            {
                "detail": [
                    {"loc": ["body", "stop"], "msg": "bad", "input": {"temperature": 0.5, "schema": "x"}}
                ]
            },
        ),
        (400, {"error": {"message": "temperature must be at most 2"}}),
        (400, {"error": {"message": "cannot draw a database schema"}}),
    ],
)
def test_a_refusal_that_names_no_unknown_field_teaches_nothing(refusal: tuple[int, Any]) -> None:
    with Answering(refusal, (200, said("fine"))) as server, model_at(server) as model:
        with pytest.raises(RequestError):
            model.generate([Request.user("q", temperature=5, json_schema={"type": "object"})])
        model.generate([Request.user("r", temperature=0.5, json_schema={"type": "object"})])
        assert server.bodies[-1]["temperature"] == 0.5
        assert "response_format" in server.bodies[-1]


def test_answers_of_an_adapted_model_are_cached_apart() -> None:
    refusal = (400, {"error": {"message": "temperature is not supported with this model"}})
    with Answering(refusal, (200, said("fine"))) as server, model_at(server) as model:
        before = model.fingerprint
        with pytest.warns(UserWarning, match="temperature"):
            model.generate(["q"])
        assert model.fingerprint != before


def test_choose_learns_too() -> None:
    top = {"content": [{"top_logprobs": [{"token": "Yes.", "logprob": -0.1}]}]}
    refusal = (400, {"error": {"message": "use max_completion_tokens", "param": "max_tokens"}})
    with Answering(refusal, (200, said("yes", logprobs=top))) as server, model_at(server) as model:
        assert model.choose(["Is it?"], ["yes", "no"])[0].best == "yes"
        assert server.bodies[-1]["max_completion_tokens"] == 1
