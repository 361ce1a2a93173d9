"""The cost of a run in one line."""

from __future__ import annotations

from collections.abc import Mapping

from probative.cli.views.terminal import print_note, print_text
from probative.types import Usage


def show_usage(
    usage: Usage, model: str | None, others: Mapping[str | None, Usage | None] | None = None
) -> None:
    """Print what a run cost, on standard error; separately the parts of `others`, by the names of the models.

    A part of the language model itself is not shown separately.
    """
    seconds = usage.seconds
    cached = (
        f"; {usage.cached:,} result{'s' if usage.cached != 1 else ''} from the cache" if usage.cached else ""
    )
    parts = []
    for name, part in (others or {}).items():
        if part is not None and name is not None and name != model:
            usage = without(usage, part)
            parts.append(f"{name}: {part.counted}")
    if not parts or model or usage.calls:
        parts.insert(0, f"{model or 'no language model'}: {usage.counted}{cached}")
    print_note(f"[{'; '.join(parts)}; {seconds:.1f} s]")


def without(usage: Usage, part: Usage) -> Usage:
    """Return a usage less a part of it; the seconds stay those of the whole.

    >>> without(Usage(calls=3, prompt_tokens=9), Usage(calls=1, prompt_tokens=4)).prompt_tokens
    5
    """
    counts = ("calls", "prompt_tokens", "completion_tokens", "scored_tokens", "cached")
    return usage.model_copy(update={name: getattr(usage, name) - getattr(part, name) for name in counts})


def show_dry_run(usage: Usage) -> None:
    """Print what a run would cost; only about, since later calls depend on earlier results."""
    cached = f"; {usage.cached:,} results are in the cache" if usage.cached else ""
    print_text(f"would make about {usage.counted}{cached}")
