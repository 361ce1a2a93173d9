"""A search while it runs: what it has cost so far, on standard error, for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from probative.usage import Usage


@contextmanager
def showing_search() -> Iterator[Callable[[Usage], None]]:
    """A line that says how far a search has come; nothing where standard error is no terminal."""
    from rich.console import Console

    with Console(stderr=True).status("opening the model …") as status:

        def tell(usage: Usage) -> None:
            status.update(f"searching: {usage.calls + usage.cached:,} scores, {usage.tokens:,} tokens")

        yield tell
