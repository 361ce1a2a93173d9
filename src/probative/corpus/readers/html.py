"""Read HTML pages."""

from __future__ import annotations

import re
from typing import Any

from probative.corpus.document import Document
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.file_content import FileContent
from probative.corpus.readers.markup import add_markup, parse_html
from probative.corpus.readers.text_builder import TextBuilder, document_of

DECLARED_ENCODING = re.compile(
    rb"<(?:meta[^>]+charset|\?xml[^>]+encoding)\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE
)
_DATES = ("article:published_time", "date", "dc.date", "dcterms.date", "dcterms.created", "datepublished")
_NAMES = ("author", "description", "keywords")


def read_html(content: FileContent) -> Document:
    """Return the document of an HTML page: its main part, without navigation, scripts and hidden text."""
    declared = DECLARED_ENCODING.search(content.data[:4096])
    decoded = decode(content.data, content.source, declared[1].decode("ascii") if declared else None)
    tree = parse_html(decoded.text, content.source)
    builder = TextBuilder()
    body = main_part(tree)
    if body is not None:
        add_markup(builder, body)
    fields = _fields(tree)
    title = tree.css_first("title")
    root = tree.root
    return document_of(
        content,
        builder.text,
        title=fields.get("og:title", "") or (title.text() if title is not None else ""),
        headings=builder.headings,
        language=(root.attributes.get("lang") or "") if root is not None else "",
        date=next((fields[name] for name in _DATES if name in fields), None) or _time(tree),
        metadata={name: fields[name] for name in _NAMES if name in fields},
        notes=decoded.notes,
    )


def main_part(tree: Any) -> Any:
    """Return the one `main` or `article` element with the text of the page, or its body."""
    body = tree.body
    if body is None:
        return None
    whole = len(body.text() or "")
    for selector in ("main", "[role=main]", "article"):
        parts = tree.css(selector)
        # A page with several articles is a list of them. A main part with little text is not the text.
        if len(parts) == 1 and len(parts[0].text()) > 0.3 * whole:
            return parts[0]
    return body


def _fields(tree: Any) -> dict[str, str]:
    """Return the named `meta` elements."""
    fields: dict[str, str] = {}
    for node in tree.css("meta[content]"):
        name = (
            node.attributes.get("name") or node.attributes.get("property") or node.attributes.get("itemprop")
        )
        if name:
            fields.setdefault(name.lower(), (node.attributes.get("content") or "").strip())
    return fields


def _time(tree: Any) -> str | None:
    """Return the date of the first `time` element, if the page has only one date."""
    times = {node.attributes.get("datetime") or "" for node in tree.css("time[datetime]")}
    return next(iter(times)) if len(times) == 1 else None
