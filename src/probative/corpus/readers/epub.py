"""Read EPUB books: a zip file of HTML chapters in the order of the book's spine."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from probative.corpus.document import Document
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.file_content import FileContent
from probative.corpus.readers.html import DECLARED_ENCODING, add_markup, parse_html
from probative.corpus.readers.text_builder import TextBuilder, document_of
from probative.corpus.readers.zip_container import Container
from probative.errors import UnreadableError
from probative.text.labels import counted

_HTML = ("application/xhtml+xml", "text/html")


def read_epub(content: FileContent) -> Document:
    """Return the document of an EPUB book; raises `UnreadableError` if it is protected or damaged."""
    with Container(content) as container:
        package_name = _package_name(container)
        package = container.xml(package_name)
        _check_protection(container)
        builder = TextBuilder()
        missing = []
        for name in _chapters(package, posixpath.dirname(package_name)):
            if name in container:
                _add_chapter(builder, container.read(name), content.source)
            else:
                missing.append(name)
    fields = _metadata(package)
    return document_of(
        content,
        builder.text,
        title=fields.get("title", ""),
        headings=builder.headings,
        language=fields.get("language", ""),
        date=fields.get("date"),
        metadata={"author": fields.get("creator", ""), "publisher": fields.get("publisher", "")},
        notes=_missing(missing),
    )


def _missing(names: list[str]) -> list[str]:
    verb = "is" if len(names) == 1 else "are"
    return [f"{counted(len(names), 'chapter')} {verb} missing, the first: {names[0]}"] if names else []


def _package_name(container: Container) -> str:
    """Return the name of the member that lists all others."""
    for element in container.xml("META-INF/container.xml").iter():
        if _local(element) == "rootfile" and element.get("full-path"):
            return element.get("full-path", "")
    raise UnreadableError("damaged", f"{container.source} names no package")


def _check_protection(container: Container) -> None:
    """Raise `UnreadableError` if chapters are encrypted; encrypted fonts do no harm."""
    if "META-INF/encryption.xml" not in container:
        return
    encrypted = [element.get("URI", "") for element in container.xml("META-INF/encryption.xml").iter()]
    if any(name.lower().endswith((".html", ".xhtml", ".htm")) for name in encrypted):
        raise UnreadableError(
            "encrypted", f"{container.source} has copy protection", hint="get a copy without protection"
        )


def _chapters(package: Element, folder: str) -> list[str]:
    """Return the names of the HTML members, in the order of reading; tables of contents are left out."""
    items = {item.get("id"): item for item in package.iter() if _local(item) == "item"}
    references = [element.get("idref") for element in package.iter() if _local(element) == "itemref"]
    chapters = [items[reference] for reference in references if reference in items]
    return [
        posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
        for item in chapters
        if item.get("media-type") in _HTML and "nav" not in (item.get("properties") or "").split()
    ]


def _add_chapter(builder: TextBuilder, data: bytes, source: str) -> None:
    declared = DECLARED_ENCODING.search(data[:4096])
    decoded = decode(data, source, declared[1].decode("ascii") if declared else None)
    tree = parse_html(decoded.text, source)
    if tree.body is not None:
        add_markup(builder, tree.body)


def _metadata(package: Element) -> dict[str, str]:
    """Return the first value of each field."""
    fields: dict[str, str] = {}
    metadata = next((element for element in package if _local(element) == "metadata"), None)
    for element in metadata if metadata is not None else ():
        fields.setdefault(_local(element), (element.text or "").strip())
    return fields


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]
