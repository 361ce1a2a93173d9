"""Tokenise a (prompt, continuation) pair in the same way for every backend that scores.

To score log P(continuation | prompt), the tokens of the continuation must be known. Encoding the two parts
separately gives different results for ``("a ", "b")`` and ``("a", " b")``, and tokens that do not occur in
running text. So the pair is encoded as one text. A token that extends into the continuation belongs to the
continuation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Joined(NamedTuple):
    """The token ids of prompt and continuation, and the index of the continuation's first token."""

    ids: list[int]
    start: int


def join(ids: Sequence[int], offsets: Sequence[tuple[int, int]], cut: int, first: int | None) -> Joined:
    """Find the continuation's first token.

    `offsets` are the character spans of the tokens, `cut` is the length of the prompt in characters. A
    byte-level tokenizer gives all tokens of one character (an emoji) the same span, so they stay together.

    `first` is inserted before a continuation that starts the text, because the first token of a text has
    no probability.

    >>> join([11, 12, 13], [(0, 3), (3, 7), (7, 9)], cut=4, first=None)
    Joined(ids=[11, 12, 13], start=1)
    >>> join([11], [(0, 3)], cut=0, first=99)
    Joined(ids=[99, 11], start=1)
    """
    return joined(list(ids), next((i for i, (_, end) in enumerate(offsets) if end > cut), len(ids)), first)


def joined(ids: list[int], start: int, first: int | None) -> Joined:
    """Return the pair whose continuation starts at the token `start`; inserts `first` if `start` is 0."""
    if start == len(ids):
        # The tokenizer dropped the whole continuation; byte-level ones drop nothing.
        start = max(0, len(ids) - 1)
    if start == 0:
        if first is None:
            raise ValueError("the continuation starts the text, and the tokenizer has no start token")
        return Joined([first, *ids], 1)
    return Joined(ids, start)
