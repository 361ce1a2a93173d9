"""A claim as it is judged: its sentences, and what is odd about it."""

from __future__ import annotations

from probative.text import english
from probative.text.sentences import split_sentences

_QUESTION_MARKS = ("?", "？", "؟")
# A shorter sentence belongs to the one before it.
MIN_WORDS = 2
_ODD = {
    "instruction": "the claim is an instruction, not a statement: the verdict may mean little",
    "fragment": "the claim is a fragment, not a sentence: the verdict may mean little",
}


def claim_parts(claim: str) -> list[str]:
    """Return the sentences of a claim; a question stays with the answer behind it.

    >>> claim_parts("The mill burnt. It was old.")
    ['The mill burnt.', 'It was old.']
    >>> claim_parts("Who built the pier? Ole Berg")
    ['Who built the pier? Ole Berg']
    """
    parts: list[str] = []
    for sentence in split_sentences(claim):
        if parts and (parts[-1].endswith(_QUESTION_MARKS) or len(sentence.text.split()) < MIN_WORDS):
            parts[-1] = f"{parts[-1]} {sentence.text}"
        else:
            parts.append(sentence.text)
    return parts


def claims_nothing(claim: str) -> str | None:
    """Return why a text claims nothing, or None if it claims something.

    >>> claims_nothing("Who built the pier?")
    'the claim is a question: nothing is claimed'
    >>> claims_nothing("The pier is old.")
    """
    form = english.claim_form
    if all(form(part) == "question" for part in claim_parts(claim)):
        return "the claim is a question: nothing is claimed"
    return None


def claim_notes(claim: str, parts: int) -> list[str]:
    """Return notes about a claim that is no plain sentence.

    >>> claim_notes("The mill", 1)
    ['the claim is a fragment, not a sentence: the verdict may mean little']
    """
    if parts > 1:
        return [f"the claim has {parts} sentences: each was judged, and the weakest counts most"]
    note = _ODD.get(english.claim_form(claim))
    return [note] if note else []
