"""Parts by name: a lazy table of "module:attribute" and the plug-ins that other packages register."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any

from probative.errors import InputError


class Registry:
    """The parts of one kind (models, encoders, methods), each imported when it is first used.

    `entries` maps a name to "module:attribute". Another package adds parts with entry points of `group`; it
    cannot replace the ones here. `others` are names that the caller handles itself; they are listed in the
    error for an unknown name.

    >>> functions = Registry("function", {"sine": "math:sin", "cosine": "math:cos"})
    >>> functions.load("sine").__name__
    'sin'
    >>> functions.load("cosin")
    Traceback (most recent call last):
    probative.errors.InputError: there is no function called 'cosin'
      → did you mean cosine or sine? The functions are: cosine, sine
    """

    def __init__(
        self, kind: str, entries: Mapping[str, str], *, group: str | None = None, others: Sequence[str] = ()
    ) -> None:
        self.kind = kind
        self._entries = dict(entries)
        self._group = group
        self._others = tuple(others)

    def entries(self) -> dict[str, str]:
        """Return every name with its "module:attribute", plug-ins included."""
        plugins = {point.name: point.value for point in self._plugins()}
        return {**self._entries, **{name: plugins[name] for name in plugins if name not in self._entries}}

    def names(self) -> tuple[str, ...]:
        """Return every name, in alphabetical order."""
        return tuple(sorted({*self.entries(), *self._others}))

    def __contains__(self, name: str) -> bool:
        return name in self._entries or any(point.name == name for point in self._plugins())

    def load(self, name: str) -> Any:
        """Import and return the part of this name; raises `InputError` for an unknown name."""
        target = self._entries.get(name) or self.entries().get(name)
        if target is None:
            raise self.unknown(name)
        module, _, attribute = target.partition(":")
        return getattr(importlib.import_module(module), attribute)

    def unknown(self, name: str, hint: str = "") -> InputError:
        """Return the error for a name that is not registered; it names the nearest ones, or `hint`."""
        names = self.names()
        near = difflib.get_close_matches(name, names, n=2)
        meant = f"did you mean {' or '.join(near)}? " if near else ""
        return InputError(
            f"there is no {self.kind} called {name!r}",
            hint=hint or f"{meant}The {self.kind}s are: {', '.join(names)}",
        )

    def _plugins(self) -> Any:
        return entry_points(group=self._group) if self._group is not None else ()
