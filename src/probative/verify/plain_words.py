"""The words of a text without its markup, character by character at the same places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.verify.references import Reference

_IMAGE = re.compile(r"!\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)")
_LINK_WORDS = re.compile(
    r"\[(?P<words>[^\[\]\n]+)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"\n]*\")?\)"
)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_EMPHASIS = re.compile(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|`+|~~")
_LINE_MARKS = re.compile(r"(?<=\n)[ \t]*(?:>[ \t]?)+")
_EMPTY_BRACKETS = re.compile(r"[(\[]\s*+(?:(?:see|cf\.?)\s++)?(?:[,;]\s*+)?[)\]]")
_GOES_ON = re.compile(r"\s*+[),;]")


def masked(text: str, references: Sequence[Reference]) -> str:
    """Return a text of the same length in which citations and markup are spaces; the words of a link stay,
    unless the link stands in brackets of its own.

    >>> from probative.verify.references import references_of
    >>> source = "It **burnt** ([log](a.txt)). See [the *old* map](map.txt)."
    >>> words = masked(source, references_of(source).found)
    >>> len(words) == len(source), one_line(words)
    (True, 'It burnt. See the old map.')
    """
    letters = list(text)
    for match in _IMAGE.finditer(text):
        _blank(letters, *match.span())
    links = list(_LINK_WORDS.finditer(text))
    for link in links:
        _blank(letters, link.start(), link.start("words"))
        _blank(letters, link.end("words"), link.end())
    words_stay = {link.span() for link in links} - _bracketed(text, [link.span() for link in links])
    for reference in references:
        if (reference.start, reference.end) not in words_stay:
            _blank(letters, reference.start, reference.end)
    for form in (_TAG, _EMPHASIS, _LINE_MARKS):
        for match in form.finditer("".join(letters)):
            _blank(letters, *match.span())
    for match in _EMPTY_BRACKETS.finditer("".join(letters)):
        _blank(letters, *match.span())
    return "".join(letters)


def one_line(text: str) -> str:
    """Return masked text as people write it: single spaces, and none before a full stop.

    >>> one_line("It   burnt           . So")
    'It burnt. So'
    """
    return re.sub(r"\s+(?=[.,;:!?)\]](?:\s|$))", "", " ".join(text.split()))


def _bracketed(text: str, links: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the links that stand in brackets with other links or alone, but with no words."""
    bracketed: set[tuple[int, int]] = set()
    opened, last = False, 0  # whether only links stand between an open bracket and the end of the last link
    for start, end in links:
        between = text[last:start].rstrip()
        opened = between.rstrip(" ,;").endswith("(") or (opened and not between.strip(" ,;"))
        if opened and between[-1:] in ("(", ",", ";") and _GOES_ON.match(text, end):
            bracketed.add((start, end))
        last = end
    return bracketed


def _blank(letters: list[str], start: int, end: int) -> None:
    for index in range(start, end):
        if letters[index] != "\n":
            letters[index] = " "
