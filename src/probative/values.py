"""The base of every request and result: typed, frozen, and able to become plain JSON."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A typed, frozen value. Unknown fields are refused, so a misspelt option is never ignored.

    >>> class Point(Value):
    ...     x: int
    >>> Point(x=1).to_json()
    '{"x":1}'
    >>> Point.from_dict({"x": 1}) == Point(x=1)
    True
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_dict(self) -> dict[str, Any]:
        """The value as plain dictionaries, lists, strings and numbers."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """The value as one line of JSON."""
        return self.model_dump_json()

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The value that `to_dict` described."""
        return cls.model_validate(data)
