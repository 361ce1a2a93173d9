"""Read an object out of what a model wrote, however it dressed it up, without ever inventing any of it.

Tolerated: think blocks, prose and fences around the JSON, trailing commas, single quotes, Python's
True and None, missing quotes around keys. Not tolerated: JSON that is cut off. A library that closes
the open brackets of a truncated text turns half an answer into a whole object; so only text whose
brackets close is looked at, and a repair that drops or adds a letter or digit is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, RootModel, ValidationError

from probative.models.thinking import split_thinking

Object = TypeVar("Object", bound=BaseModel)

_PAIRS = {"{": "}", "[": "]"}
_BEGINS_JSON = re.compile(r"""\{\s*(?:["'}\w]|\Z)|\[\s*(?:["'{\[\d-]|\Z)""")
_ENDS_STRING = re.compile(r"\s*[,:}\]]")
LONGEST = 1_000_000  # characters; nothing a model writes in one answer is longer
MOST_CANDIDATES = 50


class UnreadableError(ValueError):
    """The text holds no object of the wanted form; the message says why, for the model to mend it."""


def read_object(text: str, schema: type[Object]) -> Object:
    r"""The object in the text that fits the schema; the last one, where there are several.

    >>> class Answer(BaseModel):
    ...     city: str
    >>> read_object("Sure!\n```json\n{'city': 'Rome',}\n```", Answer)
    Answer(city='Rome')
    """
    if len(text) > LONGEST:
        raise UnreadableError("it is far too long")
    thinking, answer = split_thinking(text)
    if "<think" in answer.lower() or (thinking and not answer.strip()):
        raise UnreadableError("it only thinks, and gives no answer")
    problem = "there is no JSON object in it"
    for candidate in reversed(list(closed_parts(answer))[-MOST_CANDIDATES:]):
        try:
            value = _parse(candidate)
            if isinstance(value, dict) and not _knows(schema, value):
                problem = "none of its fields is one that was asked for"
                continue
            # As JSON, so that a strict schema takes a date from a string and a tuple from a list.
            return schema.model_validate_json(json.dumps(value))
        except ValidationError as error:
            problem = "; ".join(
                f"{'.'.join(map(str, part['loc'])) or 'the object'}: {part['msg']}"
                for part in error.errors(include_url=False)[:5]
            )
        except (ValueError, RecursionError) as error:
            problem = f"its JSON is malformed ({error})"
    raise UnreadableError(problem)


def _knows(schema: type[BaseModel], value: dict[str, Any]) -> bool:
    """Whether an object has at least one of the schema's fields: another object in the text has none."""
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
    """The outermost {...} and [...] of a text, minding strings.

    JSON that is never closed makes the whole text unreadable: what stands before or inside it is a
    draft or a part.

    >>> list(closed_parts('so {"a": [1, "}"]} and [sic] {:'))
    ['{"a": [1, "}"]}', '[sic]']
    """
    position = 0
    work = 20 * len(text) + 1000  # characters that may be looked at: a looping output must not stall us
    while work > 0:
        start = min(
            (found for bracket in _PAIRS if (found := text.find(bracket, position)) >= 0), default=None
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
            position = start + 1  # a bracket of prose
    raise UnreadableError("it holds too many brackets")


def _closing(text: str, start: int) -> int | None:
    """Where the bracket at `start` closes. A single quote opens a string only where a value or key may
    begin, and closes it only where one may end: elsewhere it is an apostrophe.
    """
    expected: list[str] = []
    quote = ""
    escaped = False
    before = ""  # the last character that is no space
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
    """The candidate as strict JSON, or with its small faults mended and nothing lost."""
    try:
        return json.loads(candidate, strict=False)
    except ValueError as error:
        from json_repair import repair_json

        mended = json.loads(str(repair_json(candidate, ensure_ascii=False)))
        if "\\" in candidate or _has_stray_quote(mended):
            raise ValueError(f"{error}; its quotes are not clear") from error
        if _content(json.dumps(mended, ensure_ascii=False)) != _content(candidate):
            raise ValueError(f"{error}; mending it would change what it says") from error
        if _has_invented_blank(mended) and not re.search(r'""|\'\'|null|None', candidate):
            raise ValueError(f"{error}; a value is missing") from error
        return mended


def _content(text: str) -> str:
    """A text without what JSON's syntax is made of, Python's constants spelt as JSON's."""
    plain = re.sub(r"\bNone\b", "null", text)
    plain = re.sub(r"\b(True|False)\b", lambda match: match.group().lower(), plain)
    return re.sub(r"[\s{}\[\],:\"']", "", plain)


def _has_stray_quote(value: Any) -> bool:
    """Whether a string begins or ends with a quote: a sign that it was cut at the wrong one."""
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
