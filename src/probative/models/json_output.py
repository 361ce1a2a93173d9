"""Read a JSON object from a model's output without inventing any part of it.

Accepted: thinking, prose and code fences around the JSON, trailing commas, single quotes, Python's True and
None, keys without quotes. Refused: truncated JSON. A library that closes the open brackets of a truncated
text turns half an answer into a complete object. So only text with closed brackets is parsed, and a repair
that removes or adds a letter or a digit is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, RootModel, ValidationError

from probative.models.types import split_thinking

Object = TypeVar("Object", bound=BaseModel)

_PAIRS = {"{": "}", "[": "]"}
_BEGINS_JSON = re.compile(r"""\{\s*(?:["'}\w]|\Z)|\[\s*(?:["'{\[\d-]|\Z)""")
_ENDS_STRING = re.compile(r"\s*[,:}\]]")
MAX_CHARACTERS = 1_000_000  # more than any model writes in one answer
MAX_CANDIDATES = 50


class UnreadableError(ValueError):
    """The text contains no object that fits the schema.

    The message is part of the request for a correction: another wording changes what models reply.
    """


def read_object(text: str, schema: type[Object]) -> Object:
    """Return the object in the text that fits the schema; the last one of several."""
    if len(text) > MAX_CHARACTERS:
        raise UnreadableError("it is far too long")
    thinking, answer = split_thinking(text)
    if "<think" in answer.lower() or (thinking and not answer.strip()):
        raise UnreadableError("it only thinks, and gives no answer")
    problem = "there is no JSON object in it"
    for candidate in reversed(list(closed_parts(answer))[-MAX_CANDIDATES:]):
        try:
            value = _parse(candidate)
            if isinstance(value, dict) and not _has_field_of(schema, value):
                problem = "none of its fields is one that was asked for"
                continue
            # As JSON, so that a strict schema accepts a string for a date and a list for a tuple.
            return schema.model_validate_json(json.dumps(value))
        except ValidationError as error:
            problem = "; ".join(
                f"{'.'.join(map(str, part['loc'])) or 'the object'}: {part['msg']}"
                for part in error.errors(include_url=False)[:5]
            )
        except (ValueError, RecursionError) as error:
            problem = f"its JSON is malformed ({error})"
    raise UnreadableError(problem)


def _has_field_of(schema: type[BaseModel], value: dict[str, Any]) -> bool:
    """Return whether an object has a field of the schema; an unrelated object has none."""
    if (
        issubclass(schema, RootModel)
        or not schema.model_fields
        or schema.model_config.get("extra") == "allow"
    ):
        return True
    names = set(schema.model_fields)
    names |= {field.alias for field in schema.model_fields.values() if field.alias}
    names |= {f.validation_alias for f in schema.model_fields.values() if isinstance(f.validation_alias, str)}
    return not names.isdisjoint(value)


def closed_parts(text: str) -> Iterator[str]:
    """Yield the outermost {...} and [...] of a text; brackets inside strings do not count.

    JSON that is never closed makes the whole text unreadable: any other part of it is a draft or a fragment.

    >>> list(closed_parts('so {"a": [1, "}"]} and [sic] {:'))
    ['{"a": [1, "}"]}', '[sic]']
    """
    position = 0
    work = 20 * len(text) + 1000  # a limit of steps for an output that repeats brackets
    while work > 0:
        start = min(
            (index for bracket in _PAIRS if (index := text.find(bracket, position)) >= 0), default=None
        )
        if start is None:
            return
        end = _closing(text, start)
        work -= (len(text) if end is None else end) - start
        if end is not None:
            yield text[start : end + 1]
            position = end + 1
        elif _BEGINS_JSON.match(text, start):
            raise UnreadableError("its JSON is cut off: a bracket is never closed")
        else:
            position = start + 1  # a bracket in prose
    raise UnreadableError("it holds too many brackets")


def _closing(text: str, start: int) -> int | None:
    """Return the index of the bracket that closes the one at `start`, or None.

    A single quote opens a string only where a value or key can start, and closes it only where one can end:
    elsewhere it is an apostrophe.
    """
    expected: list[str] = []
    quote = ""
    escaped = False
    before = ""  # the last character that is not a space
    for position in range(start, len(text)):
        character = text[position]
        if quote:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == quote and (quote == '"' or _ENDS_STRING.match(text, position + 1)):
                quote = ""
        elif character == '"' or (character == "'" and before in "{[,:"):
            quote = character
        elif character in _PAIRS:
            expected.append(_PAIRS[character])
        elif expected and character == expected[-1]:
            expected.pop()
            if not expected:
                return position
        elif character in "}]":
            return None
        if not character.isspace():
            before = character
    return None


def _parse(candidate: str) -> Any:
    """Return the value of the candidate; small errors are repaired if no content changes."""
    try:
        return json.loads(candidate, strict=False)
    except ValueError as error:
        from json_repair import repair_json

        repaired = json.loads(str(repair_json(candidate, ensure_ascii=False)))
        if "\\" in candidate or _has_stray_quote(repaired):
            raise ValueError(f"{error}; its quotes are not clear") from error
        if _content(json.dumps(repaired, ensure_ascii=False)) != _content(candidate):
            raise ValueError(f"{error}; mending it would change what it says") from error
        if _has_invented_blank(repaired) and not re.search(r'""|\'\'|null|None', candidate):
            raise ValueError(f"{error}; a value is missing") from error
        return repaired


def _content(text: str) -> str:
    """Return the text without JSON syntax, with Python's constants spelt as in JSON."""
    plain = re.sub(r"\bNone\b", "null", text)
    plain = re.sub(r"\b(True|False)\b", lambda match: match.group().lower(), plain)
    return re.sub(r"[\s{}\[\],:\"']", "", plain)


def _has_stray_quote(value: Any) -> bool:
    """Return whether a string starts or ends with a quote, a sign of a wrong boundary."""
    if isinstance(value, dict):
        return any(_has_stray_quote(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return any(_has_stray_quote(part) for part in value)
    return isinstance(value, str) and value.strip("\"'") != value


def _has_invented_blank(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_invented_blank(part) for part in value.values())
    if isinstance(value, list):
        return any(_has_invented_blank(part) for part in value)
    return value is None or value == ""
