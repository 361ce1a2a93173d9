"""A JSON schema as a short description for a prompt, and as an example."""

from __future__ import annotations

import json
from typing import Any

from probative.models.types import Message, Request

Schema = dict[str, Any]


def in_words(request: Request) -> Request:
    """Return the request with its schema described in the prompt, for engines that cannot enforce it."""
    if request.json_schema is None:
        return request
    *before, last = request.messages
    instruction = f"Reply with JSON only, in exactly this form:\n{describe(request.json_schema)}"
    message = Message(role=last.role, content=f"{last.content}\n\n{instruction}")
    return request.model_copy(update={"messages": (*before, message), "json_schema": None})


def describe(schema: Schema) -> str:
    """Return the schema as a skeleton that small models can follow."""
    return _describe(schema, schema, depth=0)


def _describe(schema: Schema, root: Schema, depth: int) -> str:
    schema = _resolve(schema, root)
    if depth > 8:  # a recursive schema
        return "<...>"
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    if "enum" in schema:
        return " or ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return " or ".join(_describe(option, root, depth + 1) for option in schema[keyword])
    if schema.get("type") == "object" or "properties" in schema:
        fields = [
            f"{json.dumps(name, ensure_ascii=False)}: {_describe(part, root, depth + 1)}"
            for name, part in schema.get("properties", {}).items()
        ]
        return "{" + ", ".join(fields or ["..."]) + "}"
    if schema.get("type") == "array":
        return f"[{_describe(schema.get('items', {}), root, depth + 1)}, ...]"
    if schema.get("type") == "null":
        return "null"
    meaning = f": {schema['description']}" if "description" in schema else ""
    return f"<{schema.get('type', 'anything')}{meaning}>"


def example(schema: Schema) -> str:
    """Return a short JSON text that fits the schema.

    >>> example({"type": "object", "properties": {"n": {"type": "integer", "minimum": 3}}})
    '{"n": 3}'
    """
    return json.dumps(_example(schema, schema, depth=0), ensure_ascii=False)


def _example(schema: Schema, root: Schema, depth: int) -> Any:
    schema = _resolve(schema, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            plain = [part for part in schema[keyword] if "$ref" not in part] if depth > 4 else []
            return _example((plain or schema[keyword])[0], root, depth + 1)
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {})
            return {name: _example(part, root, depth + 1) for name, part in fields.items()}
        case "array" if "prefixItems" in schema:
            return [_example(part, root, depth + 1) for part in schema["prefixItems"]]
        case "array":
            count = max(schema.get("minItems", 0), 1 if depth < 5 else 0)
            count = min(count, schema.get("maxItems", count))
            return [_example(schema.get("items", {}), root, depth + 1) for _ in range(count)]
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return True
        case "null":
            return None
        case "string" if schema.get("format") in _FORMATS:
            return _FORMATS[schema["format"]]
        case _:
            return "example".ljust(schema.get("minLength", 0), ".")[: schema.get("maxLength", 1000)]


_FORMATS = {
    "date": "2000-01-01",
    "date-time": "2000-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "PT1S",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uri": "http://example.org/",
    "email": "example@example.org",
}


def _number(schema: Schema) -> float:
    """Return a number within the schema's bounds."""
    low = schema.get("minimum", schema.get("exclusiveMinimum", float("-inf")) + 1)
    high = schema.get("maximum", schema.get("exclusiveMaximum", float("inf")) - 1)
    if schema.get("type") == "number" and low > high:
        return float((low - 1 + high + 1) / 2)
    chosen = min(max(0, low), high)
    return int(chosen) if float(chosen).is_integer() else float(chosen)


def _resolve(schema: Schema, root: Schema) -> Schema:
    """Return the definition that a reference points to."""
    while "$ref" in schema:
        target: Any = root
        for part in str(schema["$ref"]).removeprefix("#/").split("/"):
            target = target[part]
        schema = target
    if len(schema.get("allOf", [])) == 1:
        return _resolve(schema["allOf"][0], root)
    return schema
