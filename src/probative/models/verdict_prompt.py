r"""The prompt of the verdict model. The training uses the same layout, so a change here needs a new training.

    Claim: {claim}\nA. {first piece}\nB. {second piece}\nClaim: {claim}\nVerdict:

The model then says " yes", " no" or " maybe", and then the letter of the deciding piece, " A" or " B". The
claim stands before the evidence, so that the evidence is read with it in view, and again behind it, where
the verdict is read. It is plain text without the frame of a chat. Written as text or as token ids it is the
same: no token of the tokenizer spans a boundary between two parts.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence

LETTERS = string.ascii_uppercase
"""The letters that name the pieces of evidence, in order."""
VERDICTS = (" yes", " no", " maybe")
"""What the model says for supported, contradicted and insufficient; each is one token."""
_CLAIM, _VERDICT = "Claim:", "\nVerdict:"


def clean(text: str) -> str:
    r"""Return the text on one line, with a space before it, as it follows a label; an empty one stays empty.

    >>> clean("The bridge\n opened.")
    ' The bridge opened.'
    """
    words = text.split()
    return f" {' '.join(words)}" if words else ""


def label(index: int) -> str:
    r"""Return what stands before a piece of evidence.

    >>> label(1)
    '\nB.'
    """
    return f"\n{LETTERS[index]}."


def decides(index: int) -> str:
    """Return what the model says if a piece decides; it is one token.

    >>> decides(1)
    ' B'
    """
    return f" {LETTERS[index]}"


def prompt_parts(claim: str, evidence: Sequence[str]) -> list[str]:
    """Return the parts of the prompt, which can be tokenised one by one: labels and clean texts in turn."""
    parts = [_CLAIM, clean(claim)]
    for index, piece in enumerate(evidence):
        parts += [label(index), clean(piece)]
    return [*parts, f"\n{_CLAIM}", clean(claim), _VERDICT]


def prompt_text(claim: str, evidence: Sequence[str]) -> str:
    r"""Return the prompt as text.

    >>> prompt_text("It rained.", ["The street was wet.", "Herons eat fish."])
    'Claim: It rained.\nA. The street was wet.\nB. Herons eat fish.\nClaim: It rained.\nVerdict:'
    """
    return "".join(prompt_parts(claim, evidence))


def prompt_ids(claim: str, evidence: Sequence[str], encode: Callable[[str], Sequence[int]]) -> list[int]:
    """Return the token ids of the prompt. `encode` returns those of a part, and may remember them.

    >>> len(prompt_ids("It rained.", ["Wet."], lambda part: [len(part)]))
    7
    """
    return [token for part in prompt_parts(claim, evidence) for token in encode(part)]
