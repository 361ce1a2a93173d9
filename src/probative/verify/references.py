"""The citations that a text has itself: "[3]", footnotes and links, and what its list of sources says of
them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_ADDRESS = r"<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*"
_LINK = rf"(?<!!)\[(?P<label>[^\[\]\n]*)\]\((?P<target>{_ADDRESS})(?:\s+\"[^\"\n]*\")?\)"
_MARKER = re.compile(
    rf"\[\^(?P<note>[^\]\s]+)\](?!:)"
    rf"|\[(?P<numbers>\d{{1,3}}(?:\s*[,;–-]\s*\d{{1,3}})*)\](?![(:])"
    rf"|{_LINK}"
    rf"|<(?P<address>(?:https?|file)://[^>\s]+)>"
    rf"|(?:(?<=[.,;:!?)”\"])|(?<=[^\W\d_]{{3}}))(?P<raised>[{_SUPERSCRIPTS}]{{1,3}})(?!\w)"
)
_FOOTNOTE = re.compile(r"^\[\^(?P<key>[^\]\s]+)\]:[ \t]*(?P<text>.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_NUMBERED = re.compile(
    r"^[ \t]*(?:[-*][ \t]+)?\[(?P<key>\d{1,3})\]:?[ \t]+(?P<text>\S.*(?:\n[ \t]+\S.*)*)", re.MULTILINE
)
_LISTED = re.compile(r"^[ \t]*(?P<key>\d{1,3})[.)][ \t]+(?P<text>\S.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_SOURCES = re.compile(
    r"^(?:#{1,6}[ \t]*|\*\*|__)?(?:sources?|references|bibliography|literature|works cited|footnotes|notes|"
    r"citations|endnotes|further reading)(?: and notes)?(?:\*\*|__)?[ \t]*:?(?:\*\*|__)?[ \t]*#*[ \t]*$",
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
    """All citations of a text, and the characters of its lists of sources."""

    found: tuple[Reference, ...] = ()
    lists: tuple[tuple[int, int], ...] = ()


def references_of(text: str) -> References:
    r"""Return the citations of a text with what they stand for.

    >>> text = "It burnt [1]. It was [old](a/log.txt).[^n]\n\n## Sources\n\n[1] The log\n\n[^n]: A letter"
    >>> [(reference.marker, reference.targets) for reference in references_of(text).found]
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
    found = [
        _reference(match, defined)
        for match in _MARKER.finditer(text)
        if not any(start <= match.start() < end for start, end in spans)
    ]
    # A number in brackets that no list explains may be anything: "[12]" of a quotation.
    kept = [reference for reference in found if reference is not None]
    return References(tuple(kept), tuple(sorted(spans)))


def _source_sections(text: str) -> list[tuple[int, int]]:
    """Return the characters from each heading of a list of sources to the next heading."""
    sections = []
    for match in _SOURCES.finditer(text):
        following = _NEXT_HEADING.search(text, match.end())
        sections.append((match.start(), following.start() if following else len(text)))
    return sections


def _reference(match: re.Match[str], defined: dict[str, str]) -> Reference | None:
    start, end = match.span()
    if match["note"] is not None:
        told = defined.get(f"^{match['note']}")
        return Reference(start, end, match.group(), (told,) if told else ())
    if match["target"] is not None or match["address"] is not None:
        target = (match["target"] or match["address"] or "").strip("<>")
        is_inside = not target or target.startswith("#")
        return None if is_inside else Reference(start, end, match.group(), (target,))
    if match["raised"] is not None:
        number = "".join(str(_SUPERSCRIPTS.index(digit)) for digit in match["raised"])
        told = defined.get(number)
        return Reference(start, end, match.group(), (told,)) if told else None  # "m²" is no citation
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
