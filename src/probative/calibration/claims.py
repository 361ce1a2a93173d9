"""Claims made of random sentences of a corpus: true ones, false ones, and ones that it does not state."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from probative.calibration.edits import FALSIFIED, shortened
from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import CorpusPassage, passages_of
from probative.errors import InputError
from probative.text import english
from probative.text.words import words

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus

Kind = Literal["kept", "shortened", "joined", "number", "date", "name", "negation", "removed"]
TRUE: tuple[Kind, ...] = ("kept", "shortened", "joined")
FALSE: tuple[Kind, ...] = ("number", "date", "name", "negation")
NOT_STATED: Kind = "removed"
# Documents that are looked through for a claim of one kind before it is given up.
TRIES = 60
# Sentences with this share of a claim's words state it, too.
MIN_SAME = 0.6
# What these mean stands in another sentence.
_POINTING = re.compile(
    r"(?i)\b(?:he|she|they|him|his|her|hers|their|them|this|these|those|such|we|our|us|i|my|you|your|it|its|here|there|"
    r"above|below|following|former|latter|same|said|former|today|yesterday|tomorrow|ago|now|please)\b"
)
_STARTS = re.compile(r"^(?:But|And|Or|So|However|Therefore|Then|Thus|Also|Instead|Otherwise|Yes|No)\b")
_VERB = re.compile(
    r"\b(?:is|was|are|were|has|have|had|can|could|will|would|must|shall|may|does|did|"
    r"(?<!, )[a-z]{2,}(?:ed|es))\b"
)


class MadeClaim(NamedTuple):
    """A claim, the sentence that it was made of, and the citation of its passage."""

    kind: Kind
    claim: str
    sentence: str
    source: str


def stands_alone(sentence: str) -> bool:
    """Return whether a sentence says something that can be checked without the sentences around it.

    >>> [stands_alone(text) for text in ("The mill of Aske was burnt in 1890.", "It burnt at Aske in 1890.")]
    [True, False]
    """
    return (
        6 <= len(sentence.split()) <= 32
        and sentence[-1:] == "."
        and sentence[:1].isupper()
        and not set(sentence) & set('|\n\t•…?"“”:;[]')
        and not _POINTING.search(sentence)
        and not _STARTS.match(sentence)
        and bool(_VERB.search(sentence))
        and bool(english.values_in(sentence[1:]).names)
    )


def made_claims(corpus: Corpus, n: int, seed: int) -> list[MadeClaim]:
    """Return `n` claims: a third true, a third false, a third not stated, of each kind as many as the
    documents have sentences for.
    """
    rng = random.Random(seed)
    taken: set[str] = set()
    claims = []
    for number in range(n):
        kinds = (TRUE, FALSE, (NOT_STATED,))[number % 3]
        first = number // 3 % len(kinds)
        # A kind that the documents have no sentence for leaves its place to the next.
        for kind in (*kinds[first:], *kinds[:first]):
            made = _made(kind, corpus, taken, rng)
            if made is not None:
                taken.add(made.sentence)
                claims.append(made)
                break
    if not claims:
        raise InputError(
            f"no claim can be made of the documents of {corpus.path}",
            hint="the test needs whole English sentences with names; label answers instead (--out FILE)",
        )
    return claims


def random_passages(corpus: Corpus, rng: random.Random) -> Iterator[tuple[CorpusPassage, Document]]:
    """Yield passages at random, each with its document; the same one may come again."""
    sizes = corpus.passages_by_source()
    sources = sorted(sizes)
    while sizes:
        (source,) = rng.choices(sources, [sizes[each] for each in sources])
        document = corpus.document(source)
        if passages := passages_of(document):
            yield rng.choice(passages), document


def _made(kind: Kind, corpus: Corpus, taken: set[str], rng: random.Random) -> MadeClaim | None:
    for (passage, document), _ in zip(random_passages(corpus, rng), range(TRIES), strict=False):
        usable = [text for text in map(_plain, passage.own_sentences()) if stands_alone(text)]
        fresh = [text for text in usable if text not in taken]
        if not fresh or passage.language != english.LANGUAGE:
            continue
        sentence = rng.choice(fresh)
        claim = _claim(kind, sentence, usable, document, rng)
        if (claim is not None and claim != sentence) or kind in ("kept", NOT_STATED):
            return MadeClaim(kind, claim or sentence, sentence, passage.id or document.source)
    return None


def _claim(
    kind: Kind, sentence: str, usable: Sequence[str], document: Document, rng: random.Random
) -> str | None:
    if kind == "shortened":
        return shortened(sentence)
    if kind == "joined":
        others = [text for text in usable if text != sentence]
        return f"{sentence} {rng.choice(others)}" if others else None
    if kind in FALSIFIED:
        whole = [_plain(text) for passage in passages_of(document) for text in passage.own_sentences()]
        return FALSIFIED[kind](sentence, whole, rng)
    return sentence


def _plain(sentence: str) -> str:
    return " ".join(sentence.split())


def without_sentence(
    corpus: Callable[[str, int], Sequence[CorpusPassage]], sentence: str
) -> Callable[[str, int], list[CorpusPassage]]:
    """Return the corpus as a retriever whose passages do not have a sentence, nor one with most of its words.

    >>> rain = CorpusPassage(text="It rained in Molde all day. The ferry left.", sentence_texts=(
    ...     "It rained in Molde all day.", "The ferry left."))
    >>> [each.text for each in without_sentence(lambda query, n: [rain], "It rained in Molde.")("rain", 1)]
    ['The ferry left.']
    """
    content = set(words(sentence))

    def states(text: str) -> bool:
        return len(content & set(words(text))) >= MIN_SAME * len(content)

    def find(query: str, n: int) -> list[CorpusPassage]:
        found = []
        for passage in corpus(query, n):
            texts = tuple(text for text in passage.own_sentences() if not states(text))
            if texts:
                changes = {"text": " ".join(texts), "sentences": (), "sentence_texts": texts}
                found.append(passage.model_copy(update=changes))
        return found

    return find
