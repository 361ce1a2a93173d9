"""Generate objects of a pydantic model: parse, ask for a correction once, or fail with the raw text."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, PydanticUserError

from probative.errors import InputError, ModelError, OutputError
from probative.models.contract import LanguageModel, Progress, as_list, as_request, collect, results_or_errors
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
