"""Questions over several pages: HotpotQA, 2WikiMultihopQA and MuSiQue, in several forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from probative.bench.data.files import read_json, read_lines
from probative.bench.data.splits import MULTIHOP_FILES, digest, question_key
from training.policy.claims import as_claim
from training.policy.evidence import Evidence, from_pages, make_evidence
from training.splits import unreported_rows

Row = Mapping[str, Any]
# Distractors of a question made from triples.
DISTRACTORS = 24


def hotpotqa(data: Path) -> Iterator[Evidence]:
    """Yield HotpotQA's questions, each sentence with its page's title."""
    for row in _hotpot_rows(data):
        yield from from_pages(dict(row), row["supporting_facts"], "hotpotqa")


def hotpotqa_bare(data: Path) -> Iterator[Evidence]:
    """Yield the same without titles: a text need not have any."""
    for row in _hotpot_rows(data):
        yield from from_pages(dict(row), row["supporting_facts"], "hotpotqa_bare", titled=False)


def two_wiki(data: Path) -> Iterator[Evidence]:
    """Yield 2WikiMultihopQA's questions, each sentence with its page's title."""
    for row in _two_wiki_rows(data):
        yield from from_pages(dict(row), row["supporting_facts"], "2wikimultihopqa")


def two_wiki_made(data: Path) -> Iterator[Evidence]:
    """Yield questions made from 2WikiMultihopQA's triples, with the pages of their facts."""
    from training.reader.hops import two_wiki as reader_rows
    from training.reader.triples import invent

    rows = list(reader_rows(data))
    pages: dict[str, dict[str, None]] = {}
    for row in rows:
        for sentence in row.sentences:
            pages.setdefault(sentence.title or "", {})[sentence.whole] = None
    for made in invent(rows, "train", 7, 600):
        stating = [sentence.whole for sentence in made.evidence]
        same_pages = [text for sentence in made.evidence for text in pages[sentence.title or ""]]
        others = [sentence.whole for sentence in made.others]
        others.sort(key=lambda text: digest(made.question + text))
        texts = list(dict.fromkeys([*stating, *same_pages, *others[:DISTRACTORS]]))
        texts.sort(key=lambda text: digest(text + made.question))
        gold = {texts.index(text) for text in stating}
        yield make_evidence(made.question, made.question, texts, gold, "2wiki_made", answer=made.answer)


def multihop_claims(data: Path) -> Iterator[Evidence]:
    """Yield the questions as claims. One in three states the answer to another question: the evidence that
    decides it is the same.
    """
    for rows in (_hotpot_rows(data), _two_wiki_rows(data)):
        previous = ""
        for row in rows:
            answer = previous if previous and digest(row["question"]) % 3 == 0 else row["answer"]
            previous = row["answer"] if row["answer"] not in ("yes", "no") else previous
            if claim := as_claim(row["question"], answer):
                stated = {**row, "question": claim, "asked": row["question"]}
                yield from from_pages(stated, row["supporting_facts"], "multihop_claims")


def whole_pages(data: Path) -> Iterator[Evidence]:
    """Yield the questions with whole pages as candidates: passages need not be sentences."""
    more = [
        {**row, "supporting_facts": [(title, 0) for title in row["supporting_titles"]]}
        for row in read_lines(data / "hotpotqa/paragraph_level_sample.jsonl")
    ]
    for row in [*_hotpot_rows(data, more), *_two_wiki_rows(data)]:
        titles = {title for title, _ in row["supporting_facts"]}
        texts = [
            f"{title}: {' '.join(sentence.strip() for sentence in page)}" for title, page in row["context"]
        ]
        gold = {index for index, (title, _) in enumerate(row["context"]) if title in titles}
        if gold:
            yield make_evidence(row["_id"], row["question"], texts, gold, "whole_pages", answer=row["answer"])


def musique(data: Path) -> Iterator[Evidence]:
    """Yield MuSiQue's questions with its paragraphs as candidates."""
    for row in read_json(data / "musique/train_sample.json"):
        texts = [f"{paragraph['title']}: {paragraph['paragraph_text']}" for paragraph in row["paragraphs"]]
        gold = {step["paragraph_support_idx"] for step in row["question_decomposition"]}
        yield make_evidence(row["id"], row["question"], texts, gold, "musique", answer=row["answer"])


def _hotpot_rows(data: Path, more: Iterable[Row] = ()) -> Iterator[Row]:
    """Return HotpotQA's rows whose gold sentences are known, and `more`, without the questions that HoVer's
    claims were made of.
    """
    marked = [
        {**row, "supporting_facts": row["supporting_facts_r4c"]}
        for row in read_lines(data / "training/hotpotqa_paragraph_gold.jsonl")
        if row.get("supporting_facts_r4c")
    ]
    rows = _unreported(data, "hotpotqa", [*read_lines(data / "training/hotpotqa_more.jsonl"), *marked, *more])
    hover = data / "hover/dev_with_text_sample.jsonl"
    claimed = {row["hpqa_id"] for row in read_lines(hover)} if hover.exists() else set()
    return (row for row in rows if row["_id"] not in claimed)


def _two_wiki_rows(data: Path) -> Iterator[Row]:
    return _unreported(data, "2wikimultihopqa", read_lines(data / "training/2wiki_train.jsonl"))


def _unreported(data: Path, name: str, more: Iterable[Row]) -> Iterator[Row]:
    """Return the rows of a dev sample that may be trained on, and `more`, without reported questions."""
    rows = read_json(data / MULTIHOP_FILES[name])
    kept = unreported_rows(rows)
    reported = {question_key(row["question"]) for row in rows if row not in kept}
    return (row for row in [*kept, *more] if question_key(row["question"]) not in reported)
