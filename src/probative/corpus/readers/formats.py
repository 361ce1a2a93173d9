"""The table of formats: which reader reads a file, by its content and its suffix."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from probative.corpus.documents.document import Document
from probative.corpus.readers.image import is_picture
from probative.corpus.readers.text_builder import MAX_CHARACTERS, FileContent, read_bytes
from probative.corpus.readers.zip_documents import kind_of_zip
from probative.errors import UnreadableError
from probative.registry import Registry

Reader = Callable[[FileContent], Document]
"""Takes a file's name and bytes; returns its document or raises `UnreadableError`."""

# The function that reads a format, and the suffixes of its files.
_FORMATS = {
    "csv": ("table:read_table", ".csv .tsv .tab"),
    "docx": ("docx:read_docx", ".docx .docm .dotx"),
    "email": ("mail:read_message", ".eml"),
    "epub": ("zip_documents:read_epub", ".epub"),
    "html": ("html:read_html", ".html .htm .xhtml .xht"),
    "image": ("image:read_image", ".png .jpg .jpeg .tif .tiff .webp"),
    "jsonl": ("records:read_json_lines", ".jsonl .ndjson .json"),
    "mailbox": ("mail:read_mailbox", ".mbox .mbx"),
    "markdown": ("text:read_markdown", ".md .markdown .mdown .mkd"),
    "ods": ("ods:read_ods", ".ods .ots"),
    "odt": ("odt:read_odt", ".odt .ott .odm"),
    "pdf": ("pdf:read_pdf", ".pdf"),
    "pptx": ("pptx:read_pptx", ".pptx .pptm .ppsx .potx"),
    "text": ("text:read_text", ".txt .text .log .rst .tex"),
    "xlsx": ("xlsx:read_xlsx", ".xlsx .xlsm .xltx .xltm"),
}
READERS = Registry(
    "reader",
    {name: f"probative.corpus.readers.{reader}" for name, (reader, _) in _FORMATS.items()},
    group="probative.readers",
)
"""Readers by format. A plug-in is called like the suffix it reads, without the dot ("odp")."""

_BY_SUFFIX = {suffix: name for name, (_, suffixes) in _FORMATS.items() for suffix in suffixes.split()}
_BY_SUFFIX[""] = "text"
_NEVER_TEXT = ("docx", "epub", "image", "odt", "ods", "pdf", "pptx", "xlsx")
# How files begin that have no text for us, and what to do about it.
_NO_TEXT = (
    (
        b"\xd0\xcf\x11\xe0",
        "encrypted or old",
        "save it as .docx, .xlsx or .pptx without a password, or as a PDF",
    ),
    (b"{\\rtf", "RTF", "save it as .docx or as a PDF"),
    (b"GIF8", "image", "save it as PNG"),
    (b"\x1f\x8b", "compressed", "unpack it"),
    (b"7z\xbc\xaf", "compressed", "unpack it"),
    (b"BZh", "compressed", "unpack it"),
)
_SURROGATE = re.compile("[\ud800-\udfff]")
# A comment ends at its first "-->": if it could go on, many comments would be divided in all possible ways.
_HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.S
)


def read_suffixes() -> tuple[str, ...]:
    """Return the suffixes of files that have a reader, those of plug-ins included.

    >>> {".pdf", ".docx", ".eml"} <= set(read_suffixes()), ".odp" in read_suffixes()
    (True, False)
    """
    plugins = {f".{name}" for name in READERS.names() if name not in _FORMATS}
    return tuple(sorted({*_BY_SUFFIX, *plugins} - {""}))


def read_document(path: Path, source: str | None = None) -> Document:
    r"""Return the document in a file. `source` is its name in the corpus; without it, the name of the file.

    The content decides the format, then the suffix; a text with an unknown suffix is read as plain text.
    Raises `UnreadableError` with a `reason`: encrypted, scanned, binary, too large, damaged…

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "log.md")
    ...     _ = file.write_text("# Log\n\nIt rained. We left.")
    ...     document = read_document(file)
    >>> document.source, document.title, document.language
    ('log.md', 'Log', 'en')
    """
    return document_in(read_bytes(path, path.name if source is None else source))


def document_in(content: FileContent) -> Document:
    """Return the document in the bytes of a file; see `read_document`."""
    name = format_of(content)
    reader: Reader = READERS.load(name)
    document = _with_whole_characters(reader(content))
    if len(document.text) > MAX_CHARACTERS:
        raise UnreadableError(
            "too large",
            f"{content.source} has {len(document.text):,} characters, more than {MAX_CHARACTERS:,}",
            hint="split it into several files",
        )
    if not document.text.strip():
        raise UnreadableError("empty", f"{content.source} has no text")
    expected = _BY_SUFFIX.get(content.suffix)
    if expected is not None and expected != name and content.suffix:
        note = f"the name ends in {content.suffix}, the content is {name}"
        return document.model_copy(update={"notes": (*document.notes, note)})
    return document


def _with_whole_characters(document: Document) -> Document:
    r"""Return a document without lone surrogates, which JSON can hold ("\ud800") and no other text can; only
    the name of a file may have them.
    """
    try:
        document.model_dump_json(exclude={"source"})
        return document
    except ValueError:  # of pydantic, for what UTF-8 cannot encode
        fields = _replaced(document.model_dump(exclude={"source"}))
        return Document(source=document.source, **fields)


def _replaced(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_replaced(key): _replaced(each) for key, each in value.items()}
    return [_replaced(each) for each in value] if isinstance(value, list | tuple) else value


def format_of(content: FileContent) -> str:
    """Return the name of the format of a file; raises `UnreadableError` if no reader reads it."""
    suffix = content.suffix
    if suffix not in _BY_SUFFIX and suffix[1:] in READERS:
        return suffix[1:]
    data = content.data
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if is_picture(data):
        return "image"
    for start, reason, hint in _NO_TEXT:
        if data.startswith(start):
            raise UnreadableError(reason, f"{content.source} is no document ({reason})", hint=hint)
    if data.startswith(b"PK\x03\x04"):
        return kind_of_zip(content)
    if _BY_SUFFIX.get(suffix) in _NEVER_TEXT:
        raise UnreadableError("damaged", f"{content.source} is not a {suffix[1:].upper()} file")
    if _HTML_START.match(data[:4096]):
        return "html"
    return _BY_SUFFIX.get(suffix, "text")
