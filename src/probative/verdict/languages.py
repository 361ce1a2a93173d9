"""Which languages the embedded models read: those in which they were measured to be right often enough.

`languages.json` has the levels by model, language and task, as `probative bench run languages` measures them
and `docs/tools/languages.py` writes them. English is read. What has not been measured, or not well enough, is
refused. Models of a user's own are not measured here, and nothing is refused to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import TypeAdapter

from probative.settings import CASCADE, TUNED_MODELS
from probative.text.sentences import ENGLISH
from probative.text.words import read_lines
from probative.types import Value

Task = Literal["question", "claim"]
MIN_RIGHT, MAX_WRONG, MIN_ROWS = 0.5, 0.05, 20
"""The least share of right answers or verdicts, the largest of those wrong and supported, and of how many."""
FILE = Path(__file__).with_name("languages.json")
NAMES = dict(line.split() for line in read_lines("languages"))
_ELSE = "another model may: model=openai:NAME with verdict=model"


class Level(Value):
    """How well a model answers the questions, or judges the claims, of a language."""

    rows: int
    right: float
    wrong_and_supported: float

    @property
    def is_enough(self) -> bool:
        """Whether the language is read.

        >>> Level(rows=40, right=0.7, wrong_and_supported=0.025).is_enough
        True
        """
        return self.rows >= MIN_ROWS and self.right >= MIN_RIGHT and self.wrong_and_supported <= MAX_WRONG


Levels = dict[str, dict[str, dict[Task, Level]]]
"""Levels by model, language and task."""
LEVELS = TypeAdapter(Levels)
_REFUSES: ContextVar[bool] = ContextVar("refuses", default=True)


class LanguageNote(NamedTuple):
    """Whether a model reads texts, and what is to be said about their languages."""

    readable: bool
    note: str = ""


@cache
def measured() -> Levels:
    """Return the levels that were measured."""
    return LEVELS.validate_json(FILE.read_bytes())


@contextmanager
def nothing_refused() -> Iterator[None]:
    """Let every model read every language until the block ends: only so can its level be measured."""
    token = _REFUSES.set(False)
    try:
        yield
    finally:
        _REFUSES.reset(token)


def language_note(model: str, task: Task, languages: Mapping[str, str]) -> LanguageNote:
    """Return whether a model reads texts in these languages, and a note if they are not English.

    >>> language_note("embedded", "claim", {"claim": "en", "evidence": "xx"}).note.partition(";")[0]
    'embedded does not read this language (evidence: xx)'
    >>> language_note("openai:small", "claim", {"claim": "xx", "evidence": "xx"}).readable
    True
    """
    if model not in (*TUNED_MODELS, CASCADE):
        return LanguageNote(True)
    unread = {what: code for what, code in languages.items() if not _reads(model, task, code)}
    if unread and _REFUSES.get():
        able = (other for other in TUNED_MODELS if all(_reads(other, task, code) for code in unread.values()))
        helps = next((f"{other} does" for other in able), _ELSE)
        return LanguageNote(False, f"{model} does not read this language ({_named(unread)}); {helps}")
    if len({*languages.values()}) > 1:
        return LanguageNote(True, f"these are two languages ({_named(languages)}): the verdict may be wrong")
    (language,) = {*languages.values()}
    level = _level(model, task, language)
    if level is None:
        return LanguageNote(True)
    tried = f"{level.rows} {task}s in {NAMES.get(language, language)}"
    return LanguageNote(True, f"{model} was right on {level.right:.0%} of {tried} that were tried")


def _named(languages: Mapping[str, str]) -> str:
    return ", ".join(f"{what}: {NAMES.get(code, code)}" for what, code in languages.items())


def _reads(model: str, task: Task, language: str) -> bool:
    level = _level(model, task, language)
    return language == ENGLISH or (level is not None and level.is_enough)


def _level(model: str, task: Task, language: str) -> Level | None:
    """Return the level of a model; of a cascade, that of its small model, which may decide alone."""
    name = TUNED_MODELS[0] if model == CASCADE else model
    return measured().get(name, {}).get(language, {}).get(task)
