"""The numbers of a claim: what supports it has them.

A small model overlooks that "£14,200" is not "£9,000". Support by sentences that lack a number of the claim
is therefore less probable, as it is in `probative.verdict.computed` for another date or amount.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from probative.text.analyzer import analyzer_for
from probative.types import Verdict
from probative.verdict.computed import OTHER_VALUE
from probative.verdict.judge import verdict_of
from probative.verdict.judgement import Judgement, Probabilities

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def numbers_of(text: str, *, words: bool = True) -> frozenset[str]:
    """Return the numbers of a text in one form; with `words`, also those that are written as words.

    >>> sorted(numbers_of("Nine cars cost 14,200 crowns in 2024."))
    ['14200', '2024', '9']
    """
    found = {_plain(match.group()) for match in _NUMBER.finditer(text)}
    if words:
        amounts = (span.quantity.low for span in analyzer_for().quantities_in(text))
        found |= {str(amount) for amount in amounts if amount is not None}
    return frozenset(found)


def _plain(number: str) -> str:
    plain = number.replace(",", "")
    return plain.rstrip("0").rstrip(".") if plain.count(".") == 1 else plain


def with_numbers(claim: str, judgement: Judgement, texts: Iterable[str]) -> Judgement:
    """Return a judgement in which support is less probable if the texts lack a number of the claim."""
    missing = numbers_of(claim, words=False) - numbers_of(" ".join(texts))
    if not missing or not judgement.judged or judgement.verdict is not Verdict.SUPPORTED:
        return judgement
    before = judgement.probabilities
    shares = (before.supported / OTHER_VALUE, before.contradicted, before.insufficient)
    supported, contradicted, insufficient = (share / sum(shares) for share in shares)
    after = Probabilities(supported=supported, contradicted=contradicted, insufficient=insufficient)
    verdict = verdict_of(after)
    note = f"less probable: the evidence lacks {', '.join(sorted(missing))}"
    return judgement.model_copy(
        update={
            "probabilities": after,
            "verdict": verdict,
            "deciding": () if verdict is Verdict.INSUFFICIENT else judgement.deciding,
            "notes": (*judgement.notes, note),
        }
    )
