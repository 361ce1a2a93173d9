"""What the signals are worth that cost a call: the certainty without them, on rows held out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probative.bench.metrics import auroc, calibration_error
from probative.bench.rows import Row
from training.certainty.collect import as_asked, is_chain_of_several
from training.certainty.fit import READER, held_out
from training.certainty.teacher import WRONG, right_below

# The recorded signals of each thing that is asked, and the calls that it takes at most.
GROUPS: dict[str, tuple[int, tuple[str, ...]]] = {
    "read other passages": (1, ("agreement",)),
    "read the cited sentences": (1, ("cited_agreement", "cited_answerable")),
    "read their window": (1, ("window_agreement", "window_answerable")),
    "judge the cited sentences": (1, ("cited_entailed", "cited_denied")),
    "judge other candidates": (3, ("other_entailed",)),
    "weigh the cited sentences": (1, ("cited_complete",)),
    "judge the chain": (1, ("entailed", "denied")),
    "weigh the chain": (0, ("completeness",)),
    "the reader's probability": (0, ("probability", "margin")),
    "the reader's P(unknown)": (0, ("chain_answerable",)),
    "the kind of the answer": (0, ("fits_kind",)),
    "names and words": (0, ("names", "words", "cited_names", "window_words")),
    "yes or no": (0, ("polar",)),
}
# All signals that were recorded of the tuned reader's answers; the first two are means over its readings.
RECORDED = (
    "same_answer",
    "any_answer",
    "completeness",
    "margin",
    "entailed",
    "denied",
    "cited_entailed",
    "cited_denied",
    "other_entailed",
    "cited_complete",
    "fits_kind",
    "window_words",
    "polar",
)
READINGS = {
    "same_answer": ("probability", "agreement", "cited_agreement", "window_agreement"),
    "any_answer": ("chain_answerable", "cited_answerable", "window_answerable"),
}
DRAWS = 1000


class Worth(NamedTuple):
    """The certainties of rows held out and whether their answers are right, with what that is worth."""

    chances: list[float]
    right: list[bool]

    @property
    def separation(self) -> float:
        """The AUROC of the certainty."""
        return _auroc(np.array(self.chances), np.array(self.right))

    def loss(self, other: Worth, seed: int = 0) -> tuple[float, float, float]:
        """Return how much lower the AUROC of the other certainty is, with its 95% interval over draws of rows
        that both are tried on.
        """
        draw = np.random.default_rng(seed)
        mine, theirs, right = (np.array(values) for values in (self.chances, other.chances, self.right))
        losses = []
        for _ in range(DRAWS):
            rows = draw.integers(0, len(right), len(right))
            losses.append(_auroc(mine[rows], right[rows]) - _auroc(theirs[rows], right[rows]))
        low, high = np.quantile(losses, [0.025, 0.975])
        return self.separation - other.separation, float(low), float(high)

    def describe(self) -> str:
        """Return the figures in words."""
        return (
            f"AUROC {self.separation:.3f}, calibration error "
            f"{calibration_error(self.chances, self.right):.3f}, "
            f"{100 * right_below(self.chances, self.right):.1f}% right where {100 * WRONG:.0f}% are wrong"
        )


def _auroc(chances: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    return auroc(chances[right], chances[~right])


def without(rows: Sequence[Row], groups: Iterable[str]) -> list[Row]:
    """Return the rows as if the signals of some groups had not been recorded, with the means over readings.

    >>> row = {"signals": {"polar": 1.0, "probability": 0.5, "agreement": 0.1}}
    >>> without([row], ["read other passages"])
    [{'signals': {'polar': 1.0, 'probability': 0.5, 'same_answer': 0.5}}]
    """
    left_out = {name for group in groups for name in GROUPS[group][1]}
    changed = []
    for row in rows:
        signals = {name: value for name, value in row["signals"].items() if name not in left_out}
        for mean, names in READINGS.items():
            known = [signals[name] for name in names if signals.get(name) is not None]
            if known:
                signals[mean] = sum(known) / len(known)
        changed.append({**row, "signals": signals})
    return changed


def worth(rows: Sequence[Row], left_out: Iterable[str] = ()) -> Worth:
    """Return what the certainty is worth without some groups of signals."""
    chances = held_out(without(rows, left_out), RECORDED)
    return Worth(chances, [bool(row["right"]) for row in rows])


def studies(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the study of answers from one passage, and that of answers from several."""
    for several in (False, True):
        part = [row for row in rows if is_chain_of_several(row) is several]
        yield f"{len(part)} answers from {'several passages' if several else 'one passage'}"
        yield from study(part)


def study(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what is lost without each group of signals, and then without more and more of those that cost a
    call: always the group without which least is lost, as long as the loss in all is within chance. The last
    line is what `ask` collects.
    """
    whole = worth(rows)
    yield f"  all signals: {whole.describe()}"
    for group in GROUPS:
        yield _compared(whole, worth(rows, [group]), f"without “{group}”")
    left_out: list[str] = []
    costly = [group for group, (calls, _) in GROUPS.items() if calls]
    while costly:
        tried = {group: worth(rows, [*left_out, group]) for group in costly}
        group = max(costly, key=lambda name: (tried[name].separation, GROUPS[name][0]))
        costly.remove(group)
        left_out.append(group)
        yield _compared(whole, tried[group], f"left out {len(left_out)}, with “{group}”")
        if whole.loss(tried[group])[1] > 0.0:
            break
    yield _compared(whole, Worth(held_out(list(map(as_asked, rows)), READER), whole.right), "as asked")


def _compared(whole: Worth, other: Worth, name: str) -> str:
    loss, low, high = whole.loss(other)
    return f"  {name}: loss {loss:+.4f} [{low:+.4f}, {high:+.4f}]; {other.describe()}"
