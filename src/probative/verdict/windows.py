"""Which sentences of long evidence are read together.

Evidence that fits into one window is read whole. From longer evidence, the sentences that share most with
the claim are read in the order of the text, wherever they are: a claim may rest on several of them. Reading
every other part of the text as well gained nothing on the evaluation sets.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.models.verdict import VerdictLimits
from probative.text.words import best_first, bm25, words

# The tokens that the label of a sentence takes.
LABEL_TOKENS = 3

SMALL = VerdictLimits()
Window = tuple[int, ...]
"""The indexes of the sentences that are read together, in the order of the text."""


def choose_window(
    claim: str, sentences: Sequence[str], lengths: Sequence[int], limits: VerdictLimits = SMALL
) -> Window:
    """Return all sentences if they fit into one window, and the most relevant ones otherwise.

    Before a sentence that shares words with the claim, the one before it is taken, too: it says who "she" is.
    Sentences that share nothing with the claim are left out, unless all of them do.

    >>> text = ["Ada built a mill.", "It burnt in 1890.", "Herons eat fish.", "The mill had two wheels."]
    >>> choose_window("The mill burnt in 1890.", text, [5, 5, 4, 6])
    (0, 1, 2, 3)
    >>> choose_window("The mill burnt in 1890.", text, [5, 5, 4, 6], VerdictLimits(tokens=18))
    (0, 1)
    """
    if fits(lengths, limits):
        return tuple(range(len(lengths)))
    scores = bm25(words(claim), [words(sentence) for sentence in sentences])
    ranked = best_first(scores)
    chosen: set[int] = set()
    left = limits.tokens
    for index in ranked:
        if scores[index] <= 0 < scores[ranked[0]]:
            break
        for candidate in (index, index - 1) if scores[index] > 0 and index else (index,):
            cost = lengths[candidate] + LABEL_TOKENS
            if candidate not in chosen and cost <= left and len(chosen) < limits.pieces:
                chosen.add(candidate)
                left -= cost
    return tuple(sorted(chosen)) or (ranked[0],)


def fits(lengths: Sequence[int], limits: VerdictLimits = SMALL) -> bool:
    """Return whether sentences with these numbers of tokens fit into one window.

    >>> fits([100, 100]), fits([300, 300]), fits([1] * 27)
    (True, False, False)
    """
    return len(lengths) <= limits.pieces and sum(lengths) + LABEL_TOKENS * len(lengths) <= limits.tokens
