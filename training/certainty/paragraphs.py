"""Questions about one paragraph: SQuAD 2.0, half of whose questions have no answer there.

Every other paragraph is one passage; the others are cut into chunks of three sentences.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from probative.bench.data.files import read_json
from probative.bench.data.questions import Question
from probative.bench.data.splits import digest
from probative.text.sentences import split_sentences
from probative.types import Passage
from training.splits import reader_part

FILE = "training/squad2_half_dev.json"
NO_ANSWER = "(no answer)"
"""The gold answer of a question without one: nothing equals it."""
CHUNK = 3


def read_untouched_paragraphs(data: Path, per_paragraph: int = 1) -> list[Question]:
    """Return some questions about each paragraph of the pages that the reader was not trained on."""
    questions: list[Question] = []
    for article in read_json(data / FILE)["data"]:
        title = article.get("title", "").replace("_", " ")
        if reader_part(title) == "train":
            continue
        for paragraph in article["paragraphs"]:
            entries = sorted(paragraph["qas"], key=lambda entry: digest(entry["id"]))[:per_paragraph]
            passages = passages_of(paragraph["context"], title, whole=digest(paragraph["context"]) % 2 == 0)
            questions += [_question(entry, passages) for entry in entries]
    return sorted(questions, key=lambda question: digest(question.id))


def _question(entry: dict[str, Any], passages: tuple[Passage, ...]) -> Question:
    answers = [answer["text"] for answer in entry["answers"]]
    return Question(
        id=entry["id"],
        text=" ".join(entry["question"].split()),
        answer=min(answers, key=len, default=NO_ANSWER),
        kind="span" if answers else "none",
        passages=passages,
        gold=frozenset(),
    )


def passages_of(text: str, title: str, *, whole: bool) -> tuple[Passage, ...]:
    """Return a paragraph as one passage, or in chunks of three sentences.

    >>> len(passages_of("It rained. It blew. It snowed. It thawed.", "Weather", whole=False))
    2
    """
    if whole:
        return (Passage(text=text, title=title or None),)
    sentences = [sentence.text for sentence in split_sentences(text)]
    return tuple(
        Passage(text=" ".join(sentences[first : first + CHUNK]), title=title or None)
        for first in range(0, len(sentences), CHUNK)
    )
