"""Read Markdown. The text of the document is the decoded file, character for character."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

from probative.corpus.document import Document, Heading
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.file_content import FileContent
from probative.corpus.readers.records import date_of
from probative.corpus.readers.text_builder import document_of

_FRONT_MATTER = re.compile(
    r"\ufeff?---[ \t]*\r?\n(?P<body>.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL
)
_FIELD = re.compile(r"(?P<key>[^\W\d][\w.-]*)[ \t]*:(?:[ \t]+(?P<value>\S.*))?")
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>\S.*)")
_LINK = re.compile(r"!?\[(?P<text>[^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*_`~]+|<[^>]+>|\s*\{[#.][^}]*\}\s*$")


def read_markdown(content: FileContent) -> Document:
    """Return the document of a Markdown file, with its headings and the fields of its front matter."""
    decoded = decode(content.data, content.source)
    text = decoded.text
    front = _FRONT_MATTER.match(text)
    fields = _fields(front["body"]) if front else {}
    start = front.end() if front and fields else 0
    headings = _headings(text, start)
    return document_of(
        content,
        text,
        title=fields.pop("title", ""),
        headings=headings,
        language=fields.pop("language", "") or fields.pop("lang", ""),
        date=date_of(fields),
        date_source="front matter",
        metadata={name: value for name, value in fields.items() if name != "date"},
        notes=decoded.notes,
        body=start if text[start:].strip() else 0,
    )


def _fields(front_matter: str) -> dict[str, str]:
    r"""Return the fields of a front matter; none if it is text between two rules.

    >>> _fields("title: 'Pier log'\ntags:\n  - boats\n  - nets\n# a comment"), _fields("It rained.")
    ({'title': 'Pier log', 'tags': 'boats, nets'}, {})
    """
    found: dict[str, list[str]] = {}
    key = ""
    for line in front_matter.splitlines():
        field, item = _FIELD.fullmatch(line.rstrip()), _ITEM.fullmatch(line.rstrip())
        if field is not None:
            key = field["key"].lower()
            found[key] = [_unquoted(field["value"] or "")]
        elif not line.strip() or line.lstrip().startswith("#"):
            continue
        elif key and (item is not None or line[0] in " \t"):
            found[key].append(_unquoted(line if item is None else item["value"]))
        else:
            return {}
    return {key: ", ".join(value for value in values if value) for key, values in found.items()}


def _unquoted(value: str) -> str:
    """Return a value without its quotation marks, and without the sign that lines follow."""
    value = value.strip()
    return "" if value in ("|", ">", "|-", ">-") else value.strip("'\"")


def _headings(text: str, start: int) -> list[Heading]:
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
