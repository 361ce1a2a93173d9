"""One way to tokenise a (prompt, continuation) pair, shared by every backend that scores.

Scoring log P(continuation | prompt) needs to know which tokens are the continuation's. Encoding
the two halves apart gives a different answer for ``("a ", "b")`` and ``("a", " b")``, and tokens
that the model never sees in running text. So the pair is encoded as one text, and a token belongs
to the continuation when it reaches into it. Where the cut falls inside a token, the whole token is
the continuation's: the score is that of the text as the model would read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Joined(NamedTuple):
    """The token ids of a whole text, and where the continuation starts among them."""

    ids: list[int]
    start: int


def join(ids: Sequence[int], offsets: Sequence[tuple[int, int]], cut: int, first: int | None) -> Joined:
    """Find the continuation's first token.

    `offsets` are the characters each token covers and `cut` the prompt's length in characters.
    A byte-level tokenizer gives the tokens of one character (an emoji, say) the same offsets;
    they stay together, because the whole character is the continuation's.

    `first` is the token put in front when the continuation would otherwise begin the text: the
    first token of a text has no probability of its own.

    >>> join([11, 12, 13], [(0, 3), (3, 7), (7, 9)], cut=4, first=None)
    Joined(ids=[11, 12, 13], start=1)
    >>> join([11], [(0, 3)], cut=0, first=99)
    Joined(ids=[99, 11], start=1)
    """
    return joined(list(ids), next((i for i, (_, end) in enumerate(offsets) if end > cut), len(ids)), first)


def joined(ids: list[int], start: int, first: int | None) -> Joined:
    """The pair whose continuation begins at the token `start`, with the token `first` put in front where
    that is the first of all.
    """
    if start == len(ids):
        # Only text that the tokenizer drops (none in byte-level ones) can end up here.
        start = max(0, len(ids) - 1)
    if start == 0:
        if first is None:
            raise ValueError("the continuation begins the text, and the tokenizer has no start token")
        return Joined([first, *ids], 1)
    return Joined(ids, start)
