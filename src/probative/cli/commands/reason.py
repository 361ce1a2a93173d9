"""`probative reason`: a drawing of the groups and their connections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.framework import verb_command
from probative.cli.framework.verb_command import VerbCall
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.give.reasoning import Reasoning


@dataclass(frozen=True)
class Extras(verb_command.Extras):
    """The drawing of a reasoning."""

    draw: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the groups and their connections into this .svg file."),
    ] = None

    def check(self, call: VerbCall) -> None:
        """Raise `InputError` before any call is paid for if the drawing cannot be written."""
        if self.draw is None or call.values["question"] is None:
            return
        if call.run.dry_run:
            raise InputError("a dry run has nothing to draw", hint="leave out --draw or --dry-run")
        if self.draw.suffix.lower() != ".svg":
            raise InputError(f"--draw must name a .svg file, got {self.draw.name}")
        if not self.draw.absolute().parent.is_dir():
            raise InputError(f"there is no folder {self.draw.parent} for the drawing")

    def finish(self, results: Sequence[Reasoning], verdicts: frozenset[str]) -> None:
        """Draw the reasoning."""
        from probative.cli.framework.outcome import writing
        from probative.views.reasoning import picture_of

        if self.draw is not None:
            with writing("drawing", self.draw):
                self.draw.write_text(picture_of(results[0]), encoding="utf-8")

    def show(self, reasoning: Reasoning, case: Mapping[str, Any]) -> None:
        """Print a reasoning, where it was drawn, and its cost."""
        from probative.cli.views.terminal import print_text
        from probative.cli.views.usage import show_usage
        from probative.views.terminal import show_result

        show_result(reasoning)
        if self.draw is not None:
            print_text(f"drawn in {self.draw}")
        show_usage(reasoning.usage, reasoning.model)
