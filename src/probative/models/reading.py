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

from pydantic import BaseModel, ValidationError

Object = TypeVar("Object", bound=BaseModel)

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT = re.compile(r"^\s*<think(?:ing)?>", re.IGNORECASE)
_PAIRS = {"{": "}", "[": "]"}
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
    problem = "there is no JSON object in it"
    if len(text) > LONGEST:
        raise UnreadableError("it is far too long")
    if _OPEN_THOUGHT.match(text) and "</think" not in text.lower():
        raise UnreadableError("it only thinks, and gives no answer")
    candidates = list(closed_parts(_THOUGHT.sub("", text)))[-MOST_CANDIDATES:]
    if not candidates and any(bracket in text for bracket in _PAIRS):
        problem = "its JSON is cut off: a bracket is never closed"
    for candidate in reversed(candidates):
        try:
            return schema.model_validate(_parse(candidate))
        except ValidationError as error:
            problem = "; ".join(
                f"{'.'.join(map(str, part['loc'])) or 'the object'}: {part['msg']}"
                for part in error.errors(include_url=False)[:5]
            )
        except (ValueError, RecursionError) as error:
            problem = f"its JSON is malformed ({error})"
    raise UnreadableError(problem)


def closed_parts(text: str) -> Iterator[str]:
    """The outermost {...} and [...] of a text whose brackets close, minding double-quoted strings.

    >>> list(closed_parts('so {"a": [1, "}"]} and {"b": 2'))
    ['{"a": [1, "}"]}']
    """
    position = 0
    tries = 0
    while position < len(text) and tries < 1000:
        starts = [found for bracket in _PAIRS if (found := text.find(bracket, position)) >= 0]
        if not starts:
            return
        start = min(starts)
        end = _closing(text, start)
        tries += 1
        if end is None:
            position = start + 1
            # What is inside an unclosed bracket is a part of something cut off, unless it is prose.
            if text[start] == "{" or '"' in text[start : start + 2]:
                return
        else:
            yield text[start : end + 1]
            position = end + 1


def _closing(text: str, start: int) -> int | None:
    """Where the bracket at `start` closes."""
    expected: list[str] = []
    in_string = escaped = False
    for position in range(start, len(text)):
        character = text[position]
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in _PAIRS:
            expected.append(_PAIRS[character])
        elif expected and character == expected[-1]:
            expected.pop()
            if not expected:
                return position
        elif character in "}]":
            return None
    return None


def _parse(candidate: str) -> Any:
    """The candidate as strict JSON, or with its small faults mended and nothing lost."""
    try:
        return json.loads(candidate, strict=False)
    except ValueError as error:
        from json_repair import repair_json

        mended = json.loads(str(repair_json(candidate, ensure_ascii=False)))
        if _content(json.dumps(mended, ensure_ascii=False)) != _content(candidate):
            raise ValueError(f"{error}; mending it would change what it says") from error
        if _has_invented_blank(mended) and not re.search(r'""|\'\'|null|None', candidate):
            raise ValueError(f"{error}; a value is missing") from error
        return mended


def _content(text: str) -> str:
    """The letters and digits of a text, Python's constants spelt as JSON's."""
    plain = re.sub(r"\bNone\b", "null", text)
    plain = re.sub(r"\b(True|False)\b", lambda match: match.group().lower(), plain)
    plain = re.sub(r"\\[nrtbf]", "", plain)
    return "".join(character for character in plain if character.isalnum())


def _has_invented_blank(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_invented_blank(part) for part in value.values())
    if isinstance(value, list):
        return any(_has_invented_blank(part) for part in value)
    return value is None or value == ""
