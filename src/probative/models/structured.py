"""Generate objects of a pydantic model: parse, ask for a correction once, or fail with the raw text.

A schema is described in the prompt where the engine cannot enforce it.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, PydanticUserError

from probative.errors import InputError, ModelError, OutputError
from probative.models.contract import LanguageModel, Progress, as_list, as_request, collect, results_or_errors
from probative.models.json_output import UnreadableError, read_object
from probative.models.types import Completion, Message, Request
from probative.trace import current_step, step
from probative.types import Usage

Object = TypeVar("Object", bound=BaseModel)
Schema = dict[str, Any]


@dataclass(frozen=True)
class Parsed(Generic[Object]):
    """A validated object, the text that it was read from, and the cost of the request and its repair."""

    value: Object
    raw: str
    repaired: bool
    usage: Usage


def generate_objects(
    model: LanguageModel,
    requests: Sequence[Request | str],
    schema: type[Object],
    *,
    progress: Progress | None = None,
) -> list[Parsed[Object]]:
    """Return an object of the schema for each request.

    Output that cannot be parsed is sent back once with the reason. If the second output cannot be parsed
    either, an `OutputError` with the raw text is raised (inside a `BatchError` for several requests). There
    is never an empty or partial object.
    """
    reading = read_objects([as_request(request) for request in as_list(requests)], schema, current_step())
    prepared = next(reading)
    try:
        outcomes = results_or_errors(lambda: model.generate(prepared, progress=progress), len(prepared))
        repairs = reading.send(outcomes)
        with step("repair"):
            outcomes = results_or_errors(lambda: model.generate(repairs), len(repairs))
        reading.send(outcomes)
    except StopIteration as stopped:
        return collect(enumerate(stopped.value), len(prepared))
    raise AssertionError("there is one repair")


def read_objects(
    requests: Sequence[Request], schema: type[Object], step: str
) -> Generator[list[Request], list[Completion | ModelError], list[Parsed[Object] | ModelError]]:
    """Yield the requests for objects of the schema, then those that ask for a correction, if there are any;
    return the object or the error of each request. Both are sent the completions or their errors.
    """
    if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
        raise InputError(f"the schema must be a pydantic model, got {schema!r}")
    try:
        plan = schema.model_json_schema()
    except PydanticUserError as error:
        raise InputError(f"{schema.__name__} has a field that JSON cannot represent: {error}") from None
    prepared = [request.model_copy(update={"json_schema": plan}) for request in requests]
    results: dict[int, Parsed[Object] | ModelError] = {}
    unread: dict[int, tuple[Completion, str]] = {}
    for index, outcome in enumerate((yield prepared)):
        if isinstance(outcome, ModelError):
            results[index] = outcome
            continue
        try:
            results[index] = Parsed(read_object(outcome.text, schema), outcome.text, False, outcome.usage)
        except UnreadableError as problem:
            if outcome.finish_reason == "dry-run":  # a stand-in is not validated
                results[index] = Parsed(stand_in(outcome.text, schema), outcome.text, False, outcome.usage)
            else:
                unread[index] = (outcome, str(problem))
    if unread:
        repaired = yield [repair(prepared[index], *output) for index, output in unread.items()]
        for index, outcome in zip(unread, repaired, strict=True):
            if isinstance(outcome, ModelError):
                results[index] = outcome
                continue
            try:
                cost = unread[index][0].usage + outcome.usage
                results[index] = Parsed(read_object(outcome.text, schema), outcome.text, True, cost)
            except UnreadableError as problem:
                results[index] = failure(outcome, str(problem), schema, step)
    return [results[index] for index in range(len(prepared))]


def stand_in(text: str, schema: type[Object]) -> Object:
    """Return the object of a dry run, without validation."""
    value = json.loads(text)
    return schema.model_construct(**(value if isinstance(value, dict) else {"root": value}))


def repair(request: Request, completion: Completion, problem: str) -> Request:
    """Return the request with the first output and the problem with it."""
    correction = f"That cannot be used: {problem}. Send the whole JSON again, corrected, and nothing else."
    longer = request.max_tokens * (2 if completion.finish_reason == "length" else 1)
    messages = (
        *request.messages,
        Message(role="assistant", content=completion.text),
        Message(role="user", content=correction),
    )
    return request.model_copy(update={"messages": messages, "max_tokens": longer})


def failure(completion: Completion, problem: str, schema: type[BaseModel], step: str) -> OutputError:
    """Return the error for output that could not be parsed after a repair."""
    truncated = completion.finish_reason == "length"
    return OutputError(
        f"its output is not a valid {schema.__name__} after one repair: {problem}",
        raw=completion.text,
        model=completion.model,
        step=step,
        finish_reason=completion.finish_reason,
        hint="raise max_tokens" if truncated else "use a model with JSON-schema output, or a larger one",
    )


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
