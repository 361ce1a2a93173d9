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
    """An object of the schema for each request, or the error of one that could not be read even after a
    repair. All requests go out together, and so do the repairs.
    """
    plan = schema.model_json_schema()
    asked = [request.model_copy(update={"json_schema": plan}) for request in requests]
    completions = yield from generate(asked, step=step, by=by)
    results: list[Any] = [None] * len(asked)
    unread: dict[int, str] = {}
    for place, completion in enumerate(completions):
        try:
            results[place] = read_object(completion.text, schema)
        except UnreadableError as problem:
            if completion.finish_reason == "dry-run":
                results[place] = stand_in(completion.text, schema)
            else:
                unread[place] = str(problem)
    if unread:
        again = [repair(asked[place], completions[place], why) for place, why in unread.items()]
        repaired = yield from generate(again, step=f"{step}: repair", by=by)
        for place, completion in zip(unread, repaired, strict=True):
            try:
                results[place] = read_object(completion.text, schema)
            except UnreadableError as problem:
                results[place] = failure(completion, str(problem), schema, step)
    return results
