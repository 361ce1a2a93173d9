"""Questions that need several values: the plan, a reading for each look-up, and the answer that is computed.

The plan is written by a model that can write plans, otherwise made by rules. For each look-up, the passages
that may answer it are read once; its value needs a sentence that states it. Code does the arithmetic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from probative.engine.search import Search, generate_or_empty, side_by_side
from probative.errors import EmptyError, ModelError
from probative.models.contract import Capability
from probative.models.task_prompts import task_request
from probative.models.types import Request
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.finding import Reading
from probative.scope.plan import read_amount, read_date, run_plan
from probative.scope.question import Question, read_question
from probative.scope.result import ComputedValue
from probative.scope.run import Run, fill_prompt
from probative.scope.sentences import PassageSentence, passage_sentences, rows_with
from probative.text import english
from probative.text.dates import agree
from probative.text.plan import Plan, Step
from probative.text.words import nearest, words

PLAN_TOKENS = 220
# Passages that are read for one value: a small reader reads few of them better than many.
MAX_PASSAGES = 3
_NAMES = re.compile(r"[^\W\d_a-zà-öø-ÿ]\S*|\d+")
_OF_NUMBERS = ("latest", "sum", "average", "product", "difference", "share")


def find_plan(run: Run) -> Search[Plan | None]:
    """Return the plan of the question; None if a single look-up answers it, or the options want no plan.

    A reply of the model that is no plan is noted, and the rules make one.
    """
    options = run.options
    if not (options.compare or options.parts):
        return None
    plan = english.decompose(run.question.text)
    if options.compare and options.planning == "model":
        plan = yield from _written_plan(run, plan)
    if plan is None or len(plan.steps) == 1:
        return None
    return plan if (options.parts if plan.parts else options.compare) else None


def _written_plan(run: Run, by_rules: Plan | None) -> Search[Plan | None]:
    """Return the plan that the model writes, or the one made by rules if it writes none or a single look-up.

    Of 290 questions that need several steps, the large model gives 90 a single one; of 216 that need one, it
    gives 3 several (`training/large/study/final.npz`).
    """
    model = run.tools.model
    if Capability.GENERATE not in model.capabilities:
        return by_rules
    if model.reader:
        request = task_request("plan", run.question.text, max_tokens=PLAN_TOKENS)
    else:
        request = Request.user(fill_prompt("plan", question=run.question.text), max_tokens=PLAN_TOKENS)
    (reply,) = yield from generate_or_empty([request], step="plan")
    if isinstance(reply, EmptyError):
        return by_rules
    try:
        written = Plan.read(reply.text)
        return _as_asked(run.question, written, by_rules) if len(written.steps) > 1 else by_rules
    except ModelError as error:
        run.note(f"planned by rules: {error.what}")
        return by_rules


def _as_asked(question: Question, written: Plan, by_rules: Plan | None) -> Plan:
    """Return a written plan whose last step replies as the question asks: of one for yes or no, whether the
    first thing is more; of a difference, which of the same two things the question says is the larger.
    """
    last = written.steps[-1]
    asked = None if by_rules is None else by_rules.steps[-1].by
    if last.do == "compare" and question.kind == "yes-no":
        by = asked if asked in ("same", "different") else last.by
        last = last.model_copy(update={"reply": "whether", "by": by})
    elif by_rules is not None and last.do == by_rules.steps[-1].do == "difference":
        things = [[words(step.of or "") for step in plan.look_ups] for plan in (written, by_rules)]
        last = last.model_copy(update={"by": asked if things[0] == things[1] else None})
    return Plan(steps=(*written.steps[:-1], last))


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


Found = list[StepValue | None]


@dataclass(frozen=True)
class ComputedAnswer:
    """The computed answer, the values that it rests on, and the computation ("1,912 m > 1,740 m").

    Without an answer, `missing` names each value that no passage gives ("height: Mount Ode"), or `reason`
    says why the values cannot be computed with. The indexes of the values are those of the pool.
    """

    answer: str | None
    reason: str
    values: tuple[ComputedValue, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def citations(self) -> tuple[int, ...]:
        """The passages that give the values, each once."""
        return tuple(dict.fromkeys(value.index for value in self.values if value.index is not None))


def compute_answer(run: Run, plan: Plan) -> Search[ComputedAnswer]:
    """Run a plan and return what it gives, or which values are missing."""
    numbers = _steps_of_numbers(plan)
    running = run_plan(plan)
    shown: list[ComputedValue] = []
    found: list[str | None] | None = None
    while True:
        try:
            asked = running.send(found)  # type: ignore[arg-type]  # None starts a generator
        except StopIteration as finished:
            result = finished.value
            break
        values = yield from side_by_side(
            look_up(run, step, number=number in numbers) for number, step in asked.items()
        )
        values = _without_borrowed(list(asked.values()), values)
        shown += map(_shown, asked.values(), values)
        found = [None if value is None else value.text for value in values]
    missing = tuple(f"{value.attribute}: {value.name}" for value in shown if value.value is None)
    reason = f"no passage gives {'; '.join(missing)}" if missing else result.rule
    return ComputedAnswer(None if missing else result.answer, reason, tuple(shown), missing)


def _steps_of_numbers(plan: Plan) -> set[int]:
    """Return the numbers of the look-ups whose results must be dates or amounts."""
    return {
        number
        for step in plan.steps
        if step.do in _OF_NUMBERS or (step.do == "compare" and step.by not in ("same", "different"))
        for number in step.steps
        if plan.steps[number - 1].do == "look_up"
    }


def _without_borrowed(asked: Sequence[Step], values: Sequence[StepValue | None]) -> Found:
    """Return the values without those that belong to another thing: the same words of the same sentence,
    which does not name the thing.
    """
    kept: Found = list(values)
    for row, (step, value) in enumerate(zip(asked, values, strict=True)):
        others = [other for at, other in enumerate(asked) if at != row and values[at] == value]
        if value is not None and any(other.of != step.of for other in others):
            named = set(words(value.sentence.whole))
            if not set(words(step.of or "")) <= named:
                kept[row] = None
    return kept


def _shown(step: Step, value: StepValue | None) -> ComputedValue:
    """Return a value as a result shows it: whose it is, its sentence, and the question that asks for it."""
    attribute = step.name or english.parse_question(step.ask or "").intent or "value"
    name = step.of or step.ask or ""
    if value is None:
        return ComputedValue(name=name, attribute=attribute)
    return ComputedValue(
        name=name,
        attribute=attribute,
        value=value.text,
        index=value.sentence.index,
        sentence=value.sentence.text,
        question=step.ask,
        probability=value.probability,
    )
