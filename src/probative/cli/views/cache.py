"""The response cache at a glance."""

from __future__ import annotations

from probative.cli.views.terminal import print_text
from probative.models.response_cache import CacheSummary
from probative.types import Value


class Removed(Value):
    """How many results were removed."""

    removed: int


def show_cache(summary: CacheSummary) -> None:
    """Print the place and the size of the cache, and its results by model."""
    print_text(f"{summary.path}: {summary.results:,} results, {summary.bytes / 1e6:.1f} MB")
    for model, count in summary.by_model.items():
        print_text(f"  {count:>8,}  {model}")
