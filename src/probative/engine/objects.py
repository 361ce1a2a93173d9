"""Validated objects inside a search: read, ask once for a correction, or fail with the raw text.

The same rules as `structured`, for a method that is written as a generator (see `together`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from probative.engine.search import Role, Search, generate
from probative.errors import OutputError
from probative.models.json_output import UnreadableError, read_object
from probative.models.structured import failure, repair, stand_in
from probative.models.types import Request

Object = TypeVar("Object", bound=BaseModel)


def ask_objects(
    requests: Sequence[Request], schema: type[Object], step: str, *, by: Role = "model"
) -> Search[list[Object | OutputError]]:
    """Ask for an object of the schema for each request; a reply that cannot be read is repaired once.

    Returns the object, or the error of a reply that could not be read after the repair. All requests are one
    batch, and so are the repairs.
    """
    plan = schema.model_json_schema()
    prepared = [request.model_copy(update={"json_schema": plan}) for request in requests]
    completions = yield from generate(prepared, step=step, by=by)
    results: list[Any] = [None] * len(prepared)
    unread: dict[int, str] = {}
    for index, completion in enumerate(completions):
        try:
            results[index] = read_object(completion.text, schema)
        except UnreadableError as problem:
            if completion.finish_reason == "dry-run":
                results[index] = stand_in(completion.text, schema)
            else:
                unread[index] = str(problem)
    if unread:
        again = [repair(prepared[index], completions[index], why) for index, why in unread.items()]
        repaired = yield from generate(again, step=f"{step}: repair", by=by)
        for index, completion in zip(unread, repaired, strict=True):
            try:
                results[index] = read_object(completion.text, schema)
            except UnreadableError as problem:
                results[index] = failure(completion, str(problem), schema, step)
    return results
