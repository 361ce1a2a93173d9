"""A claim as it is judged: its sentences, whether it claims something, and whether its language is read."""

from __future__ import annotations

from typing import NamedTuple

from probative.text.sentences import split_sentences
from probative.text.word_lists import read_lines

_QUESTION_MARKS = ("?", "？", "؟")
# A shorter sentence belongs to the one before it.
MIN_WORDS = 2
READ = frozenset({"en"})
# Trained on some thousand rows of da, id, nl and pt; Spanish is measured (docs/results.md), not trained. A
# short text in Indonesian cannot be told from Malay.
PARTLY_READ = frozenset({"da", "id", "nl", "pt", "es", "ms"})
NAMES = dict(line.split() for line in read_lines("languages"))


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


class LanguageNote(NamedTuple):
    """Whether the verdict model can read the texts, and what is to be said about their language."""

    readable: bool
    note: str = ""


READABLE = LanguageNote(True)


def language_note(claim: str, evidence: str) -> LanguageNote:
    """Return whether the verdict model can read a claim and evidence in these languages, and a note if they
    are not English.

    >>> language_note("en", "fi").note
    'the verdict model does not read this language (evidence: Finnish)'
    """
    languages = {"claim": claim, "evidence": evidence}
    unread = {what: name for what, name in languages.items() if name not in READ | PARTLY_READ}
    if unread:
        which = ", ".join(f"{what}: {NAMES.get(language, language)}" for what, language in unread.items())
        return LanguageNote(False, f"the verdict model does not read this language ({which})")
    if claim != evidence:
        pair = ", ".join(f"{what}: {NAMES[language]}" for what, language in languages.items())
        return LanguageNote(
            True, f"the claim and the evidence are in two languages ({pair}): a verdict may fail"
        )
    return LanguageNote(
        True, "" if claim in READ else f"the verdict model reads {NAMES[claim]} less well than English"
    )
