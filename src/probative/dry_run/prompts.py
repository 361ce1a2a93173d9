r"""Prompts that are recognised by their files, with their parts read back, and the replies to them.

A reply has the form that its prompt asks for, and a usual length. What it says is decided by words in common,
or drawn by the prompt, so it is the same every time. Nothing is answered: a reply only has to lead a method
through the steps that a model's reply would lead it through.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple

from probative.models.task_prompts import TASKS
from probative.models.types import Request
from probative.text.prompts import OWN, PromptKey, raw_prompt

TASK = "task"
"""Stands for the package in the key of a reply of the tuned reader; the name is that of its task."""
_NUMBERED = re.compile(r"^\s*\[?(\d+)[.\]] *(.+)$", re.MULTILINE)
_SOURCES = ("probative.dry_run.texts", "probative.dry_run.graphs")


class Prompt(NamedTuple):
    """What a model was asked: the parts of the prompt by their names, and a source of random numbers that
    depends on the request.
    """

    parts: Mapping[str, str]
    draws: random.Random

    def part(self, name: str) -> str:
        """Return a part, or nothing if the prompt has none of this name."""
        return self.parts.get(name, "")

    def lines(self, name: str) -> list[str]:
        """Return the numbered lines of a part."""
        return [text for _, text in _NUMBERED.findall(self.part(name))]


Reply = Callable[[Prompt], str]
_ADDED: dict[PromptKey, Reply] = {}


def add_replies(replies: Mapping[PromptKey, Reply]) -> None:
    """Add the replies to the prompts of another package, by package and name."""
    _ADDED.update(replies)
    all_replies.cache_clear()
    _forms.cache_clear()


@cache
def all_replies() -> Mapping[PromptKey, Reply]:
    """Return a reply to each prompt, by its package and name."""
    own = {key: reply for source in _SOURCES for key, reply in import_module(source).REPLIES.items()}
    return {**own, **_ADDED}


def reply_to(request: Request) -> str | None:
    """Return a reply that a model may give to a request; None if its prompt is not known.

    >>> reply_to(Request.user("Relations: owns | belongs to", system="same")) in ("yes", "no")
    True
    """
    asked = next(message.content for message in request.messages if message.role == "user")
    draws = random.Random(f"{asked} {request.sample}")
    task = next((message.content for message in request.messages if message.role == "system"), "")
    if task in TASKS:
        question = asked.splitlines()[-1].partition(": ")[2]
        return all_replies()[TASK, task](Prompt({"question": question, "lines": asked}, draws))
    for key, form in _forms(frozenset(OWN.get().items())).items():
        if (parts := form.read(asked)) is not None:
            return all_replies()[key](Prompt(parts, draws))
    return None


class Form(NamedTuple):
    """A prompt before it is filled: the text that it begins with, and its placeholders, each with the text
    after it.
    """

    start: str
    places: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, prompt: str) -> Form:
        """Cut a prompt at its placeholders."""
        start, *rest = re.split(r"\{([a-z_]+)\}", prompt.rstrip("\n"))
        return cls(start, tuple(zip(rest[::2], rest[1::2], strict=True)))

    def read(self, text: str) -> dict[str, str] | None:
        r"""Return the parts of a filled prompt, or None if the text was made from another prompt. Of parts
        without a text between them, the first has all.

        >>> Form.of("Sum up.\nQuestion: {question}\nAnswer:").read("Sum up.\nQuestion: Why?\nAnswer:")
        {'question': 'Why?'}
        """
        if not text.startswith(self.start):
            return None
        parts, end = {}, len(text)
        for index in range(len(self.places) - 1, -1, -1):
            name, after = self.places[index]
            end = text.rfind(after, len(self.start), end) if after else end
            before = self.places[index - 1][1] if index else ""
            begin = len(self.start) if not index else text.rfind(before, len(self.start), end) + len(before)
            if end < 0 or begin < len(before):
                return None
            parts[name] = text[begin:end] if before or not index else ""
        return parts


@cache
def _forms(own: frozenset[tuple[PromptKey, str]]) -> dict[PromptKey, Form]:
    """Return the forms of all prompts, `own` instead of ours; first those that begin with most text."""
    replies = all_replies()
    forms = {key: Form.of(dict(own).get(key) or raw_prompt(*key)) for key in replies if key[0] != TASK}
    return dict(sorted(forms.items(), key=lambda item: -len(item[1].start)))
