"""The words of a text without its markup, character by character at the same places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.verify.references import Reference

_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_LINK_WORDS = re.compile(
    r"\[(?P<words>[^\[\]\n]+)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"\n]*\")?\)"
)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_EMPHASIS = re.compile(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|`+|~~")
_LINE_MARKS = re.compile(r"(?<=\n)[ \t]*(?:>[ \t]?)+")
_EMPTY_BRACKETS = re.compile(r"[(\[]\s*[,;]?\s*[)\]]")


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
    for link in _LINK_WORDS.finditer(text):
        _blank(letters, link.start(), link.start("words"))
        _blank(letters, link.end("words"), link.end())
    for reference in references:
        is_link = _LINK_WORDS.fullmatch(text, reference.start, reference.end) is not None
        if not is_link or _is_bracketed(text, reference):
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


def _is_bracketed(text: str, reference: Reference) -> bool:
    """Return whether brackets have this link and perhaps other links, but no words."""
    before = text[: reference.start].rstrip()
    after = text[reference.end :].lstrip()
    return before[-1:] in ("(", ",", ";") and after[:1] in (")", ",", ";") and _opens(before)


def _opens(before: str) -> bool:
    """Return whether there are only links between the open bracket and the end of a text."""
    while True:
        before = before.rstrip(" ,;")
        if before.endswith("("):
            return True
        links = [match for match in _LINK_WORDS.finditer(before) if match.end() == len(before)]
        if not links:
            return False
        before = before[: links[-1].start()]


def _blank(letters: list[str], start: int, end: int) -> None:
    for index in range(start, end):
        if letters[index] != "\n":
            letters[index] = " "
