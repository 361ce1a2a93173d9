"""How the command of a verb takes its inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Reads = Literal["words", "file", "examples", "document", "passages", "knowledge", "sentences", "graph"]


@dataclass(frozen=True)
class Input:
    """How a command takes a field of a case, an argument of a verb, or an option of its methods.

    `reads` says what is given: the words themselves, or a file and what it has. `names` are its spellings; by
    default, `--` and its name. `parse` converts the words; with `many`, a list of them. `what` is what errors
    call it.
    """

    help: str
    names: tuple[str, ...] = ()
    metavar: str | None = None
    reads: Reads = "words"
    panel: str | None = None
    parse: Callable[[Any], Any] | None = None
    many: bool = False
    required: bool = False
    may_be_empty: bool = False
    what: str = "text"


@dataclass(frozen=True)
class Command:
    """What the command line adds to a verb: its inputs by name, examples, and whether it searches a corpus
    and asks a judge.

    Arguments of the verb that are words, numbers or yes and no need no input here.
    """

    inputs: Mapping[str, Input] = field(default_factory=dict)
    examples: tuple[str, ...] = ()
    judged: bool = False
    searches: bool = False


FILE_OF_PASSAGES = (
    "a .jsonl file, or a text with a blank line between passages, or with one on each line. May be repeated."
)
CLAIM = Input("The claim.")
QUESTION = Input("The question.")
SHARED = {"seed": Input("The seed of random draws (default: 0).", panel="Run")}
"""Inputs of arguments that several verbs have."""


def sentences_input(what: str, *names: str, may_be_empty: bool = False) -> Input:
    """Return the input of a text that is split into sentences; `what` is its name in the help."""
    return Input(
        f"The {what}. - is standard input, the default.",
        names,
        "FILE",
        "sentences",
        may_be_empty=may_be_empty,
        what=what,
    )
