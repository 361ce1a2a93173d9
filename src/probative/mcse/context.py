"""The claim c and the context S of section 3.1, checked, cleaned and ready for a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from probative.errors import InputError
from probative.text.words import clean, has_control

# A longer claim is not one statement. Scoring reads the claim again with every sentence and keeps a
# probability for each of its tokens: at 20,000 characters that takes minutes and gigabytes.
MAX_CLAIM_CHARACTERS = 5_000
# No method reads more of a sentence than this. The check comes before any tokenizer, whose time grows with
# the length of the text.
MAX_READ_CHARACTERS = 20_000


@dataclass
class Context:
    """A claim, its sentences by index, and the indexes of the candidates.

    `sentences` holds what the models read: cleaned, and cut where a sentence is too long. `notes` says in
    words what was done to the input.
    """

    claim: str
    sentences: list[str]
    candidates: list[int]
    notes: list[str] = field(default_factory=list)


def make_context(claim: str, sentences: Sequence[str]) -> Context:
    """Check and clean a claim and its sentences; raises InputError.

    Blank and repeated sentences are not candidates. A note names them.

    >>> make_context("It rained.", ["Rain fell.", " ", "Rain  fell."]).candidates
    [0]
    """
    if len(claim) > MAX_CLAIM_CHARACTERS:
        raise InputError(
            f"the claim has {len(claim):,} characters, and at most {MAX_CLAIM_CHARACTERS:,} are allowed",
            hint="split it into claims of one sentence each",
        )
    cleaned_claim = clean(claim)
    if not cleaned_claim:
        raise InputError("the claim is empty", hint="pass the statement to prove")
    notes: list[str] = []
    cut = [index for index, text in enumerate(sentences) if len(text) > MAX_READ_CHARACTERS]
    read = [text[:MAX_READ_CHARACTERS] for text in sentences]
    cleaned = [clean(text) for text in read]
    if not any(cleaned):
        raise InputError("the text has no sentences", hint="pass a text with at least one sentence")
    if any(has_control(text) for text in [claim, *read]):
        notes.append("control characters were left out of what the model reads")
    if cut:
        notes.append(f"only the first {MAX_READ_CHARACTERS:,} characters were read: {name_sentences(cut)}")
    candidates = _candidates(cleaned, notes)
    return Context(cleaned_claim, cleaned, candidates, notes)


def _candidates(sentences: Sequence[str], notes: list[str]) -> list[int]:
    """Return the indexes of the sentences to search; add a note on those that are left out."""
    first: dict[str, int] = {}
    blank: list[int] = []
    repeated: list[int] = []
    for index, text in enumerate(sentences):
        if not text:
            blank.append(index)
        elif text in first:
            repeated.append(index)
        else:
            first[text] = index
    if blank:
        notes.append(f"blank: {name_sentences(blank)}")
    if repeated:
        notes.append(f"repeats of an earlier sentence, not searched again: {name_sentences(repeated)}")
    return list(first.values())


def name_sentences(indexes: Sequence[int]) -> str:
    """Name the first sentences of a list, counted from 1, and say how many more there are.

    >>> name_sentences([1, 2]), name_sentences(range(20))
    ('sentences 2, 3', 'sentences 1, 2, 3, 4, 5, 6, 7, 8 and 12 more')
    """
    shown = ", ".join(str(index + 1) for index in indexes[:8])
    more = f" and {len(indexes) - 8} more" if len(indexes) > 8 else ""
    return f"sentence{'s' if len(indexes) > 1 else ''} {shown}{more}"
