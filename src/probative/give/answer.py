"""Progressive answer generation (section 3.5): with affirmative knowledge, then counterfactual, then expert.

y_a = LLM(x, R_a)    y_ac = LLM(x, R_a, y_a, R_c)    y_ace = LLM(x, R_a, y_a, R_c, y_ac, R_e)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from probative.engine.search import Search, choose, generate, score
from probative.engine.tools import Tools
from probative.give.knowledge import written
from probative.give.options import Answering, Shape
from probative.give.query import Form, Query, letter
from probative.give.result import Example
from probative.models.contract import Capability
from probative.models.types import Pair, Request, Selection
from probative.text.analyzer import analyzer_for
from probative.text.cleaning import clean
from probative.text.prompts import fenced, fill, read_prompt

ANSWER_TOKENS: dict[Form, int] = {"yes-no": 24, "choice": 48, "text": 128}
_TASK: dict[Form, str] = {
    "yes-no": "Answer the question with yes, no or maybe. Write that one word first.",
    "choice": "Answer the question with one of its choices. Write the choice's letter first.",
    "text": "Answer the question in a few words.",
}
_TERM = re.compile(r"[^\W_]+")


NO_CHOICE = "the model cannot choose or score, so its answers were written (answering=chosen)"


class Section(NamedTuple):
    """A part of what the model reads before it answers: a heading and a text."""

    heading: str
    text: str


class StagedAnswer(NamedTuple):
    """An answer, or None where the reply could not be read, and what the model wrote."""

    answer: str | None
    raw: str


def answer(
    query: Query,
    sections: Sequence[Section],
    examples: Sequence[Example],
    tools: Tools,
    notes: list[str],
    *,
    step: str,
    shape: Shape = "triples",
    answering: Answering = "written",
) -> Search[StagedAnswer]:
    """The model's answer to a query after what it reads. A reply that says none of what can be answered is
    None, with a note that quotes it.
    """
    if answering == "chosen" and query.form == "choice" and Capability.SCORE in tools.model.capabilities:
        return (yield from _most_expected(query, sections, step))
    if answering == "chosen" and query.form == "yes-no" and Capability.CHOOSE in tools.model.capabilities:
        return (yield from _most_raised(query, sections, examples, shape, step))
    if answering == "chosen" and query.options and NO_CHOICE not in notes:
        notes.append(NO_CHOICE)
    prompt = answer_prompt(query, sections, examples, shape)
    request = Request.user(prompt, max_tokens=ANSWER_TOKENS[query.form])
    replies = yield from generate([request], step=step)
    reply = replies[0]
    if reply.finish_reason == "dry-run":
        return StagedAnswer(None, "")
    read = read_reply(reply.text, query)
    if read is None:
        wanted = "one of the choices" if query.form == "choice" else "yes, no or maybe"
        notes.append(f"{step}: the model wrote none of {wanted}: {fenced(clean(reply.text))[:80]!r}")
    return StagedAnswer(read, reply.text)


def _most_raised(
    query: Query, sections: Sequence[Section], examples: Sequence[Example], shape: Shape, step: str
) -> Search[StagedAnswer]:
    """Yes, no or maybe: the one whose probability the question and the knowledge raise most over that of the
    same prompt with both left blank. A small model otherwise says the same to every question.
    """
    blank = replace(query, text="…")
    asked = [
        Selection(request=Request.user(answer_prompt(*one, examples, shape)), options=query.options)
        for one in ((query, sections), (blank, [Section(part.heading, "…") for part in sections]))
    ]
    choices = yield from choose(asked, step=step)
    raised = [
        said / max(before, 1e-9)
        for said, before in zip(choices[0].probabilities, choices[1].probabilities, strict=True)
    ]
    best = query.options[raised.index(max(raised))]
    return StagedAnswer(best, best)


def _most_expected(query: Query, sections: Sequence[Section], step: str) -> Search[StagedAnswer]:
    """One of the choices: the one that the knowledge and the question make the model expect most, compared
    with how much it expects it anyway. A small model cannot tell letters.
    """
    known = "".join(f"{section.heading}: {section.text}\n" for section in sections if section.text)
    prompt = f"{known}Question: {fenced(query.text)}\nAnswer:"
    pairs = [Pair(prompt=prompt, continuation=f" {fenced(choice)}") for choice in query.choices]
    alone = [Pair(prompt="Answer:", continuation=f" {fenced(choice)}") for choice in query.choices]
    scores = yield from score([*pairs, *alone], step=step)
    count = len(query.choices)
    gains = [scores[at].log_probability - scores[at + count].log_probability for at in range(count)]
    best = query.choices[gains.index(max(gains))]
    return StagedAnswer(best, best)


def answer_prompt(
    query: Query, sections: Sequence[Section], examples: Sequence[Example], shape: Shape = "triples"
) -> str:
    """The whole prompt: the task, the examples, the question, what is known."""
    shown = "".join(f"\n{_example(example, shape)}\n" for example in examples)
    known = "\n".join(f"{section.heading}: {section.text or 'none'}" for section in sections)
    return fill(
        read_prompt("probative.give", "answer"),
        task=_TASK[query.form] + ("\n" if shown else ""),
        examples=shown,
        question=_question(query.text, query.choices),
        knowledge=known,
    )


def _example(example: Example, shape: Shape) -> str:
    place = example.choices.index(example.answer) if example.choices else None
    said = f"{letter(place)}) {example.answer}" if place is not None else example.answer
    known = f"Knowledge: {written(example.knowledge, shape)}\n" if example.knowledge else ""
    return f"Question: {_question(example.question, example.choices)}\n{known}Answer: {said}"


def _question(text: str, choices: Sequence[str]) -> str:
    """A question and its choices, a line each; neither can look like another part of the prompt."""
    lettered = [f"{letter(place)}) {fenced(choice)}" for place, choice in enumerate(choices)]
    return "\n".join([fenced(text), *lettered])


def read_reply(text: str, query: Query) -> str | None:
    """What a reply answers: yes, no or maybe; one of the choices, by its letter or its words; or the text
    itself. None where it says none of them, or several choices at once.

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
        return analyzer_for().read_polarity(plain)
    if query.form == "choice":
        return _choice(plain, query.choices)
    return re.sub(r"^(?:answer|a)\s*:\s*", "", plain, flags=re.IGNORECASE).strip() or None


def _choice(plain: str, choices: Sequence[str]) -> str | None:
    letters = {letter(place): choice for place, choice in enumerate(choices)}
    body = analyzer_for().without_lead(plain).lstrip(" \"'“”*_([")
    first = re.match(r"([A-Za-z]{1,2})(?=[\s).:,\]*_-]|$)", body)
    # "A cork floats": an article, not a letter; a lower-case letter counts only alone or before a bracket.
    if first is not None and first[1].upper() in letters:
        after = body[first.end() :]
        if not after.strip() or re.match(r"[).:,\]*_-]", after):
            return letters[first[1].upper()]
    low = _spaced(plain)
    said = [choice for choice in choices if _spaced(choice) in low]
    # Of choices within one another ("cork", "cork wood") the longest is meant.
    said = [one for one in said if not any(one != other and one.lower() in other.lower() for other in said)]
    return said[0] if len(said) == 1 else None


def _spaced(text: str) -> str:
    """The words of a text in lower case, with a space on either side of each."""
    return f" {' '.join(_TERM.findall(text.lower()))} "
