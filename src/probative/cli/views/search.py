"""A search while it runs: what it has cost so far, on standard error, for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from probative.usage import Usage

# Fewer names than this are encoded in a few seconds.
WORTH_TELLING = 5_000


@contextmanager
def showing_search() -> Iterator[Callable[[Usage], None]]:
    """A line that says how far a search has come; nothing where standard error is no terminal."""
    from rich.console import Console

    with Console(stderr=True).status("opening the model …") as status:

        def tell(usage: Usage) -> None:
            status.update(f"searching: {usage.calls + usage.cached:,} scores, {usage.tokens:,} tokens")

        yield tell


def telling_encoding() -> Callable[[int, int], None]:
    """Says on standard error how far a large graph's entities are encoded: a line for each tenth."""
    told = -1

    def tell(done: int, total: int) -> None:
        nonlocal told
        if total >= WORTH_TELLING and (tenth := done * 10 // total) > told:
            told = tenth
            typer.echo(f"encoding the graph's entities, once: {done:,} of {total:,}", err=True)

    return tell
