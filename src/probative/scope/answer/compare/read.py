"""One value for each subject: by rule where a sentence gives it beyond doubt, otherwise by the model."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search
from probative.scope.answer.compare.ask import AttributeQuestion, ask_each
from probative.scope.answer.compare.resolve import Subject
from probative.scope.answer.compare.values import (
    SentenceValue,
    may_have_value,
    value_by_last_rule,
    value_by_rule,
    value_of_reply,
)
from probative.scope.run import Run
from probative.text.decomposition import Attribute


def read_values(
    run: Run, attribute: Attribute, subjects: Sequence[Subject]
) -> Search[list[SentenceValue | None]]:
    """Return the value of an attribute for each subject; None where the chain does not give it.

    A value that the model names counts only if a sentence about the subject gives it too.
    """
    values = [value_by_rule(attribute, subject.sentences, run.analyzer) for subject in subjects]
    open_ones = [
        index
        for index, value in enumerate(values)
        if value is None and may_have_value(attribute, subjects[index].sentences, run.analyzer)
    ]
    questions = [
        AttributeQuestion(attribute.ask(subjects[index].name), subjects[index].sentences)
        for index in open_ones
    ]
    replies = yield from ask_each(run, questions)
    for index, reply in zip(open_ones, replies, strict=True):
        if reply is not None:
            values[index] = value_of_reply(attribute, reply, subjects[index].sentences, run.analyzer)
        if values[index] is None:
            values[index] = value_by_last_rule(attribute, subjects[index].sentences, run.analyzer)
    return values
