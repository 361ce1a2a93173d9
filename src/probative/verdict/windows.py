"""Which sentences of long evidence are read together.

Evidence that fits into one window is read whole. From longer evidence two kinds of windows are made: the
sentences that share most with the claim, wherever they are, in the order of the text (a claim may rest on
several of them), and consecutive windows over the text where there are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.models.verdict import MAX_EVIDENCE
from probative.text.words import bm25, words

# The tokens of evidence in one window.
WINDOW_TOKENS = 360
# The tokens that the label of a sentence takes.
LABEL_TOKENS = 3
# Consecutive windows that are read beside the most relevant sentences.
MAX_CONSECUTIVE = 3

Window = tuple[int, ...]
"""The indexes of the sentences that are read together, in the order of the text."""


def fits(lengths: Sequence[int], tokens: int = WINDOW_TOKENS) -> bool:
    """Return whether sentences with these numbers of tokens fit into one window.

    >>> fits([100, 100]), fits([300, 300]), fits([1] * 27)
    (True, False, False)
    """
    return len(lengths) <= MAX_EVIDENCE and sum(lengths) + LABEL_TOKENS * len(lengths) <= tokens


def windows(
    claim: str, sentences: Sequence[str], lengths: Sequence[int], tokens: int = WINDOW_TOKENS
) -> list[Window]:
    """Return the windows to be read for a claim: all sentences, if they fit into one; otherwise the most
    relevant sentences, and up to `MAX_CONSECUTIVE` consecutive windows that share most with the claim.

    >>> windows("It rained.", ["It rained.", "It was cold."], [3, 4])
    [(0, 1)]
    """
    if fits(lengths, tokens):
        return [tuple(range(len(lengths)))]
    scores = bm25(words(claim), [words(sentence) for sentence in sentences])
    parts = sorted(consecutive(lengths, tokens), key=lambda part: -_share(part, scores))[:MAX_CONSECUTIVE]
    return [_most_relevant(scores, lengths, tokens), *sorted(parts)]


def _share(window: Window, scores: Sequence[float]) -> float:
    """Return how much the best sentences of a window share with the claim."""
    return sum(sorted((scores[index] for index in window), reverse=True)[:3])


def most_relevant(
    claim: str, sentences: Sequence[str], lengths: Sequence[int], tokens: int = WINDOW_TOKENS
) -> Window:
    """Return the sentences that share most with the claim, with what stands before them, up to a window.

    The sentence before says who "she" is. Sentences that share nothing with the claim fill the window in the
    order of the text.

    >>> text = ["Ada built a mill.", "It burnt in 1890.", "Herons eat fish.", "The mill had two wheels."]
    >>> most_relevant("The mill burnt in 1890.", text, [5, 5, 4, 6], tokens=18)
    (0, 1)
    """
    return _most_relevant(bm25(words(claim), [words(sentence) for sentence in sentences]), lengths, tokens)


def _most_relevant(scores: Sequence[float], lengths: Sequence[int], tokens: int) -> Window:
    ranked = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
    chosen: set[int] = set()
    left = tokens
    for index in ranked:
        for candidate in (index, index - 1) if scores[index] > 0 else (index,):
            cost = lengths[candidate] + LABEL_TOKENS if candidate >= 0 else 0
            new = candidate >= 0 and candidate not in chosen
            if new and cost <= left and len(chosen) < MAX_EVIDENCE:
                chosen.add(candidate)
                left -= cost
    return tuple(sorted(chosen)) or (ranked[0],)


def consecutive(lengths: Sequence[int], tokens: int = WINDOW_TOKENS) -> Iterator[Window]:
    """Yield windows that follow one another and together hold every sentence.

    >>> list(consecutive([10, 10, 10], tokens=26))
    [(0, 1), (2,)]
    """
    window: list[int] = []
    left = tokens
    for index, length in enumerate(lengths):
        cost = length + LABEL_TOKENS
        if window and (cost > left or len(window) == MAX_EVIDENCE):
            yield tuple(window)
            window, left = [], tokens
        window.append(index)
        left -= cost
    if window:
        yield tuple(window)
