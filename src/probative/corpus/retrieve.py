"""The passages of a corpus for a question: what `ask` and the baselines start from."""

from __future__ import annotations

from probative.corpus.corpus import Corpus
from probative.corpus.passages import CorpusPassage
from probative.corpus.rounds import retrieve_in_rounds
from probative.engine.search import Search

# Of the example corpus's questions that a sentence answers, the first 20 passages of one round have every
# sentence but four, all of them the second hop of two.
RETRIEVED = 20


def retrieve(
    question: str, corpus: Corpus, n: int = RETRIEVED, *, several_rounds: bool = False
) -> Search[list[CorpusPassage]]:
    """Return the `n` best passages for a question.

    With `several_rounds`, the evidence policy reads what was found, and what it names is looked up next.
    """
    if not several_rounds:
        return corpus(question, n)
    found = yield from retrieve_in_rounds(question, corpus, n, lookup=corpus.by_words)
    return found.passages
