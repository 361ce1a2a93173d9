"""Options of a study: as the command line has them, and as a study reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.experiment import Settings
from probative.errors import InputError


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


def chosen_names(
    settings: Settings, option: str, default: Sequence[str], known: Sequence[str]
) -> tuple[str, ...]:
    """Return the names of an option, or its default; raises `InputError` for an unknown name.

    >>> from pathlib import Path
    >>> settings = Settings(Path("."), options={"sets": "fever, wice"})
    >>> chosen_names(settings, "sets", ("hover",), ("fever", "hover", "wice"))
    ('fever', 'wice')
    """
    given = settings.option(option, None)
    if given is None:
        return tuple(default)
    names = tuple(dict.fromkeys(name.strip() for name in str(given).split(",") if name.strip()))
    if not names:
        raise InputError(f"the option {option} names nothing", hint=f"use some of {', '.join(known)}")
    for name in names:
        if name not in known:
            raise InputError(
                f"{option} has no {name!r} in this experiment", hint=f"use some of {', '.join(known)}"
            )
    return names


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
