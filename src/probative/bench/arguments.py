"""Options of a study, as the command line has them."""

from __future__ import annotations

from collections.abc import Sequence


def parse_options(options: Sequence[str] | None) -> dict[str, object]:
    """Return options given as NAME=VALUE, with numbers, true, false and none as such.

    >>> parse_options(["lexical=4", "topic=false", "policy=pair"])
    {'lexical': 4, 'topic': False, 'policy': 'pair'}
    """
    words: dict[str, object] = {"true": True, "false": False, "none": None}
    parsed: dict[str, object] = {}
    for option in options or ():
        name, equals, value = option.partition("=")
        if not equals or not name:
            raise ValueError(f"an option is NAME=VALUE, got {option!r}")
        parsed[name] = words[value.lower()] if value.lower() in words else _number(value)
    return parsed


def _number(value: str) -> object:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value
