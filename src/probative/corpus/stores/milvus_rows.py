"""A passage as rows of Milvus: its terms, and its record as text."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from probative.corpus.index.analyzers import analyzer, analyzer_name
from probative.corpus.index.record import to_record
from probative.corpus.index.word_index import WordHit
from probative.corpus.passages import CorpusPassage

FIELDS = ["key", "document", "record", "parts"]
"""What a search returns of a row."""
PARTS = 1_024
"""A record that is too long for a row goes on in further rows; the key of a row is number × PARTS + part."""
# The most characters of a text field.
_MAX_TEXT = 65_000
_MAX_TERMS = 64
_PLAIN = re.compile(r"[a-z0-9]+")


def query_terms(query: str, languages: Iterable[str]) -> list[str]:
    """Return the terms of a query in the analyzers of these languages, each once.

    >>> query_terms("Ferries to Ålesund", ["en", "pl"])
    ['enferri', 'ento', 'enalesund', 'otferries', 'otto', 'otalesund']
    """
    names = dict.fromkeys(analyzer_name(language) for language in languages)
    return [
        encode_term(name, term)
        for name in names
        for term in list(dict.fromkeys(analyzer(name).analyze(query)))[:_MAX_TERMS]
    ]


def encode_term(name: str, term: str) -> str:
    """Return a term of an analyzer as one word of ASCII letters and digits, which no tokenizer splits.

    >>> encode_term("en", "ferri"), encode_term("unspaced", "船")
    ('enferri', 'unxe888b9')
    """
    return (
        f"{name[:2]}{term}"
        if _PLAIN.fullmatch(term)
        else f"{name[:2]}x{term.encode('utf-8', 'replace').hex()}"
    )


def passage_rows(passage: CorpusPassage, number: int, document: int) -> Iterator[dict[str, Any]]:
    """Yield the row of a passage, and those in which a long record goes on: no word finds them."""
    record = base64.b64encode(zlib.compress(to_record(passage), 6)).decode("ascii")
    parts = [record[start : start + _MAX_TEXT] for start in range(0, len(record), _MAX_TEXT)][:PARTS]
    for part, text in enumerate(parts):
        yield {
            "key": number * PARTS + part,
            "document": document,
            "terms": "" if part else _terms(passage),
            "record": text,
            "parts": 0 if part else len(parts),
        }


def _terms(passage: CorpusPassage) -> str:
    name = analyzer_name(passage.language)
    words = f"{passage.title}\n{passage.text}" if passage.title else passage.text
    terms = " ".join(encode_term(name, term) for term in analyzer(name).analyze(words))
    return terms if len(terms) <= _MAX_TEXT else terms[:_MAX_TEXT].rpartition(" ")[0]


def hit_of(row: Any, score: float) -> WordHit:
    """Return the hit of a row; its address has the record and the number of its parts."""
    return WordHit(int(row["key"]) // PARTS, int(row["document"]), score, (row["record"], int(row["parts"])))
