"""One look-up of a plan: the passages that may answer it, one reading of them, the value, its sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from probative.engine.search import Search
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.finding import Reading
from probative.scope.plan import read_amount, read_date
from probative.scope.question import read_question
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, passage_sentences, rows_with
from probative.text import english
from probative.text.dates import agree
from probative.text.plan import Step
from probative.text.words import nearest, words

# Passages that are read for one value: a small reader reads few of them better than many.
MAX_PASSAGES = 3
_NAMES = re.compile(r"[^\W\d_a-zà-öø-ÿ]\S*|\d+")


@dataclass(frozen=True)
class StepValue:
    """The value of a look-up as its sentence writes it, this sentence, and the reader's probability of it."""

    text: str
    sentence: PassageSentence
    probability: float | None = None


def look_up(run: Run, step: Step, *, number: bool) -> Search[StepValue | None]:
    """Read the passages about a step and return what they say; None if no sentence states an answer.

    With `number`, only a date or an amount is a value.
    """
    indexes = passages_about(run, step)
    if not indexes:  # or the question has no words
        return None
    options = run.options.model_copy(update={"answer_anyway": False})
    asked = replace(run, question=read_question(step.ask), options=options, excerpts={})
    reading = yield from make_answer(asked, Evidence(indexes))
    sentences = passage_sentences(run, indexes)
    for text, probability in _candidates(reading):
        value = _stated(asked, step, text, sentences, number=number)
        if value is not None:
            return replace(value, probability=probability)
    return None


def passages_about(run: Run, step: Step) -> list[int]:
    """Return the passages that share most words with the question of a step, of those that name its thing: by
    all of its words, or else by those with a capital.
    """
    judged = run.pool.judged
    content = [set(words(passage.whole)) for passage in run.pool.at(judged)]
    asked = words(step.ask or "")
    rows = [row for row, found in enumerate(content) if found & set(asked)]
    thing, names = set(words(step.of or "")), set(words(" ".join(_NAMES.findall(step.of or ""))))
    # The question of a later step names what an earlier one found, and no longer the thing.
    if thing and thing <= set(asked):
        named = [row for row in rows if thing <= content[row]]
        rows = named or [row for row in rows if names and names <= content[row]]
    texts = [run.pool.passages[judged[row]].whole for row in rows]
    return [judged[rows[row]] for row in nearest(asked, texts, MAX_PASSAGES)]


def _candidates(reading: Reading) -> Iterator[tuple[str, float | None]]:
    """Yield the answer of a reading and then its other candidates, with their probabilities; nothing if the
    reader found none.
    """
    answer = reading.answer.text
    if answer is not None:
        probabilities: dict[str, float] = {other.text: other.probability for other in reading.candidates}
        yield answer, probabilities.pop(answer, None)
        yield from probabilities.items()


def _stated(
    asked: Run, step: Step, text: str, sentences: Sequence[PassageSentence], *, number: bool
) -> StepValue | None:
    """Return a text as the value of the sentence that has it and most words of the question; None if it is
    stated nowhere, or is no date or amount where one is needed.
    """
    if number and read_date(text) is None and read_amount(text) is None:
        return None
    rows = rows_with(asked, text, sentences, prose=False)
    if not rows:
        return None
    wanted = {*asked.question.words, *words(step.of or "")}
    best = max(rows, key=lambda row: (len(wanted & set(words(sentences[row].whole))), -row))
    return StepValue(_as_written(text, sentences[best].text) if number else text, sentences[best])


def _as_written(text: str, sentence: str) -> str:
    """Return a date or an amount as its sentence writes it: with its unit, or with the day.

    >>> _as_written("1,912", "It is 1,912 metres high."), _as_written("1900", "Born on 5 May 1900.")
    ('1,912 metres', '5 May 1900')
    """
    date, amount = read_date(text), read_amount(text)
    if date is not None:
        spans = [span for span in english.date_spans(sentence) if agree(span[2], date)]
        if spans:
            start, end, _ = max(spans, key=lambda span: sum(part != 0 for part in span[2]))
            return sentence[start:end]
    if amount is None or amount.unit:
        return text
    same = [span for span in english.quantities_in(sentence) if span.quantity.low == amount.low]
    return same[0].text if len(same) == 1 and same[0].quantity.unit else text
