"""The verdict model: it says whether evidence supports or contradicts a claim, and which piece decides.

    judge(claim, evidence) → P(supported), P(contradicted), P(insufficient), and a share of each piece

An item is one window of evidence that is read at once. `probative.verdict` divides longer evidence into
windows and combines what is said about them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from probative.errors import ContextError, InputError, ModelError
from probative.models.contract import Counted, outcomes_of, scores_of
from probative.models.encoder import checked_texts
from probative.types import Usage

MAX_EVIDENCE = 26
"""The most pieces of a window, for a model that does not say how many it reads."""


class VerdictItem(NamedTuple):
    """A claim and one window of evidence: at most `MAX_EVIDENCE` pieces, about 400 tokens together.

    `headers` say what each piece is from, for a model that reads them (`VerdictLimits.headers`).
    """

    claim: str
    evidence: tuple[str, ...]
    headers: tuple[str, ...] = ()


class VerdictLimits(NamedTuple):
    """How much evidence a model reads at once: its tokens, and its pieces.

    With `with_claim`, the tokens are those of the claim and the evidence together. With `headers`, it reads
    above the evidence of a document what that is: its title, its date, and what its terms mean.
    """

    tokens: int = 360
    pieces: int = MAX_EVIDENCE
    with_claim: bool = False
    headers: bool = False


_SMALL_LIMITS = VerdictLimits(tokens=480, pieces=60, headers=True)
VERDICT_LIMITS = {
    "embedded": _SMALL_LIMITS,
    "embedded:large": VerdictLimits(tokens=1900, pieces=200, headers=True),
    "embedded:cascade": _SMALL_LIMITS,
}
"""How much the embedded verdict models read at once."""


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
        """The name that a user sees, such as ``embedded``."""

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


class CountedVerdict(Counted, ABC):
    """A verdict model that counts its own cost and implements `judge_each`. Threads may share it."""

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Return the scores of each item, in order."""
        return scores_of(self.judge_each(items))

    @abstractmethod
    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the scores and the cost of each item, or its error."""


def judge_each(model: VerdictModel, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
    """Return the scores and the cost of each item, or its error."""
    return outcomes_of(model, "judge", items, _length, Judging)


def limits_of(model: VerdictModel) -> VerdictLimits:
    """Return how much a model reads at once; the default is that of the small one."""
    limits = getattr(model, "limits", None)
    return limits if isinstance(limits, VerdictLimits) else VerdictLimits()


def evidence_limits(model: VerdictModel, claim: str) -> VerdictLimits:
    """Return how much evidence a model reads at once beside a claim."""
    limits = limits_of(model)
    if not limits.with_claim:
        return limits
    return limits._replace(tokens=max(1, limits.tokens - model.count_tokens([claim])[0]))


def _length(item: VerdictItem) -> int:
    return 2 * len(item.claim) + sum(map(len, item.evidence))


def checked_items(items: Sequence[VerdictItem], pieces: int = MAX_EVIDENCE) -> list[VerdictItem]:
    """Return the items as a list; raises `InputError` if one is invalid or has more than `pieces` pieces."""
    checked = list(items)
    for item in checked:
        if not isinstance(item, VerdictItem):
            raise InputError(f"an item to judge must be a VerdictItem, got {type(item).__name__}")
        checked_texts([item.claim, *item.evidence, *item.headers])
        if len(item.headers) not in (0, len(item.evidence)):
            raise InputError(f"{len(item.headers)} headers for {len(item.evidence)} pieces of evidence")
        if not 1 <= len(item.evidence) <= pieces:
            raise InputError(
                f"a window has 1 to {pieces} pieces of evidence, got {len(item.evidence)}",
                hint="use probative.judge for evidence of any length",
            )
    return checked


def too_long(tokens: int, window: int) -> ContextError:
    """Return the error of a prompt that the model cannot read."""
    return ContextError(
        f"the claim with its evidence has {tokens:,} tokens, and the verdict model reads at most {window:,}",
        tokens=tokens,
        window=window,
    )
