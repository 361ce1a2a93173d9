"""The table of verbs. Another package adds verbs with entry points of `probative.verbs`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from probative.registry import Registry
from probative.verbs import BUILT_IN

if TYPE_CHECKING:
    from probative.verbs.spec import VerbSpec


class VerbTable(Registry):
    """Every verb by its name, imported when it is first used.

    >>> VERBS.load("prove").result.__name__
    'Proof'
    """

    def __init__(self, entries: dict[str, str]) -> None:
        super().__init__("verb", entries, group="probative.verbs")
        self._added: dict[str, VerbSpec] = {}

    def add(self, spec: VerbSpec) -> None:
        """Add a verb to this process."""
        self._added[spec.name] = spec

    def remove(self, name: str) -> None:
        """Remove a verb that was added."""
        del self._added[name]

    def __contains__(self, name: str) -> bool:
        return name in self._added or super().__contains__(name)

    def load(self, name: str) -> VerbSpec:
        """Return the `VerbSpec` of this name; raises `InputError` for an unknown name."""
        spec: VerbSpec = self._added[name] if name in self._added else super().load(name)
        return spec

    def help(self, name: str) -> str:
        """Return what a verb does, in one line; only a verb of another package is imported for it."""
        return BUILT_IN.get(name) or self.load(name).help

    def entries(self) -> dict[str, str]:
        """Return every name with where it comes from."""
        return {**super().entries(), **dict.fromkeys(self._added, "")}

    def specs(self) -> Iterator[VerbSpec]:
        """Yield the record of every verb, in the order of the table."""
        return (self.load(name) for name in self.entries())


VERBS = VerbTable({name: f"probative.verbs.{name}:{name.upper()}" for name in BUILT_IN})
