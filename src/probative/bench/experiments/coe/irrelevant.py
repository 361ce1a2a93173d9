"""Irrelevant text: retrieved from a local collection with the paper's query form, one query for each node."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from pathlib import Path

from probative.bench.data.files import read_json, read_lines
from probative.bench.data.pages import Collection, read_collection
from probative.bench.data.splits import MULTIHOP_FILES
from probative.bench.experiments.coe.candidates import RGB, RGB_FILE, Candidate
from probative.bench.experiments.coe.mentions import mentions
from probative.text.sentences import split_sentences
from probative.types import Passage

QUERY = "Please introduce the background of {node}"
"""The paper's template (section 5.1)."""
# Pages that are retrieved for each node.
PAGES = 10
_YES_NO = ("yes", "no")


@lru_cache(maxsize=4)
def open_collection(data: Path, name: str) -> Collection:
    """Return the pages that irrelevant text of a data set is retrieved from.

    For 2WikiMultihopQA its published collection with the pages of all questions, for HotpotQA the pages of
    all questions, for RGB the texts of all questions that hold no answer.
    """
    if name == "2wikimultihopqa":
        return read_collection(data, "2wiki-open")
    if name == RGB:
        texts = dict.fromkeys(text for row in read_lines(data / RGB_FILE) for text in row["negative"])
        return Collection([Passage(text=text) for text in texts if text.strip()])
    pages = {
        title: " ".join(sentence.strip() for sentence in sentences)
        for row in read_json(data / MULTIHOP_FILES[name])
        for title, sentences in row["context"]
    }
    return Collection([Passage(text=text, title=title) for title, text in pages.items() if text.strip()])


def irrelevant_sentences(
    collection: Collection, candidate: Candidate, nodes: Sequence[str], pages: int = PAGES
) -> list[str]:
    """Return sentences about the nodes of a question that cannot support its answer.

    Gold pages, gold sentences and sentences that name the answer are left out. The nodes take turns.
    """
    gold_pages, gold = set(candidate.titles), set(candidate.pieces)
    answers = () if candidate.answer.lower() in _YES_NO else candidate.accepted
    by_node = []
    for node in nodes or [candidate.question]:
        retrieved = collection(QUERY.format(node=node), pages)
        by_node.append(
            [
                sentence.text
                for page in retrieved
                if not page.title or page.title not in gold_pages
                for sentence in split_sentences(page.text)
                if sentence.text not in gold
                and not any(mentions(answer, sentence.text) for answer in answers)
            ]
        )
    turns = chain.from_iterable(zip_longest(*by_node))
    return list(dict.fromkeys(sentence for sentence in turns if sentence is not None))
