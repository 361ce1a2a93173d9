"""Passages in Milvus: a cluster, or a file of Milvus Lite in this process.

The terms are made here, by the analyzers of the embedded index, and Milvus only splits them at spaces. So
both stores count the same words. What differs: Milvus scores with exact lengths and counts all languages
together, tantivy rounds lengths above 40 words and counts each language by itself. Milvus Lite does not take
k1 (it has 1.5) and counts words in each of its files, with filters only in the documents that they take.
"""

from __future__ import annotations

import base64
import os
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.stores.records import (
    PassageStore,
    WordHit,
    analyzer,
    analyzer_name,
    query_terms,
    searched_words,
    to_record,
)
from probative.errors import MissingExtraError, StoreError

# The parameters of BM25 in tantivy; a cluster takes them, Milvus Lite ignores them.
K1, B = 1.2, 0.75
# The most results of one request.
_MAX_HITS = 16_000
# Rows that are sent at a time, and the characters of their texts.
_ROWS, _CHARACTERS = 1_000, 8_000_000
# Documents that one expression names.
_NAMED = 10_000
_SECONDS = 20.0
# What a search returns of a row.
_FIELDS = ["key", "document", "record", "parts"]


class MilvusStore(PassageStore):
    """One collection of Milvus. `address` is http(s)://HOST:PORT, or a file that ends with ``.db``.

    Passages are sent in groups. Every search sees what was written, and what was removed goes by itself.
    """

    def __init__(self, address: str, collection: str, *, create: bool = False) -> None:
        self.address, self.collection = address, collection
        self._unsent: list[dict[str, Any]] = []
        self._characters = 0
        self._client = _connect(address)
        with milvus_errors(address):
            if create:
                _create(self._client, collection)
            elif not self._client.has_collection(collection, timeout=_SECONDS):
                raise StoreError(
                    f"the store milvus:{address} does not have the passages of this index ({collection})",
                    hint="make them again: probative index FOLDER --out INDEX --rebuild",
                )
            self._client.load_collection(collection, timeout=_SECONDS)

    def _ask(self, verb: str, *arguments: Any, timeout: float | None = None, **options: Any) -> Any:
        """Call a method of the client for this collection."""
        with milvus_errors(self.address):
            method = getattr(self._client, verb)
            return method(self.collection, *arguments, timeout=timeout or _SECONDS, **options)

    def __len__(self) -> int:
        (row,) = self._ask("query", filter="parts > 0", output_fields=["count(*)"])
        return int(row["count(*)"])

    def close(self) -> None:
        self._client.close()

    def drop(self) -> None:
        self._ask("drop_collection")

    def search(
        self, query: str, n: int, languages: Iterable[str], documents: Collection[int] | None = None
    ) -> list[WordHit]:
        terms = [encode_term(name, term) for name, term in query_terms(query, languages)]
        if not terms or n < 1:
            return []
        hits: list[WordHit] = []
        for part in [""] if documents is None else _named("document", documents):
            (rows,) = self._ask(
                "search",
                data=[" ".join(terms)],
                anns_field="words",
                limit=min(n, _MAX_HITS),
                filter=part,
                output_fields=_FIELDS,
                search_params={"metric_type": "BM25"},
            )
            # Milvus Lite gives negative scores.
            hits += [_hit(row["entity"], abs(row["distance"])) for row in rows]
        return sorted(hits, key=lambda hit: (-hit.score, hit.number))[:n]

    def at(self, numbers: Sequence[int]) -> list[WordHit]:
        keys = [number * PARTS for number in numbers]
        return [hit for part in _named("key", keys) for hit in self._hits(part)]

    def between(self, first: int, end: int) -> list[WordHit]:
        spans = [(start, min(start + _NAMED, end)) for start in range(first, end, _NAMED)]
        return [
            hit
            for start, stop in spans
            for hit in self._hits(f"key >= {start * PARTS} and key < {stop * PARTS} and parts > 0")
        ]

    def _hits(self, expression: str) -> list[WordHit]:
        rows = self._ask("query", filter=expression, output_fields=_FIELDS, limit=_NAMED)
        return [_hit(row, 0.0) for row in rows]

    def record(self, hit: WordHit) -> bytes:
        text, parts = hit.address
        if parts > 1:
            keys = [hit.number * PARTS + part for part in range(1, parts)]
            rows = self._ask("query", filter=f"key in {keys}", output_fields=["key", "record"])
            text += "".join(row["record"] for row in sorted(rows, key=lambda row: int(row["key"])))
        return zlib.decompress(base64.b64decode(text))

    @contextmanager
    def writing(self) -> Iterator[Self]:
        yield self

    def add(self, passages: Iterable[CorpusPassage], first: int, document: int) -> None:
        for number, passage in enumerate(passages, first):
            for row in passage_rows(passage, number, document):
                self._unsent.append(row)
                self._characters += len(row["terms"]) + len(row["record"])
                if len(self._unsent) >= _ROWS or self._characters >= _CHARACTERS:
                    self.commit()

    def remove(self, documents: Collection[int]) -> None:
        for part in _named("document", documents):
            self._ask("delete", filter=part, timeout=_SECONDS * 6)

    def commit(self) -> None:
        rows, self._unsent, self._characters = self._unsent, [], 0
        if rows:
            self._ask("insert", rows, timeout=_SECONDS * 6)


def _named(field: str, numbers: Collection[int]) -> Iterator[str]:
    """Yield expressions for rows with one of these numbers."""
    ordered = sorted(numbers)
    for start in range(0, len(ordered), _NAMED):
        yield f"{field} in {ordered[start : start + _NAMED]}"


def _connect(address: str) -> Any:
    try:
        from pymilvus import MilvusClient
    except ImportError:
        raise MissingExtraError("milvus", "the store milvus") from None
    with milvus_errors(address):
        # The password comes from the variable that Milvus uses, so that the index need not store it.
        return MilvusClient(address, token=os.environ.get("MILVUS_TOKEN", ""), timeout=_SECONDS)


def _create(client: Any, collection: str) -> None:
    from pymilvus import DataType, Function, FunctionType, MilvusClient

    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("key", DataType.INT64, is_primary=True)
    schema.add_field("document", DataType.INT64)
    schema.add_field("parts", DataType.INT64)
    analyzed = {"enable_analyzer": True, "analyzer_params": {"tokenizer": "standard"}}
    schema.add_field("terms", DataType.VARCHAR, max_length=65_535, **analyzed)
    schema.add_field("words", DataType.SPARSE_FLOAT_VECTOR)
    schema.add_field("record", DataType.VARCHAR, max_length=65_535)
    schema.add_function(Function("bm25", FunctionType.BM25, ["terms"], ["words"]))
    indexes = MilvusClient.prepare_index_params()
    parameters = {"bm25_k1": K1, "bm25_b": B}
    indexes.add_index("words", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25", params=parameters)
    indexes.add_index("document", index_type="INVERTED")
    # Strong: a search sees every passage that was written before it.
    client.create_collection(
        collection, schema=schema, index_params=indexes, consistency_level="Strong", timeout=_SECONDS
    )


@contextmanager
def milvus_errors(address: str) -> Iterator[None]:
    """Raise `StoreError` for an error of Milvus or of the connection to it."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:  # pymilvus lets errors of gRPC and of its parts through
        what = " ".join(str(getattr(error, "message", "") or error).split())[:300]
        hint = (
            "a file of Milvus Lite serves one process at a time: close the other one, or use a server"
            if "://" not in address
            else "start it, or check the address and MILVUS_TOKEN: the same command goes on where it "
            "stopped; without --store, a folder is indexed and searched on this machine"
        )
        raise StoreError(f"the store milvus:{address} cannot be used: {what}", hint=hint) from error


PARTS = 1_024
"""A record that is too long for a row goes on in further rows; the key of a row is number × PARTS + part."""
# The most characters of a text field.
_MAX_TEXT = 65_000
_PLAIN = re.compile(r"[a-z0-9]+")


def encode_term(name: str, term: str) -> str:
    """Return a term of an analyzer as one word of ASCII letters and digits, which no tokenizer splits.

    >>> encode_term("en", "ferri"), encode_term("unspaced", "船")
    ('enferri', 'unxe888b9')
    """
    plain = _PLAIN.fullmatch(term)
    return f"{name[:2]}{term}" if plain else f"{name[:2]}x{term.encode('utf-8', 'replace').hex()}"


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
    terms = " ".join(encode_term(name, term) for term in analyzer(name).analyze(searched_words(passage)))
    return terms if len(terms) <= _MAX_TEXT else terms[:_MAX_TEXT].rpartition(" ")[0]


def _hit(row: Any, score: float) -> WordHit:
    """Return the hit of a row; its address has the record and the number of its parts."""
    return WordHit(int(row["key"]) // PARTS, int(row["document"]), score, (row["record"], int(row["parts"])))
