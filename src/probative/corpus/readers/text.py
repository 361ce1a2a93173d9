"""Read plain text and Markdown: the text of the document is the file, character for character."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

from probative.corpus.documents.document import Document, Heading
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.records import date_of
from probative.corpus.readers.text_builder import FileContent, document_of

# A line over a line of the same sign: "Fares" over "=====".
_UNDERLINED = re.compile(r"^(?P<text>[^\s\-=~].{0,118})\n(?P<line>=+|-+|~+)[ \t]*$", re.MULTILINE)
_LEVELS = {"=": 1, "-": 2, "~": 3}
_TITLE_LENGTH = 100


def read_text(content: FileContent) -> Document:
    """Return the document of a plain text file. Underlined lines are headings."""
    text, notes = decode(content.data, content.source)
    headings = [
        Heading(
            start=match.start(),
            end=match.start() + len(match["text"].rstrip()),
            level=_LEVELS[match["line"][0]],
            text=match["text"].rstrip(),
        )
        for match in _UNDERLINED.finditer(text.replace("\r\n", " \n"))
        if len(match["line"]) >= 3
    ]
    return document_of(
        content,
        text,
        title=headings[0].text if headings else _first_line(text),
        headings=headings,
        notes=notes,
    )


def _first_line(text: str) -> str:
    """Return the first line if it stands alone and does not read like a sentence; else ""."""
    lines = text.lstrip("\ufeff\r\n \t")[: 10 * _TITLE_LENGTH].splitlines()
    if not lines or len(lines) < 3 or lines[1].strip():
        return ""
    line = lines[0].strip()
    return line if len(line) <= _TITLE_LENGTH and not line.endswith((".", "!", "?", ":", ",", ";")) else ""


_FRONT_MATTER = re.compile(
    r"\ufeff?---[ \t]*\r?\n(?P<body>.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL
)
_FIELD = re.compile(r"(?P<key>[^\W\d][\w.-]*)[ \t]*:(?:[ \t]+(?P<value>\S.*))?")
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>\S.*)")
_LINK = re.compile(r"!?\[(?P<text>[^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*_`~]+|<[^>]+>|\s*\{[#.][^}]*\}\s*$")


def read_markdown(content: FileContent) -> Document:
    """Return the document of a Markdown file, with its headings and the fields of its front matter."""
    text, notes = decode(content.data, content.source)
    front = _FRONT_MATTER.match(text)
    fields = _fields(front["body"]) if front else {}
    start = front.end() if front and fields else 0
    headings = _markdown_headings(text, start)
    return document_of(
        content,
        text,
        title=fields.pop("title", ""),
        headings=headings,
        language=fields.pop("language", "") or fields.pop("lang", ""),
        date=date_of(fields),
        date_source="front matter",
        layout="markdown",
        metadata={name: value for name, value in fields.items() if name != "date"},
        notes=notes,
        body=start if text[start:].strip() else 0,
    )


def _fields(front_matter: str) -> dict[str, str]:
    r"""Return the fields of a front matter; an empty dict if it is text between two rules.

    >>> _fields("title: 'Pier log'\ntags:\n  - boats\n  - nets\n# a comment"), _fields("It rained.")
    ({'title': 'Pier log', 'tags': 'boats, nets'}, {})
    """
    values_of: dict[str, list[str]] = {}
    key = ""
    for line in front_matter.splitlines():
        field, item = _FIELD.fullmatch(line.rstrip()), _ITEM.fullmatch(line.rstrip())
        if field is not None:
            key = field["key"].lower()
            values_of[key] = [_unquoted(field["value"] or "")]
        elif not line.strip() or line.lstrip().startswith("#"):
            continue
        elif key and (item is not None or line[0] in " \t"):
            values_of[key].append(_unquoted(line if item is None else item["value"]))
        else:
            return {}
    return {key: ", ".join(value for value in values if value) for key, values in values_of.items()}


def _unquoted(value: str) -> str:
    """Return a value without its quotation marks, and without the sign that lines follow."""
    value = value.strip()
    return "" if value in ("|", ">", "|-", ">-") else value.strip("'\"")


def _markdown_headings(text: str, start: int) -> list[Heading]:
    """Return the headings by the rules of CommonMark: not in code, quotes or lists."""
    from markdown_it import MarkdownIt

    body = text[start:]
    # The parser counts "\r\n" and "\r" as one line end, as `splitlines` does; other line breaks of Unicode it
    # does not know.
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", body)
    starts = [start, *accumulate((len(line) for line in lines), initial=start)][1:]
    headings: list[Heading] = []
    # Emphasis and links inside of lines are not needed, and take the parser very long for some files.
    tokens = MarkdownIt("commonmark").disable("inline").parse(body)
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open" or opening.level > 0 or opening.map is None:
            continue
        first, after = opening.map
        begin, end = starts[first], starts[min(after, len(lines))]
        shown = _MARKS.sub("", _LINK.sub(r"\g<text>", inline.content))
        end = begin + len(text[begin:end].rstrip())
        headings.append(
            Heading(start=begin, end=end, level=int(opening.tag[1]), text=" ".join(shown.split()))
        )
    return headings
