"""An annotation: the sentences that a model named for a claim."""

from __future__ import annotations

from probative.cli.views.features import show_notes
from probative.cli.views.terminal import console, plain
from probative.mcse.annotation import Annotation


def show_annotation(annotation: Annotation) -> None:
    """Print the named sentences with their numbers, in the order of the text."""
    from rich.text import Text

    terminal = console()
    for sentence in annotation.evidence:
        terminal.print(Text.assemble((f"[{sentence.index + 1}] ", "bold"), plain(sentence.text)))
    show_notes(terminal, annotation.notes)
