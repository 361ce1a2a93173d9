"""What is wrong with the shape of a request, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

_HINT = "see /openapi.json for what the request takes"
_PLACES = ("body", "query", "path", "header")
# What pydantic calls the types that it tries for a field that may have several.
_TRIED = ("str", "int", "float", "bool", "tuple", "list", "dict", "literal", "constrained", "function-")

_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not a field of this request",
    "string_type": "must be a text",
    "string_unicode": "has characters that are no text",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length:,} characters",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length:,} entries",
}


class Problem(NamedTuple):
    """The first problem of a request: its field, what is wrong, pydantic's name for it, and what to do."""

    field: str | None
    message: str
    kind: str
    hint: str = _HINT


def first_problem(errors: Sequence[Any]) -> Problem:
    """Return the first problem of a validation, told as a sentence about its field.

    >>> error = {"type": "string_too_short", "loc": ("body", "question"), "ctx": {"min_length": 1}}
    >>> first_problem([error]).message
    'question must not be empty'
    """
    start = _path(errors[0]["loc"])[:1]
    same = [error for error in errors if _path(error["loc"])[:1] == start]
    # A field that may have one of two types has a problem for each: the one deepest in the value is meant.
    depth = max(len(_path(error["loc"])) for error in same)
    meant = [error for error in same if len(_path(error["loc"])) == depth]
    kind = str(meant[0]["type"])
    field = "" if kind == "json_invalid" else printable(".".join(_path(meant[0]["loc"])))
    messages = list(dict.fromkeys(_words(error) for error in meant))
    words = messages[0]
    if all(message.startswith("must be ") for message in messages):
        words = "must be " + " or ".join(message.removeprefix("must be ") for message in messages)
    if kind == "value_error" or not field:
        whole = kind in ("value_error", "json_invalid")
        return Problem(field or None, printable(words if whole else f"the body {words}"), kind)
    message = printable(f"{field} {words}" if kind in _WORDS else f"{field}: {words}")
    return Problem(field, message, kind, _hint(meant[0]))


def unread_body(cause: BaseException | None) -> str | None:
    """Return why a body could not be read as JSON, by the error that FastAPI met; None for another error.

    >>> unread_body(RecursionError()), unread_body(None)
    ('the body is nested too deeply', None)
    """
    if isinstance(cause, RecursionError):
        return "the body is nested too deeply"
    # Bytes that are no text, or a number of thousands of digits.
    return "the body is not valid JSON" if isinstance(cause, ValueError) else None


def printable(text: str) -> str:
    """Return a text without lone surrogates, which no reply can hold.

    >>> printable("a" + chr(0xD800) + "b")
    'a?b'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _words(error: Any) -> str:
    kind, limits = str(error["type"]), error.get("ctx") or {}
    if kind in ("string_too_short", "too_short") and limits.get("min_length") == 1:
        return "must not be empty"
    if kind == "value_error":
        return str(error["msg"]).removeprefix("Value error, ")
    if kind == "json_invalid":
        return "the body is not valid JSON"
    return _WORDS[kind].format(**limits) if kind in _WORDS else str(error["msg"])


def _hint(error: Any) -> str:
    text = error.get("input")
    if error["type"] != "string_too_long" or not isinstance(text, str):
        return _HINT
    return f"it has {len(text.strip()):,}: shorten it"


def _path(location: Sequence[int | str]) -> list[str]:
    """Return a place in a request by its fields and indexes, without the types that pydantic tried.

    >>> _path(("body", "passages", 1, "DatedPassage", "text")), _path(("query", "limit"))
    (['passages', '1', 'text'], ['limit'])
    """
    parts = location[1:] if location and location[0] in _PLACES else location
    return [
        str(part)
        for index, part in enumerate(parts)
        if isinstance(part, int) or index == 0 or not (part.startswith(_TRIED) or part[:1].isupper())
    ]
