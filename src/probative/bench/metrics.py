"""The metrics of all experiments, benchmarks and trainings: each is defined once, here.

Answers: `normalise_answer`, `exact_match`, `answer_f1`, `is_right`, `is_accepted`. Evidence: `best_gold`,
`set_f1`, `overlap`. Ranking: `auroc`. Certainty: `calibration_error`, `reliability`, `risk_coverage`.
Uncertainty: `mean_interval`, `f1_interval`, `auroc_interval` (bootstrap), `wilson_interval`. Shares are
between 0 and 1; `overlap` and the intervals of shares are in percent.
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from probative.calibration.bounds import Interval, wilson

# Resamples of the claims for an interval of F1 or AUROC, and of the questions for one of a mean.
CLAIM_RESAMPLES, QUESTION_RESAMPLES = 1000, 2000
_NUMBER = re.compile(
    r"\d+|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|no|not|yes)\b"
)
_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation, " "))


class Overlap(NamedTuple):
    """Precision, recall and F1 in percent, counted over all claims (micro average)."""

    precision: float
    recall: float
    f1: float


def mean(values: Sequence[float]) -> float:
    """Return the mean, or 0 for no values.

    >>> mean([1.0, 2.0]), mean([])
    (1.5, 0.0)
    """
    return sum(values) / len(values) if values else 0.0


def normalise_answer(text: str) -> str:
    """Return an answer without case, articles and punctuation."""
    return " ".join(re.sub(r"\b(?:a|an|the)\b", " ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, gold: str) -> bool:
    """Return whether two answers are equal after normalisation.

    >>> exact_match("the Sea Lark", "Sea lark!"), exact_match("Lark", "Sea Lark")
    (True, False)
    """
    return normalise_answer(answer) == normalise_answer(gold)


def answer_f1(answer: str, gold: str) -> float:
    """Return F1 over the words of two normalised answers."""
    words, gold_words = normalise_answer(answer).split(), normalise_answer(gold).split()
    common = sum((Counter(words) & Counter(gold_words)).values())
    return 2 * common / (len(words) + len(gold_words)) if common else 0.0


def nearest_spelling(answer: str, accepted: Sequence[str]) -> str:
    """Return the accepted spelling of the right answer that an answer is to be compared with: an equal one,
    the one with the highest F1, or the first.

    >>> nearest_spelling("the 3 May", ["May 3", "3 May"]), nearest_spelling("June", ["May 3", "3 May"])
    ('3 May', 'May 3')
    """
    return max(accepted, key=lambda gold: (exact_match(answer, gold), answer_f1(answer, gold)))


def is_right(answer: str, gold: str, min_f1: float = 0.6) -> bool:
    """Return whether an answer has an F1 of at least `min_f1`, or one of the two contains the other as whole
    words (yes and no apart).

    >>> is_right("Captain Ole Brandt", "Ole Brandt"), is_right("no", "yes"), is_right("Oslo", "Molde")
    (True, False, False)
    """
    first, second = normalise_answer(answer), normalise_answer(gold)
    if not first or not second:
        return False
    contained = f" {first} " in f" {second} " or f" {second} " in f" {first} "
    return answer_f1(answer, gold) >= min_f1 or contained


def is_accepted(answer: str, accepted: Sequence[str]) -> bool:
    """Return whether an answer equals an accepted one (case, articles and punctuation aside), contains one,
    or shares most of its words and all its numbers.

    >>> is_accepted("about 90 puffs", ["90"]), is_accepted("18 years old", ["16 years old"])
    (True, False)
    """
    return any(_matches(normalise_answer(answer), normalise_answer(gold)) for gold in accepted)


def _matches(answer: str, gold: str) -> bool:
    if f" {gold} " in f" {answer} ":
        return True
    same_numbers = _NUMBER.findall(answer) == _NUMBER.findall(gold)
    return same_numbers and answer_f1(answer, gold) >= 0.6


def set_f1(chosen: Collection[int], gold: Collection[int]) -> float:
    """Return F1 of chosen sentences against gold sentences: 2 |both| / (|chosen| + |gold|)."""
    return 2 * len(set(chosen) & set(gold)) / max(1, len(chosen) + len(gold))


def best_gold(chosen: Collection[int], gold_sets: Sequence[frozenset[int]]) -> frozenset[int]:
    """Return the gold set with the highest F1 for the chosen sentences; of equals the smallest, then the
    first.
    """
    return max(gold_sets, key=lambda gold: (set_f1(chosen, gold), -len(gold)))


def overlap(pairs: Sequence[tuple[Collection[int], Collection[int]]]) -> Overlap:
    """Return precision, recall and F1 of (chosen, gold) sentences over all claims."""
    hits = sum(len(set(chosen) & set(gold)) for chosen, gold in pairs)
    n_chosen, n_gold = sum(len(chosen) for chosen, _ in pairs), sum(len(gold) for _, gold in pairs)
    return Overlap(
        100 * hits / max(1, n_chosen), 100 * hits / max(1, n_gold), 200 * hits / max(1, n_chosen + n_gold)
    )


def auroc(positive: Any, negative: Any) -> float:
    """Return the probability that a positive score is above a negative one; a tie counts half.

    The arguments are sequences or arrays of scores; the result is NaN if one of them is empty.
    """
    high, low = np.asarray(positive, dtype=float), np.sort(np.asarray(negative, dtype=float))
    if not len(high) or not len(low):
        return math.nan
    below = np.searchsorted(low, high, side="left").sum()
    not_above = np.searchsorted(low, high, side="right").sum()
    return float((int(below) + int(not_above)) / (2 * len(high) * len(low)))


def calibration_error(chances: Sequence[float], hits: Sequence[bool], bins: int = 10) -> float:
    """Return the expected calibration error: the mean distance between stated chance and share of hits, over
    `bins` groups of equal size in the order of the chance.

    >>> round(calibration_error([0.9, 0.9, 0.1, 0.1], [True, False, False, False], bins=2), 2)
    0.25
    """
    return sum(
        len(part) / len(chances) * abs(mean([chance for chance, _ in part]) - mean([hit for _, hit in part]))
        for part in _groups(chances, hits, bins)
    )


def reliability(chances: Sequence[float], hits: Sequence[bool], bins: int = 10) -> list[tuple[float, float]]:
    """Return the mean stated chance and the share of hits of `bins` groups of equal size.

    >>> reliability([0.9, 0.7, 0.1, 0.1], [True, False, False, False], bins=2)
    [(0.1, 0.0), (0.8, 0.5)]
    """
    return [
        (mean([chance for chance, _ in part]), mean([float(hit) for _, hit in part]))
        for part in _groups(chances, hits, bins)
    ]


def risk_coverage(chances: Sequence[float], hits: Sequence[bool]) -> list[tuple[float, float]]:
    """Return for every number of answers, the surest first, the share answered and the share of those wrong.

    >>> risk_coverage([0.9, 0.2], [True, False])
    [(0.5, 0.0), (1.0, 0.5)]
    """
    points = []
    wrong = 0
    surest = sorted(zip(chances, hits, strict=True), key=lambda pair: -pair[0])
    for count, (_, hit) in enumerate(surest, 1):
        wrong += not hit
        points.append((count / len(surest), wrong / count))
    return points


def _groups(chances: Sequence[float], hits: Sequence[bool], bins: int) -> list[list[tuple[float, bool]]]:
    pairs = sorted(zip(chances, hits, strict=True), key=lambda pair: pair[0])
    cuts = [round(number * len(pairs) / bins) for number in range(bins + 1)]
    groups = [pairs[start:end] for start, end in pairwise(cuts)]
    return [group for group in groups if group]


def mean_interval(values: Sequence[float], resamples: int = QUESTION_RESAMPLES) -> Interval:
    """Return the bootstrap interval of a mean."""
    drawn = np.random.default_rng(0).integers(len(values), size=(resamples, len(values)))
    return _middle(np.asarray(values)[drawn].mean(axis=1))


def f1_interval(
    pairs: Sequence[tuple[Collection[int], Collection[int]]], resamples: int = CLAIM_RESAMPLES
) -> Interval:
    """Return the bootstrap interval of `overlap(pairs).f1`; methods with the same claims get the same
    resamples.
    """
    counts = np.array([(len(set(chosen) & set(gold)), len(chosen) + len(gold)) for chosen, gold in pairs])
    drawn = np.random.default_rng(0).integers(0, len(counts), size=(resamples, len(counts)))
    hits, sizes = counts[drawn].sum(axis=1).T
    return _middle(200 * hits / np.maximum(1, sizes))


def auroc_interval(
    positive: Sequence[float], negative: Sequence[float], resamples: int = CLAIM_RESAMPLES
) -> Interval:
    """Return the bootstrap interval of `auroc`, resampling positives and negatives separately."""
    random = np.random.default_rng(0)
    values = [
        auroc(random.choice(positive, size=len(positive)), random.choice(negative, size=len(negative)))
        for _ in range(resamples)
    ]
    return _middle(values)


def wilson_interval(hits: int, count: int, z: float = 1.96) -> Interval:
    """Return Wilson's interval of a share, in percent."""
    low, high = wilson(hits, count, z)
    return Interval(100 * low, 100 * high)


def _middle(values: Any) -> Interval:
    low, high = np.percentile(values, [2.5, 97.5])
    return Interval(float(low), float(high))
