"""One thing the reader is taught: a chat, what is to be answered, and where it comes from.

Which part an example belongs to depends on nothing but a key (its question, or the document that many
questions share), so that a part stays the same when data are added.
"""

from __future__ import annotations

import hashlib
import random
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

Task = Literal["answer", "unknown", "features", "carries", "judge", "keep"]
"""`unknown` is `answer` where the evidence is not enough; `keep` is text on which the tuned model must stay
near the plain one."""
Part = Literal["train", "validation", "test", "report"]
Form = Literal["after", "around", "plain", "text"]
"""How it is asked: the question after the evidence, or before and after it; with the prompts that every
model gets (`plain`); or no chat at all (`text`)."""

TASKS: tuple[Task, ...] = ("answer", "unknown", "features", "carries", "judge", "keep")
PARTS: tuple[Part, ...] = ("train", "validation", "test", "report")
FORMS: tuple[Form, ...] = ("after", "around", "plain", "text")

# Of a hundred keys, these go to validation, and as many again as stand behind to the test part.
VALIDATION, TEST = 10, 5


class Message(NamedTuple):
    """One turn of a chat."""

    role: str
    content: str


@dataclass(frozen=True)
class Example:
    """A chat and its answer. In the form `text` there is one message, which the target continues.

    `kind` names the sort of question (bridge, comparison, node, …) and `noise` counts the distractors.
    """

    messages: tuple[Message, ...]
    target: str
    task: Task
    form: Form
    source: str
    part: Part
    kind: str = ""
    noise: int = 0


def part_of(key: str) -> Part:
    """The part that a key belongs to.

    >>> part_of("Who built the pier?") == part_of("who built the pier")
    True
    """
    number = stable(f"part {plain_words(key)}") % 100
    if number < VALIDATION:
        return "validation"
    return "test" if number < VALIDATION + TEST else "train"


def plain_words(text: str) -> str:
    """A text by its words alone.

    >>> plain_words("Who built  the Pier, in 1871?")
    'who built the pier in 1871'
    """
    return " ".join(re.findall(r"\w+", text.lower()))


def question_key(question: str) -> str:
    """What two questions share that differ only in punctuation, case and the order of words.

    >>> question_key("Is Ada or Bo older?") == question_key("is Bo or Ada older")
    True
    """
    return " ".join(sorted(plain_words(question).split()))


def stable(text: str) -> int:
    """A number that depends on nothing but the text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def draws(seed: int, *names: str) -> random.Random:
    """Random choices of their own for each name, so that one more row changes no other."""
    return random.Random(stable(f"{seed} {' '.join(names)}"))
