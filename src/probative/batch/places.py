"""The arguments of a verb that cannot be sent to another process: it opens them again where they are."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probative.corpus.corpus import Corpus
from probative.corpus.documents.filters import SearchFilters
from probative.graph.graph import Graph
from probative.settings import Settings

# Functions that show progress in this process.
_PROGRESS = ("embedding", "learning")


@dataclass(frozen=True)
class CorpusPlace:
    """The index of a corpus, and which of its documents are searched."""

    index: Path
    filters: SearchFilters


def portable(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments that can be sent: a corpus and a stored graph as their places, without progress.

    >>> portable({"k": 3, "embedding": print})
    {'k': 3}
    """
    return {name: _portable(value) for name, value in arguments.items() if name not in _PROGRESS}


def opened(arguments: Mapping[str, Any], stack: ExitStack, settings: Settings) -> dict[str, Any]:
    """Return the arguments as a session takes them; `stack` closes what was opened."""
    return {
        name: stack.enter_context(Corpus.open(value.index, filters=value.filters, settings=settings))
        if isinstance(value, CorpusPlace)
        else value
        for name, value in arguments.items()
    }


def _portable(value: Any) -> Any:
    if isinstance(value, Corpus):
        return CorpusPlace(value.path.absolute(), value.filters)
    if isinstance(value, Graph) and value.folder is not None:
        return value.folder.absolute()
    return value
