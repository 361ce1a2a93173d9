"""Cut a text into sentences that know their place in it."""

from __future__ import annotations

from probative.types import Sentence


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text, in any language, each with the characters it covers.

    >>> [(one.text, one.start, one.end) for one in split_sentences("It rained. The match was off!")]
    [('It rained.', 0, 10), ('The match was off!', 11, 29)]
    """
    import sentencex

    spans: list[list[int]] = []
    open_end = False  # the last piece ended without a full stop, and not at the end of a paragraph
    for piece in sentencex.get_sentence_boundaries("en", text):
        start, end = _trimmed(text, piece["start_index"], piece["end_index"])
        if start == end:
            open_end = False
            continue
        # "Smith et al. [2004] found": the splitter cuts after a bracket where the sentence goes on.
        if spans and open_end and text[start].islower():
            spans[-1][1] = end
        else:
            spans.append([start, end])
        open_end = piece["boundary_symbol"] is None and not piece["is_paragraph_break"]
    return tuple(
        Sentence(index=index, text=text[start:end], start=start, end=end)
        for index, (start, end) in enumerate(spans)
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without the white space at its ends."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
