"""The cost of work: calls, tokens, seconds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.types import Value


class Usage(Value):
    """The cost of some work. Usages can be added.

    `scored_tokens` are the tokens read for `score` and `choose`. `cached` counts the results from the cache,
    which cost no calls and no tokens.

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
        return total((self, other))

    def __sub__(self, other: Usage) -> Usage:
        """Return what was spent since `other`, an earlier reading of the same counter."""
        return Usage(**{name: getattr(self, name) - getattr(other, name) for name in Usage.model_fields})

    def shares(self, weights: Sequence[int]) -> list[Usage]:
        """Share the tokens and seconds out in proportion to `weights`; the calls go to the first share.

        >>> [share.prompt_tokens for share in Usage(calls=1, prompt_tokens=10).shares([1, 1, 2])]
        [2, 3, 5]
        """
        whole = sum(weights) or 1
        parts: list[Usage] = []
        passed = 0
        for index, weight in enumerate(weights):
            start, passed = passed, passed + weight
            parts.append(
                Usage(
                    calls=0 if index else self.calls,
                    prompt_tokens=self.prompt_tokens * passed // whole - self.prompt_tokens * start // whole,
                    scored_tokens=self.scored_tokens * passed // whole - self.scored_tokens * start // whole,
                    cached=0 if index else self.cached,
                    seconds=self.seconds * weight / whole,
                )
            )
        return parts

    def describe(self) -> str:
        """Return the counts that are not 0, in words.

        >>> Usage(calls=2, scored_tokens=1200, seconds=0.5).describe()
        '2 calls, 1,200 scored tokens, 0.5 s'
        """
        cached = (
            [f"{self.cached:,} result{'' if self.cached == 1 else 's'} from the cache"] if self.cached else []
        )
        return ", ".join([self.counted, *cached, f"{self.seconds:.1f} s"])

    @property
    def counted(self) -> str:
        """The calls and the tokens that are not 0, in words.

        >>> Usage(calls=1, prompt_tokens=1200, completion_tokens=1).counted
        '1 call, 1,200 prompt tokens, 1 completion token'
        """
        counts = {
            "call": self.calls,
            "scored token": self.scored_tokens,
            "prompt token": self.prompt_tokens,
            "completion token": self.completion_tokens,
        }
        used = {noun: count for noun, count in counts.items() if count or noun == "call"}
        return ", ".join(f"{count:,} {noun}{'' if count == 1 else 's'}" for noun, count in used.items())

    @property
    def tokens(self) -> int:
        """The number of tokens that the model read or wrote."""
        return self.prompt_tokens + self.completion_tokens + self.scored_tokens


def total(usages: Iterable[Usage]) -> Usage:
    """Return the sum of usages.

    >>> total([Usage(calls=1), Usage(calls=2)]).calls
    3
    """
    parts = list(usages)
    return Usage(**{name: sum(getattr(part, name) for part in parts) for name in Usage.model_fields})
