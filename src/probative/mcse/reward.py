"""The value of taking a sentence: f = g + γh (section 3.3, equations 2 to 4).

    f(o_t, a_t) = g(o_t, a_t) + γ h(o_t, a_t)                                                    (2)
    g(o_t, a_t) = 1/(t+1) Σ_{t'=0..t} ind(a_t')  +  λ score(c, a_0:t)                            (3)
    h(o_t, a_t) = max over trajectories of Σ_{k=1..K} γ^(k-1) [ind(a_t+k) + δ score(c, a_t:t+k)]  (4)

`ind(a)` is score(c, a), plus the prior where it has a weight. The paper's equation 3 divides the sum by t,
although it has t+1 terms and t is 0 at the first step; the mean is meant, and so it is computed here. The
collaborative part of h begins at the candidate a_t: the sentences chosen before it are in g.

Two terms are added here. With a weight for proximity, g falls with the distance to the nearest chosen
sentence. The learned policy's part of `ind` is, in g, its value after the sentences before it: its value for
a sentence alone says little about the second step of a proof.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from probative.mcse.next_sentence import LearnedPolicy
from probative.mcse.options import McseOptions
from probative.mcse.strength import Path, Strength


class Reward:
    """g and the terms of h, computed from strengths that have been asked for.

    `independent` holds ind(a) of every candidate. `spread` is the standard deviation of score(c, ·) over the
    candidates: the scale on which prior and proximity are added.
    """

    def __init__(
        self,
        strength: Strength,
        independent: Mapping[int, float],
        options: McseOptions,
        spread: float = 1.0,
        learned: LearnedPolicy | None = None,
    ) -> None:
        self.strength = strength
        self.options = options
        self._independent = independent
        self._spread = spread
        self._learned = learned

    def independent(self, index: int) -> float:
        """Return ind(a) as h uses it: 0 where the independent part is switched off."""
        return self._independent[index] if self.options.independent else 0.0

    def independent_after(self, path: Path, index: int) -> float:
        """Return ind(a) with the learned policy's part as it is after `path`."""
        alone = self._independent[index]
        if not path or not self.options.learned or self._learned is None:
            return alone
        later, first = self._learned.standardised(path), self._learned.standardised(())
        return alone + self.options.learned * self._spread * (later[index] - first[index])

    def cumulative(self, path: Path) -> float:
        """Return g of the last sentence of `path`, after the others."""
        g_ind = 0.0
        if self.options.independent:
            terms = (self.independent_after(path[:t], index) for t, index in enumerate(path))
            g_ind = math.fsum(terms) / len(path)
        g_ind -= self.options.proximity * self._spread * log_distance(path)
        if not self.options.collaborative:
            return g_ind
        return g_ind + self.options.lam * self.strength[path]

    def future(self, candidate: int, trajectory: Sequence[int], scored: int) -> float:
        """Return the sum of equation 4 over one trajectory, with collaborative terms for the first `scored`
        steps.

        The terms left out are log-probabilities, so at most 0. The sum is therefore an upper bound of the
        trajectory's value, and equal to it when all steps are scored.
        """
        options, value, discount = self.options, 0.0, 1.0
        for step, index in enumerate(trajectory):
            term = self.independent(index)
            if step < scored and options.collaborative:
                term += options.delta * self.strength[(candidate, *trajectory[: step + 1])]
            value += discount * term
            discount *= options.gamma
        return value


def log_distance(path: Path) -> float:
    """Return the log of the distance of the last sentence to the nearest one before it; 0 for the first.

    Evidence stands together in a text: of neighbouring gold sentences 70% follow one another directly in
    MultiRC, 34% in WiCE and 28% in HoVer.

    >>> log_distance((7,)), log_distance((2, 9, 8)), round(log_distance((2, 9, 5)), 2)
    (0.0, 0.0, 1.1)
    """
    *before, last = path
    return math.log(min(abs(last - index) for index in before)) if before else 0.0
