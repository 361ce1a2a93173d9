"""The sentences that lead to the cited ones: what the rest of the chain adds to them."""

from __future__ import annotations

from collections.abc import Container, Sequence

from probative.scope.result import ChainPassage, CitedSentence
from probative.scope.sentences import PassageSentence
from probative.text.words import words


def leading_sentences(
    chain: Sequence[ChainPassage], cited: Container[int], sentences: Sequence[Sequence[PassageSentence]]
) -> tuple[CitedSentence, ...]:
    """Return a sentence of each passage that carries a feature which no cited passage carries.

    `sentences` are those of each passage of the chain. The sentence is the one with most of the features that
    its passage carries; of equal ones, the first. A passage that adds nothing to the cited ones is left out.

    >>> ferry = ChainPassage(index=0, text="The Gull is by Mo.", carries=("node: Gull", "node: Mo"))
    >>> birth = ChainPassage(index=4, text="Mo was born in Ås.", carries=("node: Mo", "intent: town"))
    >>> split = [[PassageSentence(0, None, "The Gull is by Mo.", 0, 18)], []]
    >>> [(found.index, found.text) for found in leading_sentences((ferry, birth), (4,), split)]
    [(0, 'The Gull is by Mo.')]
    """
    carried = {name for passage in chain if passage.index in cited for name in passage.carries}
    if not carried:
        return ()
    found = (
        _sentence(passage, own)
        for passage, own in zip(chain, sentences, strict=True)
        if passage.index not in cited and own and not carried.issuperset(passage.carries)
    )
    return tuple(found)


def _sentence(passage: ChainPassage, sentences: Sequence[PassageSentence]) -> CitedSentence:
    features = [set(words(name.partition(": ")[2])) for name in passage.carries]
    known = set[str]().union(*features)

    def contained(sentence: PassageSentence) -> tuple[int, int]:
        own = set(words(sentence.text))
        return sum(feature <= own for feature in features), len(own & known)

    best = max(sentences, key=contained)
    return CitedSentence(index=passage.index, text=best.text, start=best.start, end=best.end)
