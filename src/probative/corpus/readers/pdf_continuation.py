"""Paragraphs of a PDF that go on in the next column or on the next page, past what stands between."""

from __future__ import annotations

from probative.corpus.readers.pdf_blocks import Block, continues, is_caption, is_open

# Footnotes are set smaller than the text by this factor.
_SMALL = 0.9


def bring_together(first: list[Block], second: list[Block], body: float) -> None:
    """Move a paragraph that goes on to the end of its page, and its rest to the beginning of the next one.

    Footnotes, captions and rows of tables may stand between the two parts. `body` is the font size of the
    text.
    """
    last = next((at for at in reversed(range(len(first))) if not is_aside(first[at], body)), None)
    start = next((at for at, block in enumerate(second) if not is_aside(block, body)), None)
    if last is None or start is None or not is_open(first[last]) or not continues(first[last], second[start]):
        return
    # A capital letter after a table or a caption more often begins something new.
    passed = [*first[last + 1 :], *second[:start]]
    if any(block.size > _SMALL * body for block in passed) and not second[start].text[:1].islower():
        return
    first.append(first.pop(last))
    second.insert(0, second.pop(start))


def is_aside(block: Block, body: float) -> bool:
    """Return whether a block may stand within a paragraph: a footnote, a caption or a row of a table."""
    return block.row or block.size <= _SMALL * body or is_caption(block)
