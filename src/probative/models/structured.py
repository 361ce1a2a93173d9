"""Generate objects of a pydantic model: parse, ask for a correction once, or fail with the raw text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, PydanticUserError

from probative.errors import BatchError, InputError, ModelError, OutputError
from probative.models.contract import LanguageModel, Progress, as_list, as_request, raise_errors
from probative.models.json_output import UnreadableError, read_object
from probative.models.types import Completion, Message, Request
from probative.trace import current_step, step
from probative.usage import Usage

Object = TypeVar("Object", bound=BaseModel)


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
    if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
        raise InputError(f"the schema must be a pydantic model, got {schema!r}")
    try:
        plan = schema.model_json_schema()
    except PydanticUserError as error:
        raise InputError(f"{schema.__name__} has a field that JSON cannot represent: {error}") from None
    checked = [as_request(request).model_copy(update={"json_schema": plan}) for request in as_list(requests)]
    results: list[Parsed[Object] | None] = [None] * len(checked)
    errors: dict[int, ModelError] = {}
    unread: dict[int, tuple[Completion, str]] = {}
    for index, outcome in enumerate(_outcomes(model, checked, progress)):
        if isinstance(outcome, ModelError):
            errors[index] = outcome
            continue
        try:
            value = read_object(outcome.text, schema)
            results[index] = Parsed(value, outcome.text, False, outcome.usage)
        except UnreadableError as problem:
            if outcome.finish_reason == "dry-run":  # a stand-in is not validated
                results[index] = Parsed(stand_in(outcome.text, schema), outcome.text, False, outcome.usage)
            else:
                unread[index] = (outcome, str(problem))

    current = current_step()
    for index, repaired in _repaired(model, checked, unread):
        if isinstance(repaired, ModelError):
            errors[index] = repaired
            continue
        try:
            value = read_object(repaired.text, schema)
            cost = unread[index][0].usage + repaired.usage
            results[index] = Parsed(value, repaired.text, True, cost)
        except UnreadableError as problem:
            errors[index] = failure(repaired, str(problem), schema, current)
    raise_errors(results, errors)
    return [result for result in results if result is not None]


def _repaired(
    model: LanguageModel, requests: list[Request], unread: dict[int, tuple[Completion, str]]
) -> list[tuple[int, Completion | ModelError]]:
    """Send the outputs that could not be parsed back, in one batch, each with the reason."""
    if not unread:
        return []
    with step("repair"):
        repairs = [repair(requests[index], *unread_output) for index, unread_output in unread.items()]
        return list(zip(unread, _outcomes(model, repairs, None), strict=True))


def _outcomes(
    model: LanguageModel, requests: list[Request], progress: Progress | None
) -> list[Completion | ModelError]:
    try:
        return list(model.generate(requests, progress=progress))
    except BatchError as error:
        return [error.errors.get(index, result) for index, result in enumerate(error.results)]
    except ModelError as error:
        done = getattr(error, "results", [])
        if len(requests) > 1 and not done:
            raise
        return [(done[index] if done else None) or error for index in range(len(requests))]


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
