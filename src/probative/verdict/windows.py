"""Which sentences of long evidence are read together.

Evidence that fits into one window is read whole. From longer evidence, the sentences that share most with
the claim are read in the order of the text, wherever they are: a claim may rest on several of them. Reading
every other part of the text as well gained nothing on the evaluation sets.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.models.verdict import VerdictLimits
from probative.text.words import best_first, bm25, words

# The best sentences that a near window has, each with the one before it; the second shares at least this part
# of what the best one shares with the claim.
NEAR_SENTENCES = 2
NEAR_SHARE = 0.25
# Fewer sentences are not read twice.
MIN_WINDOW = 4
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


def near_window(claim: str, sentences: Sequence[str], window: Window) -> Window:
    """Return the few sentences of a window that share most with the claim, each after the one before it.

    They are empty if the window has hardly any others, or none that shares a word with the claim.

    >>> text = ["Ada built a boat.", *["Herons eat fish."] * 7, "The mill had two wheels."]
    >>> near_window("The mill had wheels.", text, tuple(range(9)))
    (7, 8)
    """
    if len(window) < MIN_WINDOW:
        return ()
    scores = bm25(words(claim), [words(sentences[index]) for index in window])
    ranked = best_first(scores)
    least = NEAR_SHARE * scores[ranked[0]]
    best = [rank for rank in ranked[:NEAR_SENTENCES] if scores[rank] > 0 and scores[rank] >= least]
    near = {index for rank in best for index in (window[max(rank - 1, 0)], window[rank])}
    return tuple(sorted(near)) if len(near) < len(window) else ()


def fits(lengths: Sequence[int], limits: VerdictLimits = SMALL) -> bool:
    """Return whether sentences with these numbers of tokens fit into one window.

    >>> fits([100, 100]), fits([300, 300]), fits([1] * 27)
    (True, False, False)
    """
    return len(lengths) <= limits.pieces and sum(lengths) + LABEL_TOKENS * len(lengths) <= limits.tokens
