"""Writing a source as an EPUB 3 book: one chapter for each first-level heading."""

from __future__ import annotations

import re
import zipfile
from html import escape
from pathlib import Path

from corpus_source import Source
from markdown_it import MarkdownIt

# The earliest time that a ZIP archive can hold: the same bytes at every run.
EPOCH = (1980, 1, 1, 0, 0, 0)
CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:wennet-bay:{name}</dc:identifier>
<dc:title>{title}</dc:title>
<dc:creator>{author}</dc:creator>
<dc:language>{language}</dc:language>
<dc:date>{date}</dc:date>
<meta property="dcterms:modified">{date}T00:00:00Z</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
{items}
</manifest>
<spine>
{spine}
</spine>
</package>
"""
PAGE = """<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="{language}">
<head><title>{title}</title></head>
<body>
{body}</body>
</html>
"""


def write_epub(source: Source, path: Path) -> None:
    """Write the source as a book."""
    values = {key: escape(value) for key, value in source.metadata.items()}
    chapters = [part for part in re.split(r"(?m)^(?=# )", source.body) if part.strip()]
    titles = [escape(chapter.splitlines()[0].removeprefix("# ")) for chapter in chapters]
    names = [f"chapter-{i}.xhtml" for i in range(1, len(chapters) + 1)]
    links = "\n".join(
        f'<li><a href="{name}">{title}</a></li>' for name, title in zip(names, titles, strict=True)
    )
    contents = f'<nav epub:type="toc"><h1>Contents</h1><ol>\n{links}\n</ol></nav>\n'
    items = "\n".join(
        f'<item id="{Path(name).stem}" href="{name}" media-type="application/xhtml+xml"/>' for name in names
    )
    spine = "\n".join(f'<itemref idref="{Path(name).stem}"/>' for name in names)
    markdown = MarkdownIt("commonmark", {"xhtmlOut": True})
    with zipfile.ZipFile(path, "w") as book:
        # The standard wants this member first and not compressed.
        book.writestr(zipfile.ZipInfo("mimetype", EPOCH), "application/epub+zip")

        def add(name: str, text: str) -> None:
            book.writestr(zipfile.ZipInfo(name, EPOCH), text, zipfile.ZIP_DEFLATED, 9)

        add("META-INF/container.xml", CONTAINER)
        add("book/book.opf", PACKAGE.format(**values, name=path.stem, items=items, spine=spine))
        add("book/nav.xhtml", PAGE.format(**values, body=contents))
        for name, title, chapter in zip(names, titles, chapters, strict=True):
            page = {**values, "title": title, "body": markdown.render(chapter)}
            add(f"book/{name}", PAGE.format(**page))
