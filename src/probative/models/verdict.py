"""The verdict model: it says whether evidence supports or contradicts a claim, and which piece decides.

    judge(claim, evidence) → P(supported), P(contradicted), P(insufficient), and a share of each piece

An item is one window of evidence that is read at once. `probative.verdict` divides longer evidence into
windows and combines what is said about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from probative.errors import InputError, ModelError
from probative.models.contract import outcomes_of
from probative.models.encoder import checked_texts
from probative.settings import Settings, load_settings
from probative.usage import Usage

# The number of letters that name the pieces of a window.
MAX_EVIDENCE = 26


class VerdictItem(NamedTuple):
    """A claim and one window of evidence: at most `MAX_EVIDENCE` pieces, about 400 tokens together."""

    claim: str
    evidence: tuple[str, ...]


class VerdictScores(NamedTuple):
    """The probabilities of the three verdicts, which sum to 1, and how much each piece decides, also 1."""

    supported: float
    contradicted: float
    insufficient: float
    deciding: tuple[float, ...]


class VerdictModel(Protocol):
    """Judges many items in one call."""

    @property
    def name(self) -> str:
        """The name that a user sees, such as ``embedded:verdict``."""

    @property
    def usage(self) -> Usage:
        """The cost so far."""

    @property
    def fingerprint(self) -> str:
        """Identifies the weights and everything else, apart from the item, that decides the scores."""

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Return the scores of each item, in order."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text in the prompt."""


class Judging(NamedTuple):
    """The scores of one item, and their cost."""

    scores: VerdictScores
    usage: Usage


def judge_each(model: VerdictModel, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
    """Return the scores and the cost of each item, or its error."""
    return outcomes_of(model, "judge", items, _length, Judging)


def _length(item: VerdictItem) -> int:
    return 2 * len(item.claim) + sum(map(len, item.evidence))


def checked_items(items: Sequence[VerdictItem]) -> list[VerdictItem]:
    """Return the items as a list; raises `InputError` if one is invalid.

    >>> checked_items([VerdictItem("It rained.", ("The street was wet.",))])
    [VerdictItem(claim='It rained.', evidence=('The street was wet.',))]
    """
    checked = list(items)
    for item in checked:
        if not isinstance(item, VerdictItem):
            raise InputError(f"an item to judge must be a VerdictItem, got {type(item).__name__}")
        checked_texts([item.claim, *item.evidence])
        if not 1 <= len(item.evidence) <= MAX_EVIDENCE:
            raise InputError(
                f"a window has 1 to {MAX_EVIDENCE} pieces of evidence, got {len(item.evidence)}",
                hint="use probative.judge for evidence of any length",
            )
    return checked


def load_verdict(*, settings: Settings | None = None) -> VerdictModel:
    """Open the verdict model that the package ships; it is converted at its first use."""
    from probative.models.embedded.opening import open_verdict

    return open_verdict(settings or load_settings())
