"""Options of a study, as the command line has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.study import Names, Settings
from probative.errors import InputError

__all__ = ["Names", "check_known", "is_on", "parse_options"]


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


def check_known(settings: Settings, known: Iterable[str]) -> None:
    """Raise `InputError` for an option that the experiment does not have.

    >>> from pathlib import Path
    >>> check_known(Settings(Path("."), options={"sets": "fever"}), ("sets", "methods"))
    """
    names = tuple(known)
    for name in settings.options or {}:
        if name not in names:
            raise InputError(
                f"this experiment has no option {name!r}", hint=f"the options are {', '.join(names)}"
            )


def is_on(settings: Settings, option: str, *, default: bool = False) -> bool:
    """Return whether a switch is on; raises `InputError` unless it is true or false.

    >>> from pathlib import Path
    >>> is_on(Settings(Path("."), options={"lacking": True}), "lacking")
    True
    """
    value = settings.option(option, default)
    if not isinstance(value, bool):
        raise InputError(f"{option} must be true or false, got {value!r}")
    return value
