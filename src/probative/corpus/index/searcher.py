"""Rank fusion: one order from several."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from probative.corpus.documents.files import SearchFilters
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.documents.threads import MESSAGE_ID, QUOTED_FROM
from probative.corpus.index.catalog import Catalog, LiveMail
from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.stores.labels import VectorsLabel, read_vectors_label
from probative.corpus.stores.records import WordHit, from_record
from probative.corpus.stores.store import open_store
from probative.errors import StoreError
from probative.models.encoder import Encoder
from probative.text.shingles import MIN_CONTAINED, contained

if TYPE_CHECKING:
    from probative.corpus.index.passage_vectors import Mask, PassageVectors

# Cormack, Clarke and Büttcher (2009), "Reciprocal rank fusion outperforms Condorcet and individual rank
# learning methods", take 60 for rankings of the same quality. With 60, a passage that both rankings place
# low passes the best one of the words: vectors of a quarter cost 2 points at 5 on HotpotQA. With 10 they
# gain on HotpotQA and 2WikiMultihopQA (benchmarks/corpus.py recall).
RANK_CONSTANT = 10

Item = TypeVar("Item", bound=Hashable)


def fuse(rankings: Iterable[tuple[float, Sequence[Item]]]) -> list[tuple[Item, float]]:
    """Return all items with the sum of weight / (RANK_CONSTANT + rank) over the rankings, highest first.

    Each ranking comes with its weight; ranks count from 1. Of equal items, the earlier one stays first.

    >>> [item for item, _ in fuse([(1.0, ["a", "b", "c"]), (1.0, ["c", "b"])])]
    ['c', 'b', 'a']
    """
    scores: dict[Item, float] = {}
    for weight, ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + weight / (RANK_CONSTANT + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])


# E-mails with the same id, and passages of an e-mail, that are compared with what another one quotes.
_MAX_SAME_ID, _MAX_MAIL = 10, 300
# How many passages each ranking gives to the fusion.
DEPTH = 60

Allowed = Mapping[int, tuple[int, int]]
"""The documents that filters take, by id: the number of the first passage, and how many there are."""


@dataclass(frozen=True)
class Hit:
    """A passage that was found, and its score: higher is better, comparable within one search only."""

    passage: CorpusPassage
    score: float


@dataclass(frozen=True)
class Weights:
    """How much each ranking counts in the fusion. A ranking that counts nothing is not made."""

    words: float = 1.0
    vectors: float = 0.25


class IndexSearcher:
    """The parts of an index, opened for searching; an update that ends meanwhile is seen at once."""

    def __init__(
        self, folder: IndexFolder, catalog: Catalog, encoder: Encoder | None, store: str | None = None
    ) -> None:
        self._folder, self._catalog, self._encoder = folder, catalog, encoder
        self.words = open_store(folder.path, store)
        self._lock = threading.RLock()
        self._version = -1
        self._languages: tuple[str, ...] = ()
        self._matching: dict[str, Allowed] = {}
        self._vectors: PassageVectors | None = None
        self._label: VectorsLabel | None = None
        self._rows: dict[str, Mask] = {}
        self._mails: dict[str, list[LiveMail]] | None = None
        self._is_repeated: dict[str, bool] = {}
        self.damage: StoreError | None = None
        """Why the vectors cannot be searched, if their files are damaged."""
        self._refresh()

    def close(self) -> None:
        self.words.close()

    def takes_nothing(self, filters: SearchFilters) -> bool:
        with self._lock:
            self._refresh()
            return bool(filters) and not self._allowed(filters)

    def search(self, query: str, n: int, filters: SearchFilters, weights: Weights) -> list[Hit]:
        """Return the `n` best passages of live documents, each text once."""
        with self._lock:
            self._refresh()
            allowed = self._allowed(filters) if filters else None
            if allowed is not None and not allowed:
                return []
            # Of one ranking alone, no passage below the n-th can rise.
            is_fused = weights.words and weights.vectors and self._vectors is not None
            depth = max(DEPTH, n) if is_fused else n
            while True:
                by_words = self.words.search(query, depth, self._languages, allowed) if weights.words else []
                near = self._near(query, depth, filters, allowed) if weights.vectors else {}
                by_vectors = [hit._replace(score=near[hit.number]) for hit in self.words.at(list(near))]
                rankings = ((weights.words, by_words), (weights.vectors, by_vectors))
                hits = self._fused(rankings, n, filters, allowed)
                # Repeated texts, and documents that an update has just replaced, leave room for more.
                if len(hits) == n or max(len(by_words), len(near)) < depth:
                    return hits
                depth *= 4

    def _refresh(self) -> None:
        """Open what an update has written since the last search."""
        version = self._catalog.version()
        if version != self._version:
            self.words.reload()
            self._languages = self._catalog.languages()
            self._matching.clear()
            self._rows.clear()
            self._mails = None
            self._is_repeated.clear()
            self._version = version
        label = None if self._encoder is None else read_vectors_label(self._folder.vectors)
        if label == self._label:
            return
        self._label, before, self._vectors, self.damage = label, self._vectors, None, None
        self._rows.clear()
        if label is not None and self._encoder is not None and label.encoder == self._encoder.fingerprint:
            from probative.corpus.index.passage_vectors import PassageVectors

            try:
                self._vectors = PassageVectors.open(self._folder.vectors, before)
            except StoreError as error:  # the words still answer
                self.damage = error

    def _allowed(self, filters: SearchFilters) -> Allowed:
        key = filters.to_json()
        if key not in self._matching:
            self._matching[key] = self._catalog.matching(filters)
        return self._matching[key]

    def _near(self, query: str, n: int, filters: SearchFilters, allowed: Allowed | None) -> dict[int, float]:
        """Return the numbers and cosines of the live passages nearest to the query; none without vectors."""
        if self._vectors is None or self._encoder is None:
            return {}
        (vector,) = self._encoder.encode([query])
        return dict(self._vectors.nearest(vector, n, self._searched_rows(filters, allowed)))

    def _searched_rows(self, filters: SearchFilters, allowed: Allowed | None) -> Mask:
        """Return which vectors belong to live documents that the filters take."""
        import numpy as np

        assert self._vectors is not None
        key = filters.to_json() if allowed is not None else ""
        if key not in self._rows:
            ranges = self._catalog.live_ranges() if allowed is None else np.array(list(allowed.values()))
            self._rows[key] = self._vectors.rows_of(ranges)
        return self._rows[key]

    def _fused(
        self,
        rankings: Sequence[tuple[float, Sequence[WordHit]]],
        n: int,
        filters: SearchFilters,
        allowed: Allowed | None,
    ) -> list[Hit]:
        """Return the `n` best passages of all rankings, each text once.

        Of equal scores, the first source comes first: the numbers of passages depend on past updates.
        """
        live = self._catalog.live([hit.document for _, ranking in rankings for hit in ranking])

        def order(hit: WordHit) -> tuple[float, str, int]:
            return -hit.score, live[hit.document].source, hit.number

        orders = [
            (weight, [hit.number for hit in sorted((h for h in ranking if h.document in live), key=order)])
            for weight, ranking in rankings
        ]
        hits = {hit.number: hit for _, ranking in rankings for hit in ranking}
        fused: dict[str, Hit] = {}
        for number, score in fuse(orders):
            hit = hits[number]
            passage = from_record(self.words.record(hit), live[hit.document])
            if QUOTED_FROM in passage.metadata and self._stands_in_its_mail(passage, filters, allowed):
                continue
            fused.setdefault(" ".join(passage.text.split()).lower(), Hit(passage, score))
            if len(fused) == n:
                break
        return list(fused.values())

    def _stands_in_its_mail(
        self, passage: CorpusPassage, filters: SearchFilters, allowed: Allowed | None
    ) -> bool:
        """Return whether a passage that an e-mail quotes stands in an e-mail of that id that is searched,
        too. An id alone proves nothing, since headers are not checked by anybody.
        """
        if self._mails is None:
            self._mails = {}
            for mail in self._catalog.mails():
                self._mails.setdefault(mail.metadata[MESSAGE_ID], []).append(mail)
        key = f"{passage.id} {filters.to_json()}"
        if key not in self._is_repeated:
            searched = None if allowed is None else set(allowed.values())
            mails = self._mails.get(passage.metadata[QUOTED_FROM], ())
            mails = [each for each in mails if searched is None or (each.first, each.passages) in searched]
            texts = (self._text(mail) for mail in mails[:_MAX_SAME_ID])
            self._is_repeated[key] = any(contained(passage.text, text) >= MIN_CONTAINED for text in texts)
        return self._is_repeated[key]

    def _text(self, mail: LiveMail) -> str:
        hits = self.words.between(mail.first, mail.first + min(mail.passages, _MAX_MAIL))
        facts = self._catalog.live([hit.document for hit in hits])
        passages = (from_record(self.words.record(hit), facts[hit.document]) for hit in hits)
        return " ".join(passage.text for passage in sorted(passages, key=lambda each: each.start or 0))


def vector_notes(folder: IndexFolder, catalog: Catalog, encoder: str, *, growing: bool) -> tuple[str, ...]:
    """Return what a user must know about the vectors that `encoder` searches."""
    label = read_vectors_label(folder.vectors)
    if label is not None and label.encoder != encoder and not growing:
        return (
            f"the vectors of the index were made by another encoder ({label.encoder}): only words are "
            "searched until it is indexed again",
        )
    end = 0 if label is None or label.encoder != encoder else label.end
    if end >= catalog.next_number():
        return ()
    with_vectors, passages = catalog.passages_before(end), catalog.counts()[1]
    if with_vectors == passages:
        return ()
    rest = "they are being made" if growing else "probative index makes the others"
    return (
        f"{with_vectors:,} of {passages:,} passages have vectors, the others are found by their words alone: "
        f"{rest}",
    )
