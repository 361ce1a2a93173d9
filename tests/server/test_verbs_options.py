"""Every option of every method is described where a request or a tool takes options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from server_app import serving

from probative.server.mcp.server import input_schema
from probative.server.mcp.tools import VerbTool, tools
from probative.types import Value
from probative.verbs.spec import VerbSpec
from probative.verbs.table import VERBS

WITH_OPTIONS = [spec for spec in VERBS.specs() if "options" in spec.request.model_fields]


VERBS_OF_TOOLS = {
    "find_evidence": ("ask", "verify"),
    "ask": ("ask",),
    "verify_text": ("verify",),
    "check_claim": ("verify",),
    "prove": ("prove",),
    "reason": ("reason",),
}


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


@pytest.mark.parametrize("tool", tools().values(), ids=lambda tool: tool.name)
def test_a_tool_lists_the_options_that_its_verb_names_as_they_are_declared(tool: VerbTool) -> None:
    forms = input_schema(tool.tool.arguments, {})["properties"]["options"]["anyOf"]
    specs = [VERBS.load(name) for name in VERBS_OF_TOOLS[tool.name]]
    for form, spec in zip(forms, specs, strict=True):
        assert spec.tool is not None
        declared = spec.options_of(None).model_json_schema()["properties"]
        assert form["properties"].keys() == set(spec.tool.options), "each is an option of the default method"
        for name, option in form["properties"].items():
            assert option["description"] == declared[name]["description"]
            assert option.get("minimum") == _range(declared[name]).get("minimum")
        assert form["additionalProperties"] is True, "the verb takes its other options, too"


def _range(option: Any) -> Any:
    """The schema of an option where it is not null."""
    return next((kind for kind in option.get("anyOf", ()) if kind.get("type") != "null"), option)


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
