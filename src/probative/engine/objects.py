"""Validated objects inside a search: read, ask once for a correction, or fail with the raw text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

from probative.engine.search import Role, Search, generate
from probative.errors import OutputError
from probative.models.structured import read_objects
from probative.models.types import Request

Object = TypeVar("Object", bound=BaseModel)


def ask_objects(
    requests: Sequence[Request], schema: type[Object], step: str, *, by: Role = "model"
) -> Search[list[Object | OutputError]]:
    """Ask for an object of the schema for each request; a reply that cannot be read is repaired once.

    Returns the object, or the error of a reply that could not be read after the repair. All requests are one
    batch, and so are the repairs.
    """
    reading = read_objects(requests, schema, step)
    asked, name = next(reading), step
    while True:
        completions = yield from generate(asked, step=name, by=by)
        try:
            asked, name = reading.send(list(completions)), f"{step}: repair"
        except StopIteration as stopped:
            return [each if isinstance(each, OutputError) else each.value for each in stopped.value]
