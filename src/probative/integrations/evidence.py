"""What frameworks get of results: the passages to keep, the reason of a refusal, the place of a passage."""

from __future__ import annotations

from typing import Any

from probative.corpus.documents.passages import CorpusPassage
from probative.scope.result import Answer


def kept_passages(answer: Answer) -> dict[int, tuple[str, ...]]:
    """Return the indexes of the passages to keep, each with the features that it carries.

    The chain comes first, in its order. Passages that contradict it follow and carry nothing: who reads only
    one side would not know of the other.

    >>> from probative import ChainPassage, Conflict, Verdict
    >>> chain = (ChainPassage(index=4, text="It opened in 1953.", carries=("date",)),)
    >>> conflict = Conflict(index=4, other=2, says="1953", instead="1938", text="…", other_text="…")
    >>> verdict = Verdict.CONTRADICTED
    >>> kept_passages(Answer(question="?", answer=None, verdict=verdict, chain=chain, conflicts=(conflict,)))
    {4: ('date',), 2: ()}
    """
    kept: dict[int, tuple[str, ...]] = {}
    for piece in answer.chain:  # a long passage may be there in several pieces
        kept[piece.index] = tuple(dict.fromkeys((*kept.get(piece.index, ()), *piece.carries)))
    for conflict in answer.conflicts:
        kept.setdefault(conflict.other, ())
    return kept


def refusal(answer: Answer) -> str:
    """Return why there is no answer, and what is missing.

    >>> refusal(Answer(question="?", answer=None, verdict="insufficient", missing=("town",)))
    'no answer: insufficient; missing: town'
    """
    missing = f"; missing: {', '.join(answer.missing)}" if answer.missing else ""
    return f"no answer: {answer.reason or answer.verdict.value}{missing}"


def passage_metadata(passage: CorpusPassage) -> dict[str, Any]:
    """Return the metadata of a passage as documents of other frameworks have it; `passage_fields` reads it.

    >>> passage = CorpusPassage(text="It rained.", source="log.txt", start=7, metadata={"author": "Ida"})
    >>> passage_metadata(passage)
    {'author': 'Ida', 'source': 'log.txt', 'language': 'en', 'start_index': 7}
    """
    fields = passage.model_dump(include={"source", "title", "page", "date", "language"}, exclude_none=True)
    place = {} if passage.start is None else {"start_index": passage.start}
    return {**passage.metadata, **fields, **place}
