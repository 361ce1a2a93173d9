"""Questions over several pages: HotpotQA in its three forms, and 2WikiMultihopQA with its triples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from probative.bench.data.files import read_json, read_lines
from probative.bench.splits import (
    MULTIHOP_FILES,
    Part,
    multihop_rows,
    plain_words,
    reader_part,
    unreported_rows,
)
from probative.text.english.dates import date_of
from probative.types import Passage
from training.reader.rows import Row, Triple, stands_in

HOTPOT_PAGES = "hotpotqa/paragraph_level_sample.jsonl"


def hotpotqa(data: Path) -> Iterator[Row]:
    """HotpotQA with gold sentences: what may be trained on of the dev sample, and the further rows."""
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
    """HotpotQA where only the gold paragraphs are known: each is a passage."""
    for row in read_lines(data / "training/hotpotqa_gold_only.jsonl"):
        if row.get("already_in_other_sets"):
            continue
        passages = tuple(Passage(text=text) for text in row["gold_paragraphs"])
        yield from _checked(row, passages, range(len(passages)), "hotpotqa_gold_only")


def two_wiki(data: Path) -> Iterator[Row]:
    """2WikiMultihopQA with the triples that make up its answers."""
    for row in [
        *unreported_rows(read_json(data / MULTIHOP_FILES["2wikimultihopqa"])),
        *read_lines(data / "training/2wiki_train.jsonl"),
    ]:
        yield from _paged(row, "2wikimultihopqa")


def reported(data: Path) -> Iterator[Row]:
    """The rows that figures are reported on: only ever measured, in a part of their own."""
    for source, file in MULTIHOP_FILES.items():
        for row in multihop_rows(read_json(data / file)):
            yield from _paged(row, source, part="report")


def _paged(row: dict[str, Any], source: str, part: Part | None = None) -> Iterator[Row]:
    marked = {(title, number) for title, number in row["supporting_facts"]}
    placed = [
        (title, number, sentence.strip())
        for title, sentences in row["context"]
        for number, sentence in enumerate(sentences)
        if sentence.strip()
    ]
    passages = tuple(Passage(text=text, title=title) for title, _, text in placed)
    gold = [place for place, (title, number, _) in enumerate(placed) if (title, number) in marked]
    yield from _checked(row, passages, gold, source, part)


def _checked(
    row: dict[str, Any],
    passages: tuple[Passage, ...],
    gold: Sequence[int],
    source: str,
    part: Part | None = None,
) -> Iterator[Row]:
    """The row, unless its answer cannot be derived from its gold; a reported row is kept as it is."""
    answer = " ".join(str(row["answer"]).split())
    found = Row(
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
    if part is not None or (found.gold and stands_in(answer, found.evidence)):
        yield found


def _triples(
    evidences: Sequence[Sequence[str]], passages: Sequence[Passage], gold: Sequence[int]
) -> Iterator[Triple]:
    """The triples with the gold sentence that states each: one of its page that holds the object."""
    for head, relation, tail in evidences:
        stating = (
            place
            for place in gold
            if _same_page(head, passages[place].title or "") and says(passages[place].text, tail)
        )
        yield Triple(head, relation, tail, next(stating, -1))


def _same_page(subject: str, title: str) -> bool:
    """Whether a page is the subject's: its title may have more in brackets behind the name.

    >>> _same_page("Get Low", "Get Low (song)"), _same_page("Get Low", "Get Lower")
    (True, False)
    """
    bare = re.sub(r"\s*\([^()]*\)$", "", title)
    return plain_words(subject) in (plain_words(title), plain_words(bare))


def says(text: str, value: str) -> bool:
    """Whether a sentence holds a triple's object: a date in any spelling, a name of one word also with
    another ending ("Norway", "Norwegian"), a longer one by its last word.

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
