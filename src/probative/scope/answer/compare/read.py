"""One value for each subject: by rule where a sentence gives it beyond doubt, otherwise by the model."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search
from probative.scope.answer.compare.ask import AttributeQuestion, ask_each
from probative.scope.answer.compare.resolve import Subject
from probative.scope.answer.compare.sentence_value import SentenceValue
from probative.scope.answer.compare.values import (
    Asked,
    disputed_values,
    may_have_value,
    value_by_last_rule,
    value_by_rule,
    value_of_reply,
)
from probative.scope.run import Run
from probative.text import english
from probative.text.analysis import Attribute


def read_values(
    run: Run, attribute: Attribute, subjects: Sequence[Subject]
) -> Search[list[SentenceValue | None]]:
    """Return the value of an attribute for each subject; None where the chain does not give it.

    A value that the model names counts only if a sentence about the subject gives it too.
    """
    asked = Asked(attribute, english.stems_of(run.question.text))
    values = [value_by_rule(asked, subject.sentences) for subject in subjects]
    disputed = [disputed_values(asked, subject.sentences) for subject in subjects]
    for index, pair in enumerate(disputed):
        if pair is not None:
            values[index] = None
            shown = f"{pair[0].shown} and {pair[1].shown}"
            run.note(
                f"the passages give different values for {attribute.name}: {subjects[index].name}: {shown}"
            )
    unread = [
        index
        for index, value in enumerate(values)
        if value is None and disputed[index] is None and may_have_value(asked, subjects[index].sentences)
    ]
    questions = [
        AttributeQuestion(attribute.ask(subjects[index].name), subjects[index].sentences) for index in unread
    ]
    replies = yield from ask_each(run, questions)
    for index, reply in zip(unread, replies, strict=True):
        if reply is not None:
            values[index] = value_of_reply(asked, reply, subjects[index].sentences)
        if values[index] is None:
            values[index] = value_by_last_rule(asked, subjects[index].sentences)
    return values
