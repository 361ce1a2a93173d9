"""What some work cost: calls, tokens, seconds."""

from __future__ import annotations

from collections.abc import Iterable

from probative.types import Value


class Usage(Value):
    """What some work cost. Usages add up.

    `scored_tokens` are all tokens read for `score` and `choose`; `cached` counts the results that
    came from the cache, which have no calls and no tokens.

    >>> Usage(calls=1, prompt_tokens=5) + Usage(calls=1, scored_tokens=7)
    Usage(calls=2, prompt_tokens=5, completion_tokens=0, scored_tokens=7, cached=0, seconds=0.0)
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    scored_tokens: int = 0
    cached: int = 0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            scored_tokens=self.scored_tokens + other.scored_tokens,
            cached=self.cached + other.cached,
            seconds=self.seconds + other.seconds,
        )

    @property
    def tokens(self) -> int:
        """All tokens the model read or wrote."""
        return self.prompt_tokens + self.completion_tokens + self.scored_tokens


def total(usages: Iterable[Usage]) -> Usage:
    """The sum of usages.

    >>> total([Usage(calls=1), Usage(calls=2)]).calls
    3
    """
    calls = prompt_tokens = completion_tokens = scored_tokens = cached = 0
    seconds = 0.0
    for usage in usages:
        calls += usage.calls
        prompt_tokens += usage.prompt_tokens
        completion_tokens += usage.completion_tokens
        scored_tokens += usage.scored_tokens
        cached += usage.cached
        seconds += usage.seconds
    return Usage(
        calls=calls,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        scored_tokens=scored_tokens,
        cached=cached,
        seconds=seconds,
    )
