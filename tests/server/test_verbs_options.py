"""Every option of every method is described where a request or a tool takes options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import Field
from server_app import serving

from probative.server.mcp.server import input_schema
from probative.types import Value
from probative.verbs.requests import Options
from probative.verbs.spec import VerbSpec
from probative.verbs.table import VERBS

WITH_OPTIONS = [spec for spec in VERBS.specs() if "options" in spec.request.model_fields]


class ToolArguments(Value):
    """The arguments of a tool that takes options."""

    options: Options = Field(default_factory=dict)


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with serving(tmp_path_factory.mktemp("data")) as client:
        return client.get("/openapi.json").json()["components"]["schemas"]


def option_classes(spec: VerbSpec) -> dict[str, type[Value]]:
    """Return the class of options of each method, read from the table of methods itself."""
    assert spec.methods is not None
    methods = {name: spec.methods.load(name).options for name in spec.methods.entries()}
    return methods if spec.options is None else dict.fromkeys(methods, spec.options)


def check_described(schema: Any, spec: VerbSpec) -> None:
    """Check that a schema of options has each option of each method, as the class of options declares it."""
    forms = {form["title"]: form["properties"] for form in schema["anyOf"]}
    for options in option_classes(spec).values():
        declared = options.model_json_schema().get("properties", {})
        names = [name for name in declared if name not in spec.signature.parameters]
        assert list(forms.get(options.__name__, {})) == names
        for name in names:
            described = forms[options.__name__][name]
            expected = {key: value for key, value in declared[name].items() if key != "default"}
            assert expected.items() <= described.items()
            assert described["description"]
    assert all(form["additionalProperties"] is False for form in schema["anyOf"])


def test_the_verbs_with_methods_take_options() -> None:
    assert [spec.name for spec in WITH_OPTIONS] == ["ask", "check", "prove", "verify", "reason"]


@pytest.mark.parametrize("spec", WITH_OPTIONS, ids=lambda spec: spec.name)
def test_openapi_has_every_option(spec: VerbSpec, schemas: Any) -> None:
    check_described(schemas[spec.request.__name__]["properties"]["options"], spec)


@pytest.mark.parametrize("spec", WITH_OPTIONS, ids=lambda spec: spec.name)
def test_a_tool_that_takes_options_has_every_option(spec: VerbSpec) -> None:
    properties = input_schema(spec.described(ToolArguments), {})["properties"]
    forms = properties["options"]["anyOf"]
    described = {name for form in forms for name in form["properties"]}
    declared = {name for options in option_classes(spec).values() for name in options.model_fields}
    assert described == declared - spec.signature.parameters.keys()


def test_a_range_and_a_help_are_in_the_schema(schemas: Any) -> None:
    (form,) = schemas["VerifyRequest"]["properties"]["options"]["anyOf"]
    assert form["description"] == "options of verify"
    assert form["properties"]["sentences"] == {
        "default": 4,
        "description": "sentences of all sources read together",
        "minimum": 1,
        "title": "Sentences",
        "type": "integer",
    }


def test_a_preset_decides_and_so_there_is_no_default(schemas: Any) -> None:
    form = schemas["CheckRequest"]["properties"]["options"]["anyOf"][0]
    assert form["description"].startswith("options of scope; what is left out is as in the preset: paper")
    assert not [name for name, option in form["properties"].items() if "default" in option]


def test_an_argument_of_the_verb_is_no_option(schemas: Any) -> None:
    forms = schemas["ReasonRequest"]["properties"]["options"]["anyOf"]
    assert not [form for form in forms if "seed" in form["properties"]]


def test_an_unknown_option_is_refused_by_the_verb(tmp_path: Path) -> None:
    body = {"claim": "It rained.", "text": "It rained.", "options": {"depth": 2}}
    with serving(tmp_path) as client:
        refused = client.post("/api/prove", json=body)
    assert refused.status_code == 400
    assert refused.json()["error"]["message"] == "mcse has no option 'depth'"
