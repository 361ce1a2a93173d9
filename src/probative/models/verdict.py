r"""The verdict model: it says whether evidence supports or contradicts a claim, and which piece decides.

    judge(claim, evidence) → P(supported), P(contradicted), P(insufficient), and a share of each piece

An item is one window of evidence that is read at once. `probative.verdict` divides longer evidence into
windows and combines what is said about them.

The prompt of the embedded model; the training uses the same layout, so a change here needs a new training:

    Claim: {claim}\nA. {first piece}\nB. {second piece}\nClaim: {claim}\nVerdict:

The model then says " yes", " no" or " maybe", and then the letter of the deciding piece, " A" or " B". The
claim stands before the evidence, so that the evidence is read with it in view, and again behind it, where
the verdict is read. It is plain text without the frame of a chat. Written as text or as token ids it is the
same: no token of the tokenizer spans a boundary between two parts.
"""

from __future__ import annotations

import string
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from probative.errors import ContextError, InputError, ModelError
from probative.models.contract import Counted, outcomes_of, scores_of
from probative.models.encoder import checked_texts
from probative.usage import Usage

LETTERS = string.ascii_uppercase
"""The letters that name the pieces of evidence, in order."""
MAX_EVIDENCE = len(LETTERS)
VERDICTS = (" yes", " no", " maybe")
"""What the model says for supported, contradicted and insufficient; each is one token."""
_CLAIM, _VERDICT = "Claim:", "\nVerdict:"


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


VERDICT_LIMITS = {"embedded:large": VerdictLimits(tokens=1900, pieces=200, headers=True)}
"""How much the embedded verdict models read at once, other than the small one."""


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


def clean(text: str) -> str:
    """Return the text on one line after a space, as it follows a label; an empty one stays empty."""
    words = text.split()
    return f" {' '.join(words)}" if words else ""


def label(index: int) -> str:
    """Return what stands before a piece of evidence."""
    return f"\n{LETTERS[index]}."


def decides(index: int) -> str:
    """Return what the model says if a piece decides; it is one token."""
    return f" {LETTERS[index]}"


def prompt_parts(claim: str, evidence: Sequence[str]) -> list[str]:
    """Return the parts of the prompt, which can be tokenised one by one: labels and clean texts in turn."""
    parts = [_CLAIM, clean(claim)]
    for index, piece in enumerate(evidence):
        parts += [label(index), clean(piece)]
    return [*parts, f"\n{_CLAIM}", clean(claim), _VERDICT]


def prompt_text(claim: str, evidence: Sequence[str]) -> str:
    r"""Return the prompt as text.

    >>> prompt_text("It rained.", ["The street was wet.", "Herons\n eat fish."])
    'Claim: It rained.\nA. The street was wet.\nB. Herons eat fish.\nClaim: It rained.\nVerdict:'
    """
    return "".join(prompt_parts(claim, evidence))


def prompt_ids(claim: str, evidence: Sequence[str], encode: Callable[[str], Sequence[int]]) -> list[int]:
    """Return the token ids of the prompt. `encode` returns those of a part, and may remember them."""
    return [token for part in prompt_parts(claim, evidence) for token in encode(part)]
