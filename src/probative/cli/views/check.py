"""A check: complete or not, and which passage carries which feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from probative.cli.views.answer import numbers_line
from probative.cli.views.features import listed, show_features, show_notes
from probative.cli.views.terminal import console, plain
from probative.scope.result import Check

if TYPE_CHECKING:
    from rich.text import Text


def show_check(check: Check) -> None:
    """Print a check."""
    terminal = console()
    terminal.print(_first_line(check))
    if check.candidate is not None:
        terminal.print(_candidate(check.candidate, numbers_line(check.checks)))
    carried = [(judgement.index, judgement.carries) for judgement in check.judgements if judgement.carries]
    terminal.print()
    show_features(terminal, check.features, carried, check.missing)
    show_notes(terminal, check.notes)


def _candidate(candidate: str, surely: str) -> Text:
    from rich.text import Text

    return Text.assemble("the answer would be: ", (plain(candidate), "bold"), surely)


def _first_line(check: Check) -> Text:
    from rich.text import Text

    if check.complete:
        by_policy = check.completeness is not None
        reason = "the evidence is enough" if by_policy else "every feature of the question is covered"
        return Text.assemble(("complete", "bold green"), f": {reason}")
    if check.missing:
        verb = "is" if len(check.missing) == 1 else "are"
        reason = f"{listed(check.missing)} {verb} not covered"
    else:
        reason = plain(check.reason) if check.reason else "the evidence is not enough"
    return Text.assemble(("incomplete", "bold red"), f": {reason}")
