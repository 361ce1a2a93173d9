"""Questions over several pages: HotpotQA in its three forms, and 2WikiMultihopQA with its triples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from probative.bench.data.files import read_json, read_lines
from probative.bench.data.splits import MULTIHOP_FILES, multihop_rows, plain_words
from probative.types import Passage
from training.reader.dates import date_of
from training.reader.rows import Row, Triple, stands_in
from training.splits import Part, reader_part, unreported_rows

HOTPOT_PAGES = "hotpotqa/paragraph_level_sample.jsonl"


def hotpotqa(data: Path) -> Iterator[Row]:
    """Yield HotpotQA with gold sentences: the rows of the dev sample that may be trained on,
    and more rows.
    """
    for row in unreported_rows(read_json(data / MULTIHOP_FILES["hotpotqa"])):
        yield from _paged(row, "hotpotqa")
    for row in read_lines(data / "training/hotpotqa_more.jsonl"):
        yield from _paged(row, "hotpotqa")
    for row in read_lines(data / "training/hotpotqa_paragraph_gold.jsonl"):
        marks = row.get("supporting_facts_r4c") or [
            [title, number]
            for title, sentences in row["context"]
            if title in row["gold_titles"]
            for number in range(len(sentences))
        ]
        yield from _paged({**row, "supporting_facts": marks}, "hotpotqa")
    if (data / HOTPOT_PAGES).exists():
        for row in read_lines(data / HOTPOT_PAGES):
            marks = [
                [title, number]
                for title, sentences in row["context"]
                if title in row["supporting_titles"]
                for number in range(len(sentences))
            ]
            yield from _paged({**row, "supporting_facts": marks}, "hotpotqa")


def hotpotqa_gold_only(data: Path) -> Iterator[Row]:
    """Yield HotpotQA where only the gold paragraphs are known: each is a passage."""
    for row in read_lines(data / "training/hotpotqa_gold_only.jsonl"):
        if row.get("already_in_other_sets"):
            continue
        passages = tuple(Passage(text=text) for text in row["gold_paragraphs"])
        yield from _checked(row, passages, range(len(passages)), "hotpotqa_gold_only")


def two_wiki(data: Path) -> Iterator[Row]:
    """Yield 2WikiMultihopQA with the triples that its answers are made of."""
    for row in [
        *unreported_rows(read_json(data / MULTIHOP_FILES["2wikimultihopqa"])),
        *read_lines(data / "training/2wiki_train.jsonl"),
    ]:
        yield from _paged(row, "2wikimultihopqa")


def reported(data: Path) -> Iterator[Row]:
    """Yield the rows that figures are reported on: they are only measured, in a part of their own."""
    for source, file in MULTIHOP_FILES.items():
        for row in multihop_rows(read_json(data / file)):
            yield from _paged(row, source, part="report")


def _paged(row: dict[str, Any], source: str, part: Part | None = None) -> Iterator[Row]:
    marked = {(title, number) for title, number in row["supporting_facts"]}
    sentences = [
        (title, number, sentence.strip())
        for title, sentences in row["context"]
        for number, sentence in enumerate(sentences)
        if sentence.strip()
    ]
    passages = tuple(Passage(text=text, title=title) for title, _, text in sentences)
    gold = [index for index, (title, number, _) in enumerate(sentences) if (title, number) in marked]
    yield from _checked(row, passages, gold, source, part)


def _checked(
    row: dict[str, Any],
    passages: tuple[Passage, ...],
    gold: Sequence[int],
    source: str,
    part: Part | None = None,
) -> Iterator[Row]:
    """Yield the row, unless its gold does not contain the answer; a reported row is always kept."""
    answer = " ".join(str(row["answer"]).split())
    checked = Row(
        question=" ".join(row["question"].split()),
        answer=answer,
        sentences=passages,
        gold=tuple(gold),
        source=source,
        part=part or reader_part(row["question"]),
        kind=str(row.get("type", "bridge")),
        needs_all=source == "2wikimultihopqa" and "comparison" in row["type"],
        triples=tuple(_triples(row.get("evidences", ()), passages, gold)),
    )
    if part is not None or (checked.gold and stands_in(answer, checked.evidence)):
        yield checked


def _triples(
    evidences: Sequence[Sequence[str]], passages: Sequence[Passage], gold: Sequence[int]
) -> Iterator[Triple]:
    """Yield the triples with the gold sentence that states each: a sentence of its page that contains the
    object.
    """
    for head, relation, tail in evidences:
        stating = (
            index
            for index in gold
            if _same_page(head, passages[index].title or "") and says(passages[index].text, tail)
        )
        yield Triple(head, relation, tail, next(stating, -1))


def _same_page(subject: str, title: str) -> bool:
    """Return whether a page is about the subject: its title may have an addition in brackets.

    >>> _same_page("Get Low", "Get Low (song)"), _same_page("Get Low", "Get Lower")
    (True, False)
    """
    bare = re.sub(r"\s*\([^()]*\)$", "", title)
    return plain_words(subject) in (plain_words(title), plain_words(bare))


def says(text: str, value: str) -> bool:
    """Return whether a sentence contains a triple's object: a date in any spelling, a name of one word also
    with another ending ("Norway", "Norwegian"), a longer name by its last word.

    >>> says("Born on 5 October 1987.", "October 5, 1987"), says("A Norwegian sailor.", "Norway")
    (True, True)
    """
    if date_of(value) is not None:
        return date_of(text, anywhere=value) is not None
    low, words = plain_words(text), plain_words(value).split()
    if not words:
        return False
    if " ".join(words) in low:
        return True
    if len(words) == 1 and len(words[0]) > 4:
        return re.search(rf"\b{re.escape(words[0][:4])}", low) is not None
    return words[-1] in low.split()
