"""Generated documents that are statistically like text, and an index of documents that are in memory.

Words are drawn by the law of Zipf and Mandelbrot, so that the dictionary and the lists of an index grow as
with real text. The words are those of the policy's tokenizer, so that an encoder cuts them into as many
tokens as real ones; rare words are two of them joined. A tenth of a document's words are from a topic of its
own. A passage has 80 words on average, in sentences of 4 to 36.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from probative.corpus.documents.document import Document
from probative.corpus.documents.duplicates import sketch_of
from probative.corpus.documents.files import FoundFile
from probative.corpus.documents.passages import CorpusPassage, passages_of
from probative.corpus.index.batch import IndexWriter
from probative.corpus.index.embed import embed_passages
from probative.corpus.index.index_folder import FORMAT, IndexFolder
from probative.corpus.indexing import static_encoder
from probative.corpus.reading.messages import ReadContent
from probative.corpus.stores.labels import IndexLabel
from probative.corpus.stores.word_index import WordIndex
from probative.models.encoder import Encoder
from probative.settings import load_settings

PASSAGES_PER_DOCUMENT = 100
_VOCABULARY = 300_000
# Mandelbrot's shift of the rank: the most frequent word is one in thirty.
_SHIFT = 2.7
_WORDS, _SPREAD, _MIN_WORDS = 75, 20, 68
_TOPIC_WORDS, _TOPIC_SHARE = 40, 0.1
_QUERY_WORDS = 8


@cache
def vocabulary() -> list[str]:
    """Return different words, the most frequent first: short ones, as in every language."""
    file = files("probative") / "weights" / "policy" / "tokenizer.json"
    tokens = json.loads(file.read_text(encoding="utf-8"))["model"]["vocab"]
    plain = [token for token in tokens if token.isascii() and token.isalpha() and len(token) > 1]
    simple = sorted(plain, key=lambda token: min(len(token), 5))
    draw = np.random.default_rng(0)
    words = dict.fromkeys(simple)
    while len(words) < _VOCABULARY:
        first, second = draw.integers(len(plain), size=2)
        words.setdefault(plain[first] + plain[second])
    return list(words)


@cache
def _shares() -> NDArray[np.float64]:
    """Return the cumulative share of each rank."""
    weights = 1 / (np.arange(_VOCABULARY) + _SHIFT)
    return np.cumsum(weights / weights.sum())


def _ranks(draw: np.random.Generator, count: int) -> NDArray[np.int64]:
    ranks = np.searchsorted(_shares(), draw.random(count))
    return np.minimum(ranks, _VOCABULARY - 1)


def generated(passages: int, seed: int = 0) -> Iterator[Document]:
    """Yield documents of 100 paragraphs, each of which is one passage; the last document may have fewer."""
    words = np.array(vocabulary(), dtype=object)
    draw = np.random.default_rng(seed)
    for number, first in enumerate(range(0, passages, PASSAGES_PER_DOCUMENT)):
        topic = draw.integers(2_000, _VOCABULARY, size=_TOPIC_WORDS)
        count = min(PASSAGES_PER_DOCUMENT, passages - first)
        text = "\n\n".join(_paragraph(words, topic, draw) for _ in range(count))
        yield Document(source=f"{number // 1000:03}/{number:06}.txt", text=text)


def _paragraph(words: NDArray[np.object_], topic: NDArray[np.int64], draw: np.random.Generator) -> str:
    # Two paragraphs of fewer words could become one passage.
    length = max(_MIN_WORDS, int(draw.normal(_WORDS, _SPREAD)))
    ranks = _ranks(draw, length)
    own = draw.random(length) < _TOPIC_SHARE
    ranks[own] = draw.choice(topic, int(own.sum()))
    drawn = words[ranks].tolist()
    sentences = []
    while drawn:
        size = int(draw.integers(4, 37))
        # A rest of a few words belongs to the last sentence.
        size = size if len(drawn) - size >= 4 else len(drawn)
        sentences.append(" ".join(drawn[:size]).capitalize() + ".")
        drawn = drawn[size:]
    return " ".join(sentences)


def queries(count: int, seed: int = 1) -> list[str]:
    """Return queries of eight words, drawn as the words of the documents are."""
    words = vocabulary()
    draw = np.random.default_rng(seed)
    return [" ".join(words[rank] for rank in _ranks(draw, _QUERY_WORDS)) for _ in range(count)]


def passages_in_memory(passages: int) -> list[CorpusPassage]:
    """Return generated passages."""
    return [passage for document in generated(passages) for passage in passages_of(document)]


def write_index(folder: Path, documents: Iterator[Document], encoder: Encoder | None = None) -> None:
    """Index documents that are in memory, as `update_index` indexes files."""
    index = IndexFolder(folder)
    index.path.mkdir(parents=True, exist_ok=True)
    catalog = index.open_writable_catalog()
    words = WordIndex(index.words, create=True)
    with words.writing():
        writer = IndexWriter(catalog, words)
        for document in documents:
            sketch = sketch_of(document.text).tobytes().hex()
            content = ReadContent(document=document, passages=tuple(passages_of(document)), sketch=sketch)
            writer.add(content, FoundFile(Path(document.source), document.source, 0, 0), "")
        writer.flush()
    index.write_label(IndexLabel(format=FORMAT, version="benchmark", folder=str(folder)))
    catalog.tidy()
    catalog.close()
    if encoder is not None:
        embed_passages(index, encoder)


def the_static_encoder() -> Encoder:
    """Return the static encoder; it is fetched if it is not here."""
    encoder = static_encoder(load_settings(), fetch=True)
    if encoder is None:
        raise SystemExit("the static encoder is not here and could not be fetched")
    return encoder
