"""Answer questions with `ask` over all distractors, and record the signals of each answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import probative
from probative.bench.data.questions import Question
from probative.bench.metrics import is_right
from probative.bench.rows import Row
from probative.errors import InputError
from probative.scope.checks import Signals, first_failed
from probative.scope.conclude.certainty import CertaintyModels
from probative.scope.conclude.verdict import model_checks
from probative.scope.result import Answer
from probative.scope.run import Size
from probative.settings import Settings
from training.certainty.paragraphs import NO_ANSWER
from training.row_files import append_rows, read_rows

# The checks that rest on what the models say about an answer.
BY_MODELS = ("entailed", "certain")
# What identifies a row.
KEY = ("set", "id")
# Returns whether an answer to a question is right.
Grader = Callable[[Question, str], bool]


def is_gold(question: Question, answer: str) -> bool:
    """Return whether an answer has an F1 of at least 0.6 with the gold one, or one contains the other; no
    answer is right if there is none.
    """
    return question.answer != NO_ANSWER and is_right(answer, question.answer)


def collect(
    questions: Sequence[Question],
    set_name: str,
    out: Path | None,
    grade: Grader = is_gold,
    settings: Settings | None = None,
) -> list[Row]:
    """Answer the questions that `out` does not have yet, and return all rows of the set."""
    settings = settings or probative.load_settings({"cache": False})
    done = {row["id"]: row for row in _recorded(out) if row["set"] == set_name}
    rows = [done[question.id] for question in questions if question.id in done]
    waiting = [question for question in questions if question.id not in done]
    with probative.Session(settings=settings) as session:
        for number, question in enumerate(waiting, 1):
            row = {"set": set_name, **_row(session, question, grade)}
            append_rows(out, [row])
            rows.append(row)
            if number % 10 == 0 or number == len(waiting):
                print(f"{set_name}: {len(rows)} of {len(questions)}", file=sys.stderr, flush=True)
    return rows


def _recorded(out: Path | None) -> list[Row]:
    return read_rows([out], KEY) if out is not None and out.exists() else []


def _row(session: probative.Session, question: Question, grade: Grader) -> Row:
    asked = {"id": question.id, "question": question.text, "gold": question.answer}
    try:
        answer = session.ask(question.text, question.passages, answer_anyway=True)
    except InputError as error:
        refused = {"answer": None, "right": False, "verdict": None, "reason": str(error)}
        return {**asked, **refused, "eligible": False, "computed": False, "chain": [], "signals": None}
    return {
        **asked,
        "answer": answer.answer,
        "right": grade(question, answer.answer or ""),
        "verdict": answer.verdict.value,
        "reason": answer.reason,
        "eligible": is_eligible(answer),
        "computed": bool(answer.signals is not None and answer.signals.computed),
        "chain": [passage.index for passage in answer.chain],
        "signals": None if answer.signals is None else answer.signals.to_dict(),
    }


def is_eligible(answer: Answer) -> bool:
    """Return whether an answer passes all checks but those of the models, which follow from its signals."""
    return all(check.passed or check.name in BY_MODELS for check in answer.checks)


def read_answers(files: Sequence[Path]) -> list[Row]:
    """Return the rows that have signals, each with those that `ask` collects."""
    return [as_asked(row) for row in read_rows(files, KEY) if row["signals"] is not None]


def as_asked(row: Row) -> Row:
    """Return a row without the signals that `ask` does not collect: earlier ones and, for a chain of one
    passage, that of other candidates.

    >>> as_asked({"signals": {"hops": 2.0, "margin": 0.1, "other_entailed": 0.2}})
    {'signals': {'hops': 2.0, 'other_entailed': 0.2}}
    """
    asked = Signals.model_fields.keys() - (() if is_chain_of_several(row) else {"other_entailed"})
    return {**row, "signals": {name: value for name, value in row["signals"].items() if name in asked}}


def is_chain_of_several(row: Row) -> bool:
    """Return whether the answer of a row rests on several passages."""
    return (row["signals"].get("hops") or 1.0) > 1.0


def is_supported(row: Row, models: CertaintyModels, size: Size = "small") -> bool:
    """Return whether an answer of the reader of a size is supported with the weights of some models."""
    if not row["eligible"]:
        return False
    signals = Signals.from_dict(row["signals"])
    return first_failed(model_checks(models.model_for(signals, size), signals)) is None


def is_probable(row: Row, models: CertaintyModels, size: Size = "small") -> bool:
    """Return whether an answer that is not supported is probable with the weights of some models."""
    signals = Signals.from_dict(row["signals"])
    model = models.model_for(signals, size)
    return model.is_probable(model.certainty(signals))
