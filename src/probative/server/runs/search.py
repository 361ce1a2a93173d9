"""Which runs a list shows: those of a verb, a state, a verdict or level, with some words in their title."""

from __future__ import annotations

from typing import Any, Literal

from probative.server.runs.run import Run, RunState, VerbName
from probative.types import Value

VerdictName = Literal["supported", "insufficient", "contradicted", "read", "extrapolated", "unknown"]
LevelName = Literal[
    "supported",
    "probable",
    "disputed",
    "not_found",
    "insufficient",
    "contradicted",
    "read",
    "extrapolated",
    "unknown",
]
"""The level of an answer, or the verdict of a run or a claim that has no level."""

_LEVEL = "level:"
INDEX_NAME = "runs_for_lists"
# It holds all that a filter looks at: a search reads this index and not the runs, which may be long.
INDEX = f"{INDEX_NAME} ON runs (number, verb, state, verdicts, words)"


class RunFilter(Value):
    """What a run must be to be shown; a field that is None fits all.

    `live` are the ids of the runs that are in the state now, if it is one before the end: the file learns of
    these states late or never.
    """

    verb: VerbName | None = None
    state: RunState | None = None
    verdict: VerdictName | None = None
    level: LevelName | None = None
    text: str = ""
    live: tuple[str, ...] = ()

    def where(self) -> tuple[str, tuple[Any, ...]]:
        """Return the condition for the table of runs, and its values.

        >>> RunFilter(verb="ask", text="100% Wool").where()
        ('verb = ? AND instr(words, ?) AND instr(words, ?)', ('ask', '100%', 'wool'))
        >>> RunFilter().where()
        ('1', ())
        """
        conditions: list[tuple[str, tuple[Any, ...]]] = []
        if self.verb is not None:
            conditions.append(("verb = ?", (self.verb,)))
        if self.state is not None and self.state.is_final:
            conditions.append(("state = ?", (self.state,)))
        elif self.state is not None:
            marks = ", ".join("?" * len(self.live))
            # The numbers first: the index for lists has no ids.
            conditions.append((f"number IN (SELECT number FROM runs WHERE id IN ({marks}))", self.live))
        if self.verdict is not None:
            conditions.append(("instr(verdicts, ?)", (f" {self.verdict} ",)))
        if self.level is not None:
            conditions.append(("instr(verdicts, ?)", (f" {_LEVEL}{self.level} ",)))
        conditions += [("instr(words, ?)", (word,)) for word in folded(self.text).split()]
        values = tuple(value for _, values in conditions for value in values)
        return " AND ".join(condition for condition, _ in conditions) or "1", values


def folded(text: str) -> str:
    """Return a text whose capitals do not matter, in every script.

    >>> folded("Straße in ÅLESUND")
    'strasse in ålesund'
    """
    return text.casefold()


def verdicts_of(run: Run) -> str:
    """Return the verdicts of a run and its level, each between spaces.

    A verification has the verdicts of its claims. Without a level, the verdicts stand for levels, too.

    >>> counts = {"supported": 2, "contradicted": 0}
    >>> verdicts_of(Run(id="a", verb="verify", title="", state="done", created="", counts=counts))
    ' supported level:supported '
    >>> found = {"verdict": "insufficient", "level": "probable"}
    >>> verdicts_of(Run(id="a", verb="ask", title="", state="done", created="", **found))
    ' insufficient level:probable '
    """
    names = [name for name, count in (run.counts or {}).items() if count]
    if run.verdict is not None:
        names.append(run.verdict)
    names = list(dict.fromkeys(names))
    levels = names if run.level is None else [run.level]
    words = [*names, *(f"{_LEVEL}{level}" for level in levels)]
    return f" {' '.join(words)} " if words else ""
