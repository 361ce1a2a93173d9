"""The JSON schemas of tools: what they take, with the registered names, and what they return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from probative.types import Value


def input_schema(kind: type[Value], names: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the schema of a tool's arguments; `names` are the values that some of the arguments may have.

    The tool's own arguments come first. One that may be left out has its plain type, without null: hosts
    and models understand that best.

    >>> class Lookup(Value):
    ...     corpus: str | None = None
    >>> input_schema(Lookup, {"corpus": ["minutes"]})["properties"]["corpus"]["enum"]
    ['minutes']
    """
    schema = kind.model_json_schema()
    properties = schema["properties"]
    own = sorted(properties, key=lambda field: field not in kind.__annotations__)
    schema["properties"] = {field: properties[field] for field in own}
    for described in (schema, *schema.get("$defs", {}).values()):
        described["properties"] = {
            field: _without_null(part) for field, part in described["properties"].items()
        }
    for field, allowed in names.items():
        if field in properties:
            schema["properties"][field].update(type="string", enum=list(allowed))
    return {**_without_titles(schema)}


def output_schema(kind: type[Value]) -> dict[str, Any]:
    """Return the schema of a result. A trace is never sent, so it is described as null.

    >>> from probative.verdict.judgement import Judgement
    >>> schema = output_schema(Judgement)
    >>> schema["properties"]["trace"], "Step" in schema["$defs"]
    ({'type': 'null'}, False)
    """
    schema = kind.model_json_schema(mode="serialization")
    if "trace" in schema["properties"]:
        schema["properties"]["trace"] = {"type": "null"}
        for unused in ("Step", "Call"):
            schema.get("$defs", {}).pop(unused, None)
    return {**_without_titles(schema)}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an argument that may be null as that of one that may be left out."""
    kinds = schema.get("anyOf", [])
    if {"type": "null"} not in kinds:
        return schema
    (kind,) = [each for each in kinds if each != {"type": "null"}]
    kept = {name: part for name, part in schema.items() if name not in ("anyOf", "default")}
    return {**kept, **kind}


def _without_titles(schema: Any) -> Any:
    """Remove titles, which only repeat names, and docstrings of classes: a host pays for each word."""
    if isinstance(schema, list):
        return [_without_titles(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, part in schema.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: _without_titles(inner) for name, inner in part.items()}
        elif not (key == "title" or (key == "description" and schema.get("type") == "object")):
            kept[key] = _without_titles(part)
    return kept
