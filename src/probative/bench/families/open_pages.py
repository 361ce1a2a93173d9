"""The pages of all questions of a set: as a collection with words and vectors, and as an indexed corpus."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from probative.bench.data.pages import OpenCollection, read_pages
from probative.bench.data.questions import Question
from probative.bench.findings import share_text
from probative.bench.rows import Row
from probative.bench.study import Lab
from probative.bench.tables import Results, column_cells
from probative.corpus.corpus import Corpus
from probative.corpus.index.update import update_index
from probative.corpus.indexing import static_encoder
from probative.errors import WeightsError
from probative.models.encoder import Encoder
from probative.scope.result import Answer
from probative.settings import Settings as ModelSettings
from probative.text.words import words
from probative.types import Passage

_CORPORA: dict[tuple[Path, str], tuple[Corpus, TemporaryDirectory[str]]] = {}
_ENCODERS: dict[str, Encoder] = {}


def corpus_of(data: Path, name: str, settings: ModelSettings) -> Corpus:
    """Return the pages of a set as a corpus, each page a document, indexed once for all cases."""
    if (data, name) not in _CORPORA:
        folder = TemporaryDirectory(prefix="probative-pages-")
        pages, index = Path(folder.name, "pages"), Path(folder.name, "index")
        pages.mkdir()
        for number, page in enumerate(read_pages(data, name)):
            title = re.sub(r"\s+", " ", page.title or "").strip()
            (pages / f"{number:06}.md").write_text(f"# {title}\n\n{page.text}\n", encoding="utf-8")
        update_index(pages, index, encoder=static_encoder(settings, fetch=True))
        _CORPORA[data, name] = (Corpus.open(index, settings=settings), folder)
    return _CORPORA[data, name][0]


def collection_of(lab: Lab, name: str) -> OpenCollection:
    """Return the collection of a set, indexed once for all cases; raises WeightsError without the encoder."""
    home = str(lab.session.settings.weights_folder)
    if home not in _ENCODERS:
        encoder = static_encoder(lab.session.settings, fetch=True)
        if encoder is None:
            raise WeightsError("the static encoder is not here and could not be fetched")
        _ENCODERS[home] = encoder
    return _collection(lab.settings.data, name, _ENCODERS[home])


@lru_cache(maxsize=2)
def _collection(data: Path, name: str, encoder: Encoder) -> OpenCollection:
    return OpenCollection(read_pages(data, name), encoder)


NOTHING_FOUND: Row = {"pages": False, "gold_sentences": 0.0, "cited_f1": 0.0}


def evidence_of(question: Question, answer: Answer) -> Row:
    """Return what of the gold evidence is in the chain, and how well the cited sentences meet it."""
    gold = [question.passages[index] for index in sorted(question.gold)]
    titles = {piece.index: _plain(piece.title or "") for piece in answer.chain}
    texts = [(titles[piece.index], _plain(piece.text)) for piece in answer.chain]
    cited = [(titles.get(entry.index, ""), _plain(entry.text)) for entry in answer.cited]
    met = [any(_same(passage, text) for text in cited) for passage in gold]
    fitting = [any(_same(passage, text) for passage in gold) for text in cited]
    precision = sum(fitting) / len(fitting) if fitting else 0.0
    recall = sum(met) / len(met)
    return {
        "pages": {_plain(passage.title or "") for passage in gold} <= set(titles.values()),
        "gold_sentences": sum(any(_same(passage, text) for text in texts) for passage in gold) / len(gold),
        "cited_f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
    }


def _same(gold: Passage, titled: tuple[str, str]) -> bool:
    """Return whether a text of the same page contains a gold sentence, or is a part of it."""
    title, text = titled
    sentence = _plain(gold.text)
    return title == _plain(gold.title or "") and bool(text) and (sentence in text or text in sentence)


def _plain(text: str) -> str:
    return " ".join(words(text))


def trusted(results: Results) -> Iterator[str]:
    """Yield how many answers of the first method are right, and how many of the supported ones."""
    for table in results.tables:
        for name, (exact, trusted) in list(column_cells(table, "EM", "EM of these"))[:1]:
            yield (
                f"{table.title}, {name}: {share_text(exact)} answers match exactly, and "
                f"{share_text(trusted)} of those marked supported."
            )
