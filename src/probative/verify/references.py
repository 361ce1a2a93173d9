"""The citations of a text, what its list of sources says of them, and its words without any markup."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
# A mark has a greatest length: thousands of open ones must not each be followed to the end of the text.
_ADDRESS = r"<[^>\n]{0,2000}>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*"
_LINK = rf"(?<!!)\[(?P<label>[^\[\]\n]*)\]\((?P<target>{_ADDRESS})(?:\s+\"[^\"\n]*\")?\)"
_MARKER = re.compile(
    rf"\[\^(?P<note>[^\]\s]{{1,200}})\](?!:)"
    rf"|\[(?P<numbers>\d{{1,3}}(?:\s*[,;–-]\s*\d{{1,3}})*)\](?![(:])"
    rf"|{_LINK}"
    rf"|<(?P<address>(?:https?|file)://[^>\s]{{1,2000}})>"
    rf"|(?:(?<=[.,;:!?)”\"])|(?<=[^\W\d_]{{3}}))(?P<raised>[{_SUPERSCRIPTS}]{{1,3}})(?!\w)"
)
_FOOTNOTE = re.compile(r"^\[\^(?P<key>[^\]\s]{1,200})\]:[ \t]*(?P<text>.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_NUMBERED = re.compile(
    r"^[ \t]*(?:[-*][ \t]+)?\[(?P<key>\d{1,3})\]:?[ \t]+(?P<text>\S.*(?:\n[ \t]+\S.*)*)", re.MULTILINE
)
_LISTED = re.compile(r"^[ \t]*(?P<key>\d{1,3})[.)][ \t]+(?P<text>\S.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_SOURCES = re.compile(
    r"^(?:#{1,6}[ \t]*|\*\*|__)?(?:sources?|references|bibliography|literature|works cited|footnotes|notes|"
    r"citations|endnotes|further reading)(?: and notes)?(?:\*\*|__)?[ \t]*+:?(?:\*\*|__)?[ \t]*+#*+[ \t]*+$",
    re.IGNORECASE | re.MULTILINE,
)
_NEXT_HEADING = re.compile(r"^#{1,6}[ \t]+\S", re.MULTILINE)
_RANGE = re.compile(r"(\d+)\s*[–-]\s*(\d+)")
# A longer range is a misprint or no citation.
MAX_RANGE = 20


@dataclass(frozen=True)
class Reference:
    """A citation in a text: its characters, and each thing that it names.

    `targets` are what the list of sources or the link says: words, a path, an address. It is empty if the
    text does not say what the mark stands for.
    """

    start: int
    end: int
    marker: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True)
class References:
    """All citations of a text, and the characters of its lists of sources, which do not overlap."""

    citations: tuple[Reference, ...] = ()
    lists: tuple[tuple[int, int], ...] = ()

    def in_list(self, offset: int) -> bool:
        return _is_inside(offset, self.lists)


def references_of(text: str) -> References:
    r"""Return the citations of a text with what they stand for.

    >>> text = "It burnt [1]. It was [old](a/log.txt).[^n]\n\n## Sources\n\n[1] The log\n\n[^n]: A letter"
    >>> [(reference.marker, reference.targets) for reference in references_of(text).citations]
    [('[1]', ('The log',)), ('[old](a/log.txt)', ('a/log.txt',)), ('[^n]', ('A letter',))]
    """
    sections = _source_sections(text)
    defined: dict[str, str] = {}
    spans = list(sections)
    for form, prefix in ((_FOOTNOTE, "^"), (_NUMBERED, "")):
        for match in form.finditer(text):
            defined.setdefault(prefix + match["key"], " ".join(match["text"].split()))
            spans.append(match.span())
    for start, end in sections:
        for match in _LISTED.finditer(text, start, end):
            defined.setdefault(match["key"], " ".join(match["text"].split()))
    lists = _merged(spans)
    markers = (match for match in _MARKER.finditer(text) if not _is_inside(match.start(), lists))
    # A number in brackets that no list explains may be anything: "[12]" of a quotation.
    references = (_reference(match, defined) for match in markers)
    return References(tuple(reference for reference in references if reference is not None), lists)


def _merged(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the same characters as spans in their order, none of which overlap."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)


def _is_inside(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    index = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return index >= 0 and offset < spans[index][1]


def _source_sections(text: str) -> list[tuple[int, int]]:
    """Return the characters from each heading of a list of sources to the next heading."""
    headings = [match.start() for match in _NEXT_HEADING.finditer(text)] + [len(text)]
    starts = [match.span() for match in _SOURCES.finditer(text)]
    sections = [(start, headings[bisect_left(headings, end)]) for start, end in starts]
    return list(_merged(sections))


def _reference(match: re.Match[str], defined: dict[str, str]) -> Reference | None:
    start, end = match.span()
    if match["note"] is not None:
        target = defined.get(f"^{match['note']}")
        return Reference(start, end, match.group(), (target,) if target else ())
    if match["target"] is not None or match["address"] is not None:
        target = (match["target"] or match["address"] or "").strip("<>")
        is_inside = not target or target.startswith("#")
        return None if is_inside else Reference(start, end, match.group(), (target,))
    if match["raised"] is not None:
        number = "".join(str(_SUPERSCRIPTS.index(digit)) for digit in match["raised"])
        target = defined.get(number)
        return Reference(start, end, match.group(), (target,)) if target else None  # "m²" is no citation
    keys = _keys(match["numbers"])
    return Reference(start, end, match.group(), tuple(defined[key] for key in keys if key in defined))


def _keys(numbers: str) -> list[str]:
    """Return the numbers of a citation.

    >>> _keys("2, 4-6")
    ['2', '4', '5', '6']
    """
    keys: list[str] = []
    for part in re.split(r"\s*[,;]\s*", numbers):
        run = _RANGE.fullmatch(part)
        if run is None:
            keys.append(part)
        elif 0 <= int(run[2]) - int(run[1]) < MAX_RANGE:
            keys += [str(number) for number in range(int(run[1]), int(run[2]) + 1)]
    return keys


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
    >>> words = masked(source, references_of(source).citations)
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
