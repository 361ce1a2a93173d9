"""What a run cost, or would cost, in one line on standard error."""

from __future__ import annotations

import typer

from probative.usage import Usage


def show_usage(
    usage: Usage, model: str | None, policy: str | None = None, policy_usage: Usage | None = None
) -> None:
    """The cost of a finished run; the evidence policy's part of it by itself, where one was used."""
    who = f"{model}: " if model else "no language model: "
    cached = f"; {usage.cached:,} results from the cache" if usage.cached else ""
    parts = []
    if policy is not None and policy_usage is not None:
        usage = less(usage, policy_usage)
        parts = [f"{policy}: {_counted(policy_usage)}"]
    if not parts or model or usage.calls:
        parts.insert(0, f"{who}{_counted(usage)}{cached}")
    typer.echo(f"[{'; '.join(parts)}; {usage.seconds:.1f} s]", err=True)


def less(usage: Usage, part: Usage) -> Usage:
    """A usage without a part of it; the seconds stay those of the whole.

    >>> less(Usage(calls=3, prompt_tokens=9), Usage(calls=1, prompt_tokens=4)).prompt_tokens
    5
    """
    counts = ("calls", "prompt_tokens", "completion_tokens", "scored_tokens", "cached")
    return usage.model_copy(update={name: getattr(usage, name) - getattr(part, name) for name in counts})


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
