"""Questions about one text (SQuAD, Natural Questions, DROP, BoolQ) and statements with their evidence
(FoolMeTwice, EntailmentBank).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from probative.bench.data.files import read_json, read_lines
from probative.bench.splits import reader_part
from probative.text.sentences import split_sentences
from probative.text.words import words
from probative.types import Passage
from training.reader.rows import Claim, Row, stands_in

# Longer answers are explanations, not the fewest words.
MOST_WORDS = 8


def squad(data: Path) -> Iterator[Row]:
    """SQuAD 1.1: every question has its answer in the paragraph."""
    yield from _squad(data / "training/squad_train_subset.json", "squad")


def squad2(data: Path) -> Iterator[Row]:
    """SQuAD 2.0: half of the questions have no answer in the paragraph, though it looks as if."""
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
                    best = min(answers, key=lambda one: len(one["text"]))
                    places = (n for n, piece in enumerate(pieces) if piece.end > best["answer_start"])
                    yield from _spoken(row, best["text"], next(places, None))


def _spoken(row: Row, answer: str, place: int | None) -> Iterator[Row]:
    """The row with its answer, if that is short and stands in the sentence it is said to stand in."""
    answer = " ".join(answer.split()).strip(" .,;")
    if place is not None and len(answer.split()) <= MOST_WORDS and stands_in(answer, (row.sentences[place],)):
        yield Row(**{**vars(row), "answer": answer, "gold": (place,)})


def natural_questions(data: Path) -> Iterator[Row]:
    """Natural Questions with the gold passage."""
    for row in read_lines(data / "training/nq_gold.jsonl"):
        page = next((one for one in row["ctxs"] if one.get("isgold", True)), None)
        if page is None:
            continue
        found = _of_text(row["question"], page["text"], page["title"], "nq", reader_part(page["title"]))
        yield from _first_place(found, row["answers"])


def drop(data: Path) -> Iterator[Row]:
    """DROP, where the answer is a short span of the passage: sums and counts are left out."""
    for row in read_lines(data / "training/drop_dev.jsonl"):
        parts = re.fullmatch(r"Passage:\s*(.*?)\s*Question:\s*(.*?)\s*Answer:\s*", row["context"], re.DOTALL)
        answer = row["ref_text"].strip()
        if parts is None or not re.search(r"[^\W\d]{3}", answer) or len(answer.split()) > 5:
            continue
        text, question = parts.groups()
        yield from _first_place(_of_text(question, text, "", "drop", reader_part(text)), [answer])


def _of_text(question: str, text: str, title: str, source: str, part: Any) -> Row:
    sentences = tuple(Passage(text=piece.text, title=title or None) for piece in split_sentences(text))
    return Row(" ".join(question.split()), None, sentences, (), source, part, kind="span", prose=True)


def _first_place(row: Row, answers: list[str]) -> Iterator[Row]:
    """The row with the first of the answers that a sentence holds."""
    for answer in answers:
        for place, sentence in enumerate(row.sentences):
            if len(answer.split()) <= MOST_WORDS and stands_in(answer, (Passage(text=sentence.text),)):
                yield Row(**{**vars(row), "answer": " ".join(answer.split()), "gold": (place,)})
                return


def boolq(data: Path) -> Iterator[Row]:
    """BoolQ: yes or no by the passage. Which sentence decides is not known: all are evidence."""
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
    """Claims that their gold sentences bear out, or refute."""
    for row in read_lines(data / "training/fool_me_twice.jsonl"):
        page = row["wikipedia_page"]
        evidence = tuple(Passage(text=one["text"].strip(), title=page) for one in row["gold_evidence"])
        if evidence and row["label"] in ("SUPPORTS", "REFUTES"):
            label = "yes" if row["label"] == "SUPPORTS" else "no"
            text = " ".join(row["text"].split())
            beside = tuple(_beside(text, page, row["retrieved_evidence"]))
            yield Claim(text, label, evidence, page, "fool_me_twice", reader_part(page), beside)


def _beside(claim: str, page: str, found: list[dict[str, str]]) -> Iterator[Passage]:
    """Sentences of the page from which nothing follows for a claim: they share no word with it."""
    asked = set(words(claim)) - set(words(page))
    for one in found:
        if not asked & set(words(one["text"])) and len(one["text"].split()) > 5:
            yield Passage(text=one["text"].strip(), title=page)


def entailmentbank(data: Path) -> Iterator[Claim]:
    """Statements of school science that follow from a few sentences."""
    for row in read_lines(data / "training/entailmentbank_task2.jsonl"):
        evidence = tuple(Passage(text=row["sentences"][place]) for place in row["gold"])
        if evidence:
            yield Claim(
                row["hypothesis"],
                "yes",
                evidence,
                row["question"],
                "entailmentbank",
                reader_part(row["question"]),
            )
