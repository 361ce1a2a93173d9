"""HTML: its text with headings, lists and tables, and the reader of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from probative.corpus.documents.document import Document
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.table import add_table, spanned
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.errors import UnreadableError

_SKIPPED = frozenset((
    "script", "style", "noscript", "template", "svg", "math", "nav", "form", "button", "select", "input",
    "textarea", "iframe", "object", "canvas", "audio", "video", "head", "link", "meta", "dialog",
))  # fmt: skip
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "header", "hr", "html", "legend", "li",
    "main", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
    "ul",
))  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# The parser's own limit on nesting keeps recursion shallow enough; deeper trees are cut here.
_MAX_DEPTH = 200
_DECLARED_ENCODING = re.compile(
    rb"<(?:meta[^>]+charset|\?xml[^>]+encoding)\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE
)
# The parser compares each attribute of a tag with all before it: 40,000 take half a minute.
_MAX_ATTRIBUTES = 1_000
_TOO_MANY_ATTRIBUTES = re.compile(
    r"<[a-zA-Z][^\s/>]*+"
    rf"(?>[\s/]++[^\s\"'<>/=]++(?:\s*+=\s*+(?>\"[^\"]*+\"|'[^']*+'|[^\s\"'<>]++))?){{{_MAX_ATTRIBUTES + 1}}}"
)


def parse_html(text: str, source: str) -> Any:
    """Return the tree of an HTML page; raises `UnreadableError` if a tag has very many attributes."""
    from selectolax.lexbor import LexborHTMLParser

    if _TOO_MANY_ATTRIBUTES.search(text):
        raise UnreadableError("damaged", f"{source} has a tag with more than {_MAX_ATTRIBUTES:,} attributes")
    return LexborHTMLParser(text)


def parse_page(data: bytes, source: str) -> tuple[Any, tuple[str, ...]]:
    """Return the tree of an HTML page, and notes on its encoding; raises `UnreadableError`."""
    declared = _DECLARED_ENCODING.search(data[:4096])
    text, notes = decode(data, source, declared[1].decode("ascii") if declared else None)
    return parse_html(text, source), notes


def add_markup(builder: TextBuilder, root: Any) -> None:
    """Add the text below an element, block by block; nothing if there is none."""
    if root is not None:
        _Walk(builder).blocks(root, 0)


class _Walk:
    """Collects inline text until a block ends."""

    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._inline: list[str] = []
        self._prefix = ""
        self._separator: str | None = None

    def blocks(self, node: Any, depth: int) -> None:
        for child in node.iter(include_text=True):
            tag = child.tag
            if tag == "-text":
                self._inline.append(child.text_content or "")
            elif tag == "br":
                self._inline.append("\n")
            elif tag is None or tag in _SKIPPED or is_hidden(child) or depth > _MAX_DEPTH:
                continue
            else:
                self._element(child, tag, depth)
        if depth == 0:
            self._flush()

    def _element(self, node: Any, tag: str, depth: int) -> None:
        if tag in _HEADINGS:
            self._flush()
            self._builder.heading(inline_text(node), _HEADINGS[tag])
        elif tag == "table" and not is_layout(node):
            self._flush()
            self._table(node)
        elif tag == "pre":
            self._flush()
            self._builder.paragraph(node.text().strip("\r\n"))
        elif tag == "img":
            self._inline.append(f" {node.attributes.get('alt') or ''} ")
        elif tag in _BLOCKS:
            self._flush()
            self._item(node, tag)
            self.blocks(node, depth + 1)
            self._flush()
            self._prefix = ""
        else:
            self.blocks(node, depth + 1)

    def _item(self, node: Any, tag: str) -> None:
        """Prepare the mark of a list item."""
        if tag != "li":
            return
        parent = node.parent
        number = ""
        if parent is not None and parent.tag == "ol":
            before = [item for item in parent.iter() if item.tag == "li"]
            position = next((i for i, item in enumerate(before) if item == node), 0)
            first = parent.attributes.get("start") or "1"
            number = f"{position + (int(first) if first.lstrip('-').isdigit() else 1)}. "
        self._prefix = number or "- "

    def _table(self, node: Any) -> None:
        caption = node.css_first("caption")
        if caption is not None:
            self._builder.paragraph(inline_text(caption))
        rows, has_header = table_cells(node)
        add_table(self._builder, rows, has_header=has_header)

    def _flush(self) -> None:
        lines = (" ".join(line.split()) for line in _joined(self._inline).split("\n"))
        text = "\n".join(line for line in lines if line)
        self._inline = []
        if text:
            self._builder.paragraph(self._prefix + text, "\n" if self._prefix and self._separator else "\n\n")
            self._separator = self._prefix or None
            self._prefix = ""


def _joined(pieces: list[str]) -> str:
    """Join pieces of inline text; only `br` gives line ends, which come as pieces of their own."""
    return "".join(piece if piece == "\n" else re.sub(r"\s+", " ", piece) for piece in pieces)


def inline_text(node: Any) -> str:
    """Return the text of an element on one line, without what is hidden or skipped."""
    return " ".join("".join(_inline_pieces(node, 0)).split())


def _inline_pieces(node: Any, depth: int) -> Iterator[str]:
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            yield child.text_content or ""
        elif child.tag in _SKIPPED or depth > _MAX_DEPTH or is_hidden(child):
            continue
        else:
            apart = " " if child.tag in _BLOCKS or child.tag == "br" else ""
            yield apart
            yield from _inline_pieces(child, depth + 1)
            yield apart


def is_hidden(node: Any) -> bool:
    """Return whether a browser would not show the element."""
    attributes = node.attributes
    marked = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    return marked or _HIDDEN.search(attributes.get("style") or "") is not None


def is_layout(table: Any) -> bool:
    """Return whether a table only places blocks on the page."""
    return (
        table.attributes.get("role") == "presentation"
        or table.css_first("td table, td p + p, td h1, td h2, td h3, td ul") is not None
    )


def table_cells(table: Any) -> tuple[list[list[str]], bool]:
    """Return the rows of a table, and whether the first one names the columns."""
    rows: list[list[str]] = []
    has_header = False
    for row in table.css("tr"):
        cells = [cell for cell in row.iter() if cell.tag in ("td", "th")]
        if not rows and cells:
            in_head = row.parent is not None and row.parent.tag == "thead"
            has_header = in_head or all(cell.tag == "th" for cell in cells)
        texts: list[str] = []
        for cell in cells:
            texts += spanned(inline_text(cell), cell.attributes.get("colspan"))
        if any(texts):
            rows.append(texts)
    return rows, has_header


_DATES = ("article:published_time", "date", "dc.date", "dcterms.date", "dcterms.created", "datepublished")
_NAMES = ("author", "description", "keywords")


def read_html(content: FileContent) -> Document:
    """Return the document of an HTML page: its main part, without navigation, scripts and hidden text."""
    tree, notes = parse_page(content.data, content.source)
    builder = TextBuilder()
    add_markup(builder, main_part(tree))
    fields = _fields(tree)
    title = tree.css_first("title")
    root = tree.root
    return document_of(
        content,
        builder,
        title=fields.get("og:title", "") or (title.text() if title is not None else ""),
        language=(root.attributes.get("lang") or "") if root is not None else "",
        date=next((fields[name] for name in _DATES if name in fields), None) or _time(tree),
        metadata={name: fields[name] for name in _NAMES if name in fields},
        notes=notes,
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
        name = next(filter(None, map(node.attributes.get, ("name", "property", "itemprop"))), None)
        if name:
            fields.setdefault(name.lower(), (node.attributes.get("content") or "").strip())
    return fields


def _time(tree: Any) -> str | None:
    """Return the date of the first `time` element, if the page has only one date."""
    times = {node.attributes.get("datetime") or "" for node in tree.css("time[datetime]")}
    return next(iter(times)) if len(times) == 1 else None
