"""A claim as it is judged: its sentences, and whether it claims something."""

from __future__ import annotations

from probative.text.sentences import split_sentences

_QUESTION_MARKS = ("?", "？", "؟")
# A shorter sentence belongs to the one before it.
MIN_WORDS = 2


def statement(question: str, answer: str) -> str:
    """Return a question and an answer as one claim. The verdict model is trained on this form, too.

    Without the question's mark, the whole would be taken for a question.

    >>> statement("Who built the pier?", "Ole Berg"), statement("who built the pier", "Ole Berg")
    ('Who built the pier? Ole Berg', 'who built the pier? Ole Berg')
    """
    asked = " ".join(question.split())
    if not asked.endswith(_QUESTION_MARKS):
        asked = f"{asked.rstrip(' .')}?"
    return f"{asked} {' '.join(answer.split())}"


def claim_parts(claim: str) -> list[str]:
    """Return the sentences of a claim; a question stays with the answer behind it.

    >>> claim_parts("The mill burnt. It was old."), claim_parts("Who built the pier? Ole Berg")
    (['The mill burnt.', 'It was old.'], ['Who built the pier? Ole Berg'])
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

    >>> claims_nothing("Who built the pier?"), claims_nothing("The pier is old.")
    ('the claim is a question: nothing is claimed', None)
    """
    is_question = all(part.endswith(_QUESTION_MARKS) for part in claim_parts(claim))
    return "the claim is a question: nothing is claimed" if is_question else None
