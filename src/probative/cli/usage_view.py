"""What a run cost, or would cost, in one line on standard error."""

from __future__ import annotations

import typer

from probative.usage import Usage


def show_usage(usage: Usage, model: str | None) -> None:
    """The cost of a finished run."""
    who = f"{model}: " if model else "no language model: "
    cached = f"; {usage.cached:,} results from the cache" if usage.cached else ""
    typer.echo(f"[{who}{_counted(usage)}{cached}; {usage.seconds:.1f} s]", err=True)


def show_dry_run(usage: Usage) -> None:
    """The cost that a run would have, about: what it asks may depend on what it is told."""
    cached = f"; {usage.cached:,} results are in the cache" if usage.cached else ""
    typer.echo(f"would make about {_counted(usage)}{cached}")


def _counted(usage: Usage) -> str:
    parts = [f"{usage.calls:,} call{'s' if usage.calls != 1 else ''}"]
    if usage.scored_tokens:
        parts.append(f"{usage.scored_tokens:,} scored tokens")
    if usage.prompt_tokens:
        parts.append(f"{usage.prompt_tokens:,} prompt tokens")
    if usage.completion_tokens:
        parts.append(f"{usage.completion_tokens:,} written tokens")
    return ", ".join(parts)
