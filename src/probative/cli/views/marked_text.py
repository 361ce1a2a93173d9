"""A text with some of its sentences marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from probative.cli.views.terminal import plain

if TYPE_CHECKING:
    from rich.text import Text

# A text with more sentences than this is shown only around its marked sentences.
MAX_WHOLE_TEXT = 40
# How many sentences before and after each marked one are shown then.
CONTEXT = 1


def marked_text(sentences: Sequence[str], marks: Mapping[int, str], style: str = "bold green") -> Text:
    """Return the text with the sentences at the indexes of `marks` in bold, after their marks."""
    from rich.text import Text

    text = Text()
    skipped = 0
    for index, sentence in enumerate(sentences):
        is_near = any(abs(index - marked) <= CONTEXT for marked in marks)
        if len(sentences) > MAX_WHOLE_TEXT and not is_near:
            skipped += 1
            continue
        text.append(_gap(skipped))
        skipped = 0
        if index in marks:
            text.append(f"{marks[index]} ", style=style)
            text.append(plain(sentence), style="bold")
            text.append(" ")
        else:
            text.append(plain(sentence) + " ", style="dim")
    return text.append(_gap(skipped))


def _gap(skipped: int) -> Text:
    from rich.text import Text

    if not skipped:
        return Text("")
    return Text(f"[… {skipped} sentence{'s' if skipped > 1 else ''} …] ", style="dim italic")
