"""Options of a study: as the command line has them, and as a study reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

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


class Names(NamedTuple):
    """An option that takes some of several names, with commas between them.

    >>> from pathlib import Path
    >>> sets = Names("sets", ("hover",), ("fever", "hover", "wice"))
    >>> sets.chosen(Settings(Path("."), options={"sets": "fever, wice"})), sets.chosen(Settings(Path(".")))
    (('fever', 'wice'), ('hover',))
    """

    option: str
    default: Sequence[str]
    known: Sequence[str]

    def chosen(self, settings: Settings) -> tuple[str, ...]:
        """Return the names that the user wants, or the default; raises `InputError` for an unknown name."""
        given = settings.option(self.option, None)
        if given is None:
            return tuple(self.default)
        names = tuple(dict.fromkeys(name.strip() for name in str(given).split(",") if name.strip()))
        hint = f"use some of {', '.join(self.known)}"
        if not names:
            raise InputError(f"the option {self.option} names nothing", hint=hint)
        for name in names:
            if name not in self.known:
                raise InputError(f"{self.option} has no {name!r} in this experiment", hint=hint)
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
