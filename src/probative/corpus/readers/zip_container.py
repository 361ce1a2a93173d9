"""Read members of a zip file (DOCX, EPUB) without trusting what it says of itself."""

from __future__ import annotations

import io
import zipfile
import zlib
from datetime import date
from typing import IO, Self
from xml.etree import ElementTree

from probative.corpus.readers.file_content import FileContent
from probative.errors import UnreadableError

# The text of a 1,000-page book is 3 MB, with markup about 20 MB.
MAX_UNPACKED = 128 * 2**20
MAX_MEMBERS = 20_000
_CHUNK = 2**16


def kind_of_zip(content: FileContent) -> str:
    """Return "docx" or "epub"; raises `UnreadableError` for other zip files."""
    names = set(Container(content).names)
    if "word/document.xml" in names:
        return "docx"
    if "META-INF/container.xml" in names:
        return "epub"
    raise UnreadableError(
        "archive", f"{content.source} is a zip file without a document", hint="unpack it into the folder"
    )


class _NoDocumentType(ElementTree.TreeBuilder):
    """Builds a tree, and refuses a document type in any encoding and at any place."""

    def __init__(self, member: str) -> None:
        super().__init__()
        self._member = member

    def doctype(self, *_: str | None) -> None:
        raise UnreadableError("damaged", f"{self._member} has a document type, which may define entities")


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

    def xml(self, name: str) -> ElementTree.Element:
        """Return the root element of an XML member. A member with a document type is refused: it may define
        entities that grow without end.
        """
        parser = ElementTree.XMLParser(target=_NoDocumentType(f"{name} of {self.source}"))  # noqa: S314
        try:
            parser.feed(self.read(name))
            root: ElementTree.Element = parser.close()
            return root
        except ElementTree.ParseError as error:
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
