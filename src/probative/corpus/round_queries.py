"""The queries of the next round: names that a passage mentions, and what of the question is not yet covered.

A question for "the mother of the director of Salt Wind" does not name the director. The page about the film
does, and the director's name finds the next page.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.text import english
from probative.text.analysis import ParsedQuestion, Values
from probative.text.names import distinct
from probative.text.sentences import split_sentences
from probative.text.words import words
from probative.types import Passage

# A name in the first sentence counts as much as this many words that its sentence shares with the question:
# there a passage says what its subject is, and whose.
_FIRST_SENTENCE = 2


def names_to_look_up(question: ParsedQuestion, passage: Passage, n: int) -> list[str]:
    """Return at most n names of a passage that the question and the title do not have, the most promising
    first: those whose sentence shares the most words with the question.

    >>> question = english.parse_question("Where was the director of Salt Wind born?")
    >>> text = "Salt Wind is a film with Ada Berg. Its director was Ole Brandt. It ran in Molde."
    >>> names_to_look_up(question, Passage(text=text, title="Salt Wind"), 2)
    ['Ada Berg', 'Ole Brandt']
    """
    known = question.words | set(words(passage.title or ""))
    promise: dict[str, int] = {}
    for number, sentence in enumerate(split_sentences(passage.text, getattr(passage, "language", None))):
        shared = len(question.words.intersection(words(sentence.text)))
        values = english.values_in(sentence.text)
        for name in distinct(values.names):
            if not known.issuperset(words(name)) and _may_have_page(name, values):
                score = shared + (_FIRST_SENTENCE if number == 0 else 0)
                promise[name] = max(score, promise.get(name, 0))
    return sorted(promise, key=lambda name: -promise[name])[:n]


def _may_have_page(name: str, values: Values) -> bool:
    """Return whether a passage may be about the thing of this name: not about a part of a date ("June 1987"),
    and hardly about a nationality ("Irish").
    """
    is_date = any(name in date for date in values.dates)
    return not is_date and not english.is_nationality(name)


def uncovered_query(question: ParsedQuestion, chain: Sequence[Passage]) -> str | None:
    """Return a query of the question's words that no passage of a chain has, with the subject of its last
    passage; None if the chain has them all.

    >>> question = english.parse_question("Which harbour fee does the captain of the Lark pay?")
    >>> uncovered_query(question, [Passage(text="Lark has a new captain, Ole Brandt.")])
    'Lark harbour fee pay'
    """
    covered = {word for passage in chain for word in words(passage.whole)}
    missing = [
        token for token in question.text.split() if (own := words(token)) and not covered.issuperset(own)
    ]
    if not missing:
        return None
    subject = english.subject_name(chain[-1]) if chain else ""
    return " ".join([*subject.split(), *(token.strip(".,;:?!\"'()") for token in missing)])


def matches(passage: Passage, name: str) -> bool:
    """Return whether a passage is about the thing of this name.

    >>> matches(Passage(text="He sailed.", title="Ole Brandt (captain)"), "Ole Brandt")
    True
    """
    return english.subject(passage) == " ".join(words(name))
