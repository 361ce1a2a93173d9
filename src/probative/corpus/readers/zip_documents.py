"""Read members of a zip file without trusting what it says of itself; and EPUB books."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Collection, Iterator
from datetime import date
from typing import IO, Self
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from probative.corpus.documents.document import Document
from probative.corpus.readers.html import add_markup, parse_page
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.errors import UnreadableError
from probative.text.labels import counted

# The text of a 1,000-page book is 3 MB, with markup about 20 MB.
MAX_UNPACKED = 128 * 2**20
MAX_MEMBERS = 20_000
_CHUNK = 2**16
# The members that tell what a zip file is.
_MEMBERS = {
    "word/document.xml": "docx",
    "xl/workbook.xml": "xlsx",
    "ppt/presentation.xml": "pptx",
    "META-INF/container.xml": "epub",
}
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."
_OPEN_DOCUMENTS = {"text": "odt", "text-master": "odt", "spreadsheet": "ods"}
_MAX_TYPE = 100


def kind_of_zip(content: FileContent) -> str:
    """Return the format of a zip file; raises `UnreadableError` if it has no document."""
    with Container(content) as container:
        for member, kind in _MEMBERS.items():
            if member in container:
                return kind
        if "mimetype" in container:
            stated = container.read("mimetype")[:_MAX_TYPE].decode("ascii", "replace").strip()
            if kind := _OPEN_DOCUMENTS.get(stated.removeprefix(_OPEN_DOCUMENT).removesuffix("-template"), ""):
                return kind
    raise UnreadableError(
        "archive", f"{content.source} is a zip file without a document", hint="unpack it into the folder"
    )


def local_name(element: Element) -> str:
    """Return the name of an element without that of its schema."""
    return element.tag.rpartition("}")[2]


class _NoDocumentType(ElementTree.TreeBuilder):
    """Builds a tree, and refuses a document type in any encoding and at any place."""

    def __init__(self, member: str) -> None:
        super().__init__()
        self._member = member

    def doctype(self, *_: str | None) -> None:
        raise UnreadableError("damaged", f"{self._member} has a document type, which may define entities")


class _Pieces(_NoDocumentType):
    """Collects the elements with some names, and forgets all others as soon as they end."""

    def __init__(self, member: str, names: Collection[str], starts: Collection[str]) -> None:
        super().__init__(member)
        self._names, self._starts = names, starts
        self._open: list[Element] = []
        self._outermost = 0
        self.complete: list[Element] = []

    def start(self, tag: str, attributes: dict[str, str]) -> Element:
        element = super().start(tag, attributes)
        self._open.append(element)
        if not self._outermost:
            name = local_name(element)
            if name in self._names:
                self._outermost = len(self._open)
            elif name in self._starts:
                self.complete.append(element)
        return element

    def end(self, tag: str) -> Element:
        element = super().end(tag)
        depth = len(self._open)
        self._open.pop()
        if depth == self._outermost:
            self.complete.append(element)
            self._outermost = 0
        if not self._outermost and self._open:
            self._open[-1].remove(element)
        return element


class Container:
    """The members of a zip file; what is unpacked from it in all is limited.

    A bomb of 1 MB may unpack to 1 GB and more, and its directory may lie about the size, so that the bytes
    are counted as they come.
    """

    def __init__(self, content: FileContent) -> None:
        self.source = content.source
        self._left = MAX_UNPACKED
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content.data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            raise UnreadableError("damaged", f"{self.source} is a damaged zip file: {error}") from error
        self.names = self._zip.namelist()
        if len(self.names) > MAX_MEMBERS:
            raise UnreadableError("zip bomb", f"{self.source} has {len(self.names):,} members")

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    def written(self, name: str) -> date | None:
        """Return the day on which a member was written; None if the file does not say."""
        year, month, day = self._zip.getinfo(name).date_time[:3]
        try:
            return date(year, month, day) if year > 1980 else None  # 1980 is the zero of the format
        except ValueError:
            return None

    def read(self, name: str) -> bytes:
        """Return the bytes of a member; raises `UnreadableError`."""
        try:
            info = self._zip.getinfo(name)
            if info.flag_bits & 1:
                raise UnreadableError("encrypted", f"{self.source} is encrypted", hint="remove the password")
            with self._zip.open(info) as member:
                return self._limited(member)
        except KeyError:
            raise UnreadableError("damaged", f"{self.source} has no {name}") from None
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
            raise UnreadableError("damaged", f"{name} of {self.source} is damaged: {error}") from error

    def xml(self, name: str) -> Element:
        """Return the root element of an XML member. A member with a document type is refused: it may define
        entities that grow without end.
        """
        target = _NoDocumentType(f"{name} of {self.source}")
        for _ in self._parsing(name, target):
            pass
        return target.close()

    def pieces(self, name: str, *names: str, starts: Collection[str] = ()) -> Iterator[Element]:
        """Yield the elements of an XML member that have one of these names, without the names of their
        schemas; the whole of a large table takes too much memory. Those in `starts` come when they start,
        with nothing inside.
        """
        target = _Pieces(f"{name} of {self.source}", names, starts)
        for _ in self._parsing(name, target):
            yield from target.complete
            target.complete.clear()

    def _parsing(self, name: str, target: _NoDocumentType) -> Iterator[None]:
        """Parse a member chunk by chunk."""
        parser = ElementTree.XMLParser(target=target)  # noqa: S314
        data = self.read(name)
        try:
            for start in range(0, len(data), _CHUNK):
                parser.feed(data[start : start + _CHUNK])
                yield
            parser.close()
        except (ElementTree.ParseError, LookupError, ValueError) as error:  # also of an unknown encoding
            raise UnreadableError("damaged", f"{name} of {self.source} is not XML: {error}") from error

    def _limited(self, member: IO[bytes]) -> bytes:
        chunks: list[bytes] = []
        while chunk := member.read(_CHUNK):
            self._left -= len(chunk)
            if self._left < 0:
                raise UnreadableError(
                    "zip bomb",
                    f"{self.source} unpacks to more than {MAX_UNPACKED:,} bytes",
                    hint="if it is a real document, save it without its images",
                )
            chunks.append(chunk)
        return b"".join(chunks)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()


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
                add_markup(builder, parse_page(container.read(name), content.source)[0].body)
            else:
                missing.append(name)
    fields = _metadata(package)
    return document_of(
        content,
        builder,
        title=fields.get("title", ""),
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
        if local_name(element) == "rootfile" and element.get("full-path"):
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
    items = {item.get("id"): item for item in package.iter() if local_name(item) == "item"}
    references = [element.get("idref") for element in package.iter() if local_name(element) == "itemref"]
    chapters = [items[reference] for reference in references if reference in items]
    return [
        posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
        for item in chapters
        if item.get("media-type") in _HTML and "nav" not in (item.get("properties") or "").split()
    ]


def _metadata(package: Element) -> dict[str, str]:
    """Return the first value of each field."""
    fields: dict[str, str] = {}
    metadata = next((element for element in package if local_name(element) == "metadata"), None)
    for element in metadata if metadata is not None else ():
        fields.setdefault(local_name(element), (element.text or "").strip())
    return fields
