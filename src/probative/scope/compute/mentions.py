"""Which of two is meant: the only one that is mentioned with the names and numbers of the question.

"Which lies on the Sava, A or B?" is answered if the passages about one of them mention the Sava and those
about the other do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.scope.compute.evidence import ChainEvidence, ChainSentence, ComputedAnswer
from probative.scope.result import MENTIONED, ComputedValue
from probative.scope.run import Run
from probative.text import english
from probative.text.words import words


def decide_by_mention(run: Run, evidence: ChainEvidence) -> ComputedAnswer | None:
    """Return the offered option that alone is mentioned with the names and numbers of the question."""
    question = run.question.parsed
    pair = english.offered_pair(question, evidence.titles)
    if pair is None or not english.asks_which(question.text):
        return None
    without_pair = re.sub("|".join(map(re.escape, pair)), " ", question.text, flags=re.IGNORECASE)
    named = english.names_and_numbers(without_pair)
    content = set(words(" ".join(named)))
    about = [evidence.about(name, [other for other in pair if other != name]) for name in pair]
    if not content or not all(about):
        return None
    for option, sentences, others in zip(pair, about, reversed(about), strict=True):
        only_here = content <= _words(sentences) and content.isdisjoint(_words(others))
        if only_here and not english.is_denied(" ".join(entry.text for entry in sentences)):
            mentioned = ", ".join(dict.fromkeys(named))
            entry = next(entry for entry in sentences if content & set(words(entry.text)))
            # A mention is no proof: the verdict model must find the answer itself.
            value = ComputedValue(
                name=option,
                attribute=MENTIONED,
                value=mentioned,
                index=entry.index,
                sentence=entry.text,
                question=without_options(question.text, pair),
                read=True,
            )
            return ComputedAnswer(option, f"of the two only {option} with {mentioned}", (value,))
    return None


def without_options(question: str, options: Sequence[str]) -> str:
    """Return a question without the options at its end, so that an option can be put as its answer.

    >>> without_options("Which town lies on the Orra, Velm or Tassby?", ("Velm", "Tassby"))
    'Which town lies on the Orra?'
    >>> without_options("Does Velm or Tassby lie on the Orra?", ("Velm", "Tassby"))
    'Does Velm or Tassby lie on the Orra?'
    """
    named = "|".join(rf"(?:the )?{re.escape(option)}" for option in options)
    return re.sub(rf"\s*[,;:—-]?\s*(?:{named}),? or (?:{named})\s*\?$", "?", question, flags=re.IGNORECASE)


def _words(sentences: Sequence[ChainSentence]) -> set[str]:
    return {word for entry in sentences for word in words(entry.text)}
