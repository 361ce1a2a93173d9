"""The questions that the certainty is fitted on: of many kinds, like those of users, and untouched.

Nothing was trained on them, and no figure is reported on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from probative.bench.data.own import read_computed
from probative.bench.data.questions import Question
from probative.bench.data.splits import digest
from training.certainty.documents import document_questions
from training.certainty.paragraphs import NO_ANSWER, read_untouched_paragraphs
from training.large.documents import read_documents
from training.large.report import passages_in
from training.splits import read_untouched

REMOVED = "-removed"
# Questions of SQuAD 2.0 about each paragraph. The others are judged by the teacher alone.
PER_PARAGRAPH = 4
MORE = "squad2-more"
COMPUTED = Path(__file__).with_name("computed.jsonl")
# How many questions of each set are collected.
SETS = {
    "hotpotqa": 250,
    "2wikimultihopqa": 250,
    "hotpotqa-removed": 230,
    "2wikimultihopqa-removed": 110,
    "squad2": 340,
    MORE: 500,
    "documents": 300,
    "chunks": 300,
    "computed": 140,
    "bundles": 300,
}


def read_set(data: Path, name: str, n: int) -> list[Question]:
    """Return the first n questions of a set, in an order that depends on nothing but the questions."""
    makers: dict[str, Callable[[], list[Question]]] = {
        "squad2": lambda: read_untouched_paragraphs(data, PER_PARAGRAPH),
        MORE: lambda: more_paragraphs(data),
        "documents": lambda: document_questions("documents"),
        "chunks": lambda: document_questions("chunks"),
        "computed": computed_questions,
        "bundles": bundle_questions,
    }
    if name in makers:
        questions = makers[name]()
    elif name.endswith(REMOVED):
        # From the other end of the order; where few are left, questions stand in both sets.
        questions = [without_gold(question) for question in read_untouched(data, name.removesuffix(REMOVED))]
        questions = sorted(questions, key=lambda question: digest(question.id))
        return questions[-n:]
    else:
        questions = read_untouched(data, name)
    return sorted(questions, key=lambda question: digest(question.id))[:n]


def more_paragraphs(data: Path) -> list[Question]:
    """Return the other questions about the paragraphs of SQuAD 2.0."""
    first = {question.id for question in read_untouched_paragraphs(data, PER_PARAGRAPH)}
    return [question for question in read_untouched_paragraphs(data, 100) if question.id not in first]


def computed_questions() -> list[Question]:
    """Return the questions whose answers are computed, most of them hostile."""
    return [
        Question(
            entry.id,
            entry.question,
            entry.accept[0] if entry.accept else NO_ANSWER,
            entry.form,
            entry.passages,
            frozenset(),
        )
        for entry in read_computed(COMPUTED)
    ]


def bundle_questions() -> list[Question]:
    """Return the questions over bundles of four documents of our own that were only measured."""
    return [
        Question(
            id=f"{bundle['bundle']}-{number}",
            text=entry["q"],
            answer=entry["answer"] or NO_ANSWER,
            kind=entry["kind"],
            passages=tuple(passages_in(bundle)),
            gold=frozenset(),
            also=tuple(entry["accept"]),
        )
        for bundle in read_documents("tune")
        for number, entry in enumerate(bundle["questions"])
    ]


def without_gold(question: Question) -> Question:
    """Return a question without the passages of one page that it needs: what remains does not answer it.

    >>> from probative import Passage
    >>> passages = tuple(Passage(text="It burned.", title=title) for title in ("Pier", "Quay", "Mole"))
    >>> asked = Question("1", "What burned?", "Pier", "bridge", passages, frozenset({0, 2}))
    >>> [passage.title for passage in without_gold(asked).passages]
    ['Pier', 'Quay']
    """
    titles = sorted({question.passages[index].title or "" for index in question.gold})
    holding = [
        title
        for title in titles
        if any(
            question.answer.lower() in question.passages[index].text.lower()
            for index in question.gold
            if question.passages[index].title == title
        )
    ]
    left_out = min(holding or titles, key=lambda title: digest(question.id + title))
    passages = tuple(passage for passage in question.passages if passage.title != left_out)
    return replace(question, answer=NO_ANSWER, kind="none", passages=passages, gold=frozenset())
