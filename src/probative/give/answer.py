"""Progressive answer generation (section 3.5, equations 7 to 9): with affirmative knowledge, then with
counterfactual, then with expert knowledge added.

y_a = LLM(x, R_a)    y_ac = LLM(x, R_a, y_a, R_c)    y_ace = LLM(x, R_a, y_a, R_c, y_ac, R_e)
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import NamedTuple

from probative.engine.search import Search, generate, score, try_choose
from probative.errors import InputError
from probative.give.extrapolate import read_polarity
from probative.give.knowledge import format_triples
from probative.give.options import AnswerOptions, Shape
from probative.give.query import YES_NO, Form, Query, letter
from probative.give.question_words import asks_yes_or_no
from probative.give.result import Example, Knowledge
from probative.give.run import Run
from probative.models.contract import Capability
from probative.models.types import Pair, Request, Selection
from probative.text.prompts import fenced, fill, read_prompt
from probative.text.words import clean, words

ANSWER_TOKENS: dict[Form, int] = {"yes-no": 24, "choice": 48, "text": 128}
_TASK: dict[Form, str] = {
    "yes-no": "Answer the question with yes, no or maybe. Write that one word first.",
    "choice": "Answer the question with one of its choices. Write the choice's letter first.",
    "text": "Answer the question in a few words.",
}
HEADINGS = ("What seems to hold", "What seems not to hold", "What an expert knowledge graph says")
SO_FAR = "Answer so far"
# Two or three sentences.
LOGIC_TOKENS = 256
_LOGIC = re.compile(r"(logic chain\s*:)", re.IGNORECASE)
_TERM = re.compile(r"[^\W_]+")
_ANSWER_LEAD = re.compile(
    r"(?i)^(?:the |my |final |correct |right |best )*(?:answer|choice|option)?\s*(?:is|:|=)?\s*"
)


NO_CHOICE = "the model can neither choose nor score, so it wrote its answers (answering=chosen)"


class Section(NamedTuple):
    """A part of the prompt before the answer: a heading and a text."""

    heading: str
    text: str


class StagedAnswer(NamedTuple):
    """An answer, None if the reply could not be read, the reply itself, the share of the answer in the
    probabilities of all, if the model chose it, and the logic chain that the model wrote with it.
    """

    answer: str | None
    raw: str
    probability: float | None = None
    logic_chain: str | None = None


def answer(
    run: Run[AnswerOptions],
    sections: Sequence[Section],
    examples: Sequence[Example],
    *,
    step: str,
    shape: Shape = "triples",
    logic_chain: bool = False,
    stage: int = 0,
) -> Search[StagedAnswer]:
    """Answer the query after the sections, with a logic chain if it is wanted; the examples show as many sets
    as `stage` says, or their knowledge as one. The answer is None, with a note that quotes the reply, if the
    reply contains none of the possible answers.
    """
    query, capabilities = run.query, run.tools.model.capabilities
    if run.options.answering == "chosen" and query.options:
        if query.form == "choice" and Capability.SCORE in capabilities:
            return (yield from _most_expected(query, sections, step))
        if query.form == "yes-no":
            prompt_of = partial(answer_prompt, examples=examples, shape=shape, stage=stage)
            raised = yield from _most_raised(run, sections, prompt_of, step)
            if raised is not None:
                return raised
        if NO_CHOICE not in run.notes:
            run.note(NO_CHOICE)
    prompt = answer_prompt(query, sections, examples, shape, logic_chain=logic_chain, stage=stage)
    max_tokens = ANSWER_TOKENS[query.form] + (LOGIC_TOKENS if logic_chain else 0)
    request = Request.user(prompt, max_tokens=max_tokens)
    (reply,) = yield from generate([request], step=step)
    text, logic = split_logic(reply.text) if logic_chain else (reply.text, None)
    read = read_reply(text, query)
    if read is None:
        expected = {"choice": "the choices", "text": "the graph's names"}.get(query.form, "yes, no or maybe")
        run.note(f"{step}: the model wrote none of {expected}: {fenced(clean(reply.text))[:80]!r}")
    return StagedAnswer(read, reply.text, logic_chain=logic)


def split_logic(reply: str) -> tuple[str, str | None]:
    r"""Return the answer and the logic chain of a reply; a chain before the answer is only cut off.

    >>> split_logic("Answer: yes\nLogic chain: It floats.")
    ('Answer: yes', 'It floats.')
    >>> split_logic("yes")
    ('yes', None)
    """
    text, label, logic = _LOGIC.split(reply, maxsplit=1) if _LOGIC.search(reply) else (reply, "", "")
    if label and not text.strip():  # the chain came first: the answer is its last line
        logic, _, text = logic.rstrip().rpartition("\n")
    return text.strip(), " ".join(logic.split()) or None


def _most_raised(
    run: Run[AnswerOptions],
    sections: Sequence[Section],
    prompt_of: Callable[[Query, Sequence[Section]], str],
    step: str,
) -> Search[StagedAnswer | None]:
    """Return yes, no or maybe: the one whose probability the question and the knowledge raise most, compared
    with the same prompt in which both are blank. Without this, a small model gives every question the same
    answer. Return None if the model cannot choose.
    """
    query = run.query
    blank = replace(query, text="…")
    blank_sections = [Section(section.heading, "…") for section in sections]
    selections = [
        Selection(request=Request.user(prompt), options=query.options)
        for prompt in (prompt_of(query, sections), prompt_of(blank, blank_sections))
    ]
    choices = yield from try_choose(run.tools.model, selections, step=step)
    if choices is None:
        return None
    informed, uninformed = choices
    raised = [
        after / max(before, 1e-9)
        for after, before in zip(informed.probabilities, uninformed.probabilities, strict=True)
    ]
    best = query.options[raised.index(max(raised))]
    return StagedAnswer(best, best, max(raised) / sum(raised))


def _most_expected(query: Query, sections: Sequence[Section], step: str) -> Search[StagedAnswer]:
    """Return the choice whose log probability the knowledge and the question raise most. The text of a choice
    is scored, because a small model confuses the letters.
    """
    knowledge = "".join(f"{section.heading}: {section.text}\n" for section in sections if section.text)
    prompt = f"{knowledge}Question: {fenced(query.text)}\nAnswer:"
    pairs = [Pair(prompt=prompt, continuation=f" {fenced(choice)}") for choice in query.choices]
    alone = [Pair(prompt="Answer:", continuation=f" {fenced(choice)}") for choice in query.choices]
    scores = yield from score([*pairs, *alone], step=step)
    count = len(query.choices)
    gains = [
        after.log_probability - before.log_probability
        for after, before in zip(scores[:count], scores[count:], strict=True)
    ]
    best = query.choices[gains.index(max(gains))]
    return StagedAnswer(best, best, 1 / sum(math.exp(gain - max(gains)) for gain in gains))


def answer_prompt(
    query: Query,
    sections: Sequence[Section],
    examples: Sequence[Example],
    shape: Shape = "triples",
    *,
    logic_chain: bool = False,
    stage: int = 0,
) -> str:
    """Return the prompt: the task, the examples, the question, the knowledge."""
    worked = "".join(f"\n{_example(example, shape, logic_chain, stage)}\n" for example in examples)
    task = _TASK[query.form]
    if logic_chain:
        task = f"{task} {read_prompt('probative.give', 'logic_chain')}"
    knowledge = _listed(sections)
    return fill(
        read_prompt("probative.give", "answer"),
        task=task + ("\n" if worked else ""),
        examples=worked,
        question=_question(query.text, query.choices),
        knowledge=knowledge,
    )


def _listed(sections: Sequence[Section]) -> str:
    return "\n".join(f"{section.heading}: {section.text or 'none'}" for section in sections)


def _example(example: Example, shape: Shape, logic_chain: bool, stage: int) -> str:
    logic = f"\nLogic chain: {fenced(example.rationale)}" if logic_chain and example.rationale else ""
    knowledge = f"Knowledge: {format_triples(example.knowledge, shape)}\n" if example.knowledge else ""
    if stage:
        knowledge = f"{_listed(_stages(example, shape)[: 2 * stage - 1])}\n"
    question = _question(example.question, example.choices)
    return f"Question: {question}\n{knowledge}Answer: {lettered_answer(example)}{logic}"


def _stages(example: Example, shape: Shape) -> list[Section]:
    """Return the three sets of an example, with its answer after the first and the second."""
    sets = example.sets or Knowledge(affirmative=example.knowledge)
    sections: list[Section] = []
    for heading, triples in zip(HEADINGS, (sets.affirmative, sets.counterfactual, sets.expert), strict=True):
        sections += [Section(heading, format_triples(triples, shape)), Section(SO_FAR, example.answer)]
    return sections[:-1]


def lettered_answer(example: Example) -> str:
    """Return the answer of an example, with its letter if it is one of several choices.

    >>> lettered_answer(Example(question="Which floats?", choices=("iron", "cork"), answer="cork"))
    'B) cork'
    """
    if not example.choices:
        return example.answer
    return f"{letter(example.choices.index(example.answer))}) {example.answer}"


def _question(text: str, choices: Sequence[str]) -> str:
    """Return a question and its choices, a line each, fenced so that they cannot look like other parts."""
    lettered = [f"{letter(index)}) {fenced(choice)}" for index, choice in enumerate(choices)]
    return "\n".join([fenced(text), *lettered])


def read_reply(text: str, query: Query) -> str | None:
    """Return the answer in a reply: yes, no or maybe; a choice, by its letter or its words; or the text.
    Return None if the reply contains none of them, or several choices.

    >>> from probative.give.query import make_query
    >>> float_or_sink = make_query("Which floats?", ["iron", "cork wood"])
    >>> read_reply("B) cork wood", float_or_sink), read_reply("It is iron.", float_or_sink)
    ('cork wood', 'iron')
    >>> read_reply("Perhaps", make_query("Is moss green?")), read_reply("Yes.", make_query("Is moss green?"))
    (None, 'yes')
    """
    plain = clean(text).strip(" \"'“”*_")
    if not plain:
        return None
    if query.form == "yes-no":
        return read_polarity(plain)
    if query.form == "choice":
        return _choice(plain, query.choices)
    text = re.sub(r"^(?:answer|a)\s*:\s*", "", plain, flags=re.IGNORECASE).strip()
    # A question that is not yes/no has no such answer.
    bare = text.casefold().rstrip(".!") in YES_NO
    return None if bare and not asks_yes_or_no(query.text) else text or None


def _choice(plain: str, choices: Sequence[str]) -> str | None:
    letters = {letter(index): choice for index, choice in enumerate(choices)}
    body = without_lead(plain).lstrip(" \"'“”*_([")
    first = re.match(r"([A-Za-z]{1,2})(?=[\s).:,\]*_-]|$)", body)
    # In "A cork floats" the A is an article: a letter counts only alone or before a bracket or punctuation.
    if first is not None and first[1].upper() in letters:
        after = body[first.end() :]
        if not after.strip() or re.match(r"[).:,\]*_-]", after):
            return letters[first[1].upper()]
    reply = _spaced(plain)
    named = [choice for choice in choices if _spaced(choice) in reply]
    # If one choice is part of another ("cork", "cork wood"), the longer one is meant.
    named = [
        choice
        for choice in named
        if not any(choice != other and choice.lower() in other.lower() for other in named)
    ]
    return named[0] if len(named) == 1 else None


def _spaced(text: str) -> str:
    """Return the words of a text in lower case, with a space on both sides of each."""
    return f" {' '.join(_TERM.findall(text.lower()))} "


def examples_for(query: Query, n: int, given: Sequence[Example] | None = None) -> tuple[Example, ...]:
    """Return at most `n` examples of the query's form: those that are `given` if any of them has this form,
    otherwise the built-in ones. An example with the same question as the query is left out.

    >>> from probative.give.query import make_query
    >>> [example.answer for example in examples_for(make_query("Is moss green?"), 3)]
    ['yes', 'no', 'maybe']
    """
    usable = [_checked(example, query.form) for example in given or () if _form(example) == query.form]
    pool = usable or _built_in()[query.form]
    question = sorted(words(query.text))
    return tuple(example for example in pool if sorted(words(example.question)) != question)[:n]


@cache
def _built_in() -> dict[Form, tuple[Example, ...]]:
    """Read the built-in examples, by form."""
    text = (files("probative.give") / "prompts" / "examples.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    forms: tuple[Form, ...] = ("yes-no", "choice", "text")
    return {
        form: tuple(Example.model_validate(row["example"]) for row in rows if row["form"] == form)
        for form in forms
    }


def _form(example: Example) -> Form:
    """Return the form of an example, from its choices or its answer.

    >>> _form(Example(question="Does iron float?", answer="no"))
    'yes-no'
    """
    if example.choices:
        return "choice"
    return "yes-no" if example.answer.lower() in YES_NO else "text"


def _checked(example: Example, form: Form) -> Example:
    if form == "choice" and example.answer not in example.choices:
        raise InputError(f"the answer of a worked example must be one of its choices, got {example.answer!r}")
    return example


def without_lead(reply: str) -> str:
    """Return a reply without words such as "The correct answer is" at its beginning.

    >>> without_lead("The correct answer is B) cork"), without_lead("cork")
    ('B) cork', 'cork')
    """
    return _ANSWER_LEAD.sub("", reply, count=1)
