"""Questions about one text (SQuAD, Natural Questions, DROP, BoolQ) and statements (FoolMeTwice,
EntailmentBank).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from probative.bench.data.files import read_json, read_lines
from probative.text.sentences import split_sentences
from probative.types import Passage
from training.reader.rows import Claim, Row, stands_in
from training.splits import reader_part

# Longer answers are explanations, not the fewest words.
MAX_WORDS = 8


def squad(data: Path) -> Iterator[Row]:
    """Yield SQuAD 1.1: every question has its answer in the paragraph."""
    yield from _squad(data / "training/squad_train_subset.json", "squad")


def squad2(data: Path) -> Iterator[Row]:
    """Yield SQuAD 2.0: half of the questions have no answer in the paragraph, though they seem
    to have one.
    """
    yield from _squad(data / "training/squad2_half_dev.json", "squad2")


def _squad(file: Path, source: str) -> Iterator[Row]:
    for article in read_json(file)["data"]:
        title = article.get("title", "").replace("_", " ")
        for paragraph in article["paragraphs"]:
            text = paragraph["context"]
            pieces = split_sentences(text)
            sentences = tuple(Passage(text=piece.text, title=title or None) for piece in pieces)
            for asked in paragraph["qas"]:
                answers = asked["answers"]
                row = Row(
                    question=" ".join(asked["question"].split()),
                    answer=None,
                    sentences=sentences,
                    gold=(),
                    source=source,
                    part=reader_part(title or text),
                    kind="span",
                    prose=True,
                )
                if asked.get("is_impossible"):
                    yield row
                elif answers:
                    best = min(answers, key=lambda answer: len(answer["text"]))
                    places = (n for n, piece in enumerate(pieces) if piece.end > best["answer_start"])
                    yield from _with_answer(row, best["text"], next(places, None))


def _with_answer(row: Row, answer: str, index: int | None) -> Iterator[Row]:
    """Yield the row with its answer, if the answer is short and the sentence contains it."""
    answer = " ".join(answer.split()).strip(" .,;")
    if index is None or len(answer.split()) > MAX_WORDS:
        return
    if stands_in(answer, (row.sentences[index],)):
        yield Row(**{**vars(row), "answer": answer, "gold": (index,)})


def natural_questions(data: Path) -> Iterator[Row]:
    """Yield Natural Questions with the gold passage."""
    for row in read_lines(data / "training/nq_gold.jsonl"):
        page = next((context for context in row["ctxs"] if context.get("isgold", True)), None)
        if page is None:
            continue
        unanswered = _of_text(row["question"], page["text"], page["title"], "nq", reader_part(page["title"]))
        yield from _first_sentence(unanswered, row["answers"])


def drop(data: Path) -> Iterator[Row]:
    """Yield DROP where the answer is a short span of the passage; sums and counts are left out."""
    for row in read_lines(data / "training/drop_dev.jsonl"):
        parts = re.fullmatch(r"Passage:\s*(.*?)\s*Question:\s*(.*?)\s*Answer:\s*", row["context"], re.DOTALL)
        answer = row["ref_text"].strip()
        if parts is None or not re.search(r"[^\W\d]{3}", answer) or len(answer.split()) > 5:
            continue
        text, question = parts.groups()
        yield from _first_sentence(_of_text(question, text, "", "drop", reader_part(text)), [answer])


def _of_text(question: str, text: str, title: str, source: str, part: Any) -> Row:
    sentences = tuple(Passage(text=piece.text, title=title or None) for piece in split_sentences(text))
    return Row(" ".join(question.split()), None, sentences, (), source, part, kind="span", prose=True)


def _first_sentence(row: Row, answers: list[str]) -> Iterator[Row]:
    """Yield the row with the first answer that a sentence contains."""
    for answer in answers:
        for index, sentence in enumerate(row.sentences):
            if len(answer.split()) <= MAX_WORDS and stands_in(answer, (Passage(text=sentence.text),)):
                yield Row(**{**vars(row), "answer": " ".join(answer.split()), "gold": (index,)})
                return


def boolq(data: Path) -> Iterator[Row]:
    """Yield BoolQ: yes or no by the passage. The deciding sentence is unknown: all are evidence."""
    for row in read_lines(data / "training/boolq.jsonl"):
        if row.get("label") is None:
            continue
        title, mark, text = row["passage"].partition(" -- ")
        if not mark:
            title, text = "", row["passage"]
        found = _of_text(row["question"], text, title, "boolq", reader_part(title or text))
        everything = tuple(range(len(found.sentences)))
        answer = "yes" if row["label"] else "no"
        question = found.question[0].upper() + found.question[1:] + "?"
        changed = {"question": question, "answer": answer, "gold": everything, "kind": "yes-no"}
        yield Row(**{**vars(found), **changed})


def fool_me_twice(data: Path) -> Iterator[Claim]:
    """Yield claims that their gold sentences prove or refute."""
    for row in read_lines(data / "training/fool_me_twice.jsonl"):
        if row["gold_evidence"] and row["label"] in ("SUPPORTS", "REFUTES"):
            yield Claim(" ".join(row["text"].split()), "fool_me_twice", reader_part(row["wikipedia_page"]))


def entailmentbank(data: Path) -> Iterator[Claim]:
    """Yield statements of school science that follow from a few sentences."""
    for row in read_lines(data / "training/entailmentbank_task2.jsonl"):
        if row["gold"]:
            yield Claim(row["hypothesis"], "entailmentbank", reader_part(row["question"]))
