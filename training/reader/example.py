"""One training example of the reader: a chat, the target, and its source.

The part of an example depends only on a key (its question, or the document that many questions share), so
that it stays the same when data are added.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from typing import Literal, NamedTuple

from training.splits import Part

Task = Literal["answer", "unknown", "features", "carries", "judge", "keep"]
"""`unknown` is `answer` where the evidence is not enough; `keep` is text on which the tuned model must stay
near the plain one."""
Form = Literal["after", "around", "plain", "text"]
"""How it is asked: the question after the evidence, or before and after it; with the prompts that every
model gets (`plain`); or no chat at all (`text`)."""

TASKS: tuple[Task, ...] = ("answer", "unknown", "features", "carries", "judge", "keep")
PARTS: tuple[Part, ...] = ("train", "validation", "test", "report")
FORMS: tuple[Form, ...] = ("after", "around", "plain", "text")


class Message(NamedTuple):
    """A turn of a chat."""

    role: str
    content: str


@dataclass(frozen=True)
class Example:
    """A chat and its target. In the form `text` there is one message, which the target continues.

    `kind` names the kind of question (bridge, comparison, node, …) and `noise` counts the distractors.
    """

    messages: tuple[Message, ...]
    target: str
    task: Task
    form: Form
    source: str
    part: Part
    kind: str = ""
    noise: int = 0


def stable(text: str) -> int:
    """Return a number that depends only on the text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def draws(seed: int, *names: str) -> random.Random:
    """Return a random generator for these names, so that one more row changes no other row."""
    return random.Random(stable(f"{seed} {' '.join(names)}"))
