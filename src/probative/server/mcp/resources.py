"""The documents of the registered corpora as resources, named ``probative://CORPUS/SOURCE``.

A document is looked up by its name in the index; no file is opened, so a name cannot lead to another file. A
citation behind the corpus, ``probative://CORPUS/SOURCE#page=2&char=120,188``, is the cited text alone.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from mcp import types

from probative.corpus.documents.document import Citation
from probative.errors import InputError
from probative.server.base.errors import NotThereError

if TYPE_CHECKING:
    from probative.corpus.documents.document import Document
    from probative.server.state.catalog import Catalog

SCHEME = "probative://"
TEMPLATE = f"{SCHEME}{{corpus}}/{{+source}}"
# Documents in one answer to resources/list.
PAGE = 100
MEDIA_TYPE = "text/plain"


def document_uri(corpus: str, source: str) -> str:
    """Return the address of a document.

    >>> document_uri("harbour", "minutes/may 2024.md")
    'probative://harbour/minutes/may%202024.md'
    """
    return f"{SCHEME}{quote(corpus, safe='')}/{quote(source, safe='/', errors='surrogateescape')}"


def parse_uri(uri: str) -> tuple[str, str, str]:
    """Return the corpus, the source and the fragment of an address; raises `InputError`.

    >>> parse_uri("probative://harbour/minutes/may%202024.md#char=0,10")
    ('harbour', 'minutes/may 2024.md', 'char=0,10')
    """
    address, _, fragment = uri.partition("#")
    corpus, slash, source = address.removeprefix(SCHEME).partition("/")
    if not address.startswith(SCHEME) or not corpus or not slash or not source:
        raise InputError(f"{uri!r} names no document", hint=f"write it as {SCHEME}CORPUS/SOURCE")
    # The name of a sheet keeps its escapes: it may have signs that end it.
    signs = re.sub(r"%(?:2C|3A|3D)", lambda match: unquote(match.group()), fragment, flags=re.IGNORECASE)
    return unquote(corpus), unquote(source, errors="surrogateescape"), signs


def list_documents(catalog: Catalog, cursor: str | None) -> types.ListResourcesResult:
    """Return a page of the documents of all corpora, in the order of their names."""
    names = sorted(catalog.corpora)
    corpus, offset = _position(cursor, names)
    listed: list[types.Resource] = []
    while corpus < len(names) and len(listed) < PAGE:
        opened = catalog.corpus(names[corpus])
        sources = opened.sources()
        some = sources[offset : offset + PAGE - len(listed)]
        listed += [_resource(names[corpus], opened.document(source)) for source in some]
        offset += len(some)
        if offset >= len(sources):
            corpus, offset = corpus + 1, 0
    following = _cursor(names[corpus], offset) if corpus < len(names) else None
    return types.ListResourcesResult(resources=listed, next_cursor=following)


def list_templates() -> types.ListResourceTemplatesResult:
    """Return the form of all addresses."""
    template = types.ResourceTemplate(
        name="document",
        title="A document of a registered corpus",
        uri_template=TEMPLATE,
        description="The text of a document as it was indexed. Add a citation's #char=START,END for a part.",
        mime_type=MEDIA_TYPE,
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


def read_document(catalog: Catalog, uri: str) -> types.ReadResourceResult:
    """Return the text of a document, or of the part that the fragment names; raises `InputError`."""
    corpus, source, fragment = parse_uri(uri)
    document = _document(catalog, corpus, source)
    text = _part(document, fragment) if fragment else document.text
    contents = types.TextResourceContents(uri=uri, mime_type=MEDIA_TYPE, text=_sendable(text))
    return types.ReadResourceResult(contents=[contents])


def _document(catalog: Catalog, corpus: str, source: str) -> Document:
    opened = catalog.corpus(corpus)
    try:
        return opened.document(source)
    except InputError:  # its message names the folder of the index, which is none of a client's business
        raise NotThereError(
            f"the corpus {corpus} has no document {source!r}", hint="resources/list names the documents"
        ) from None


def _part(document: Document, fragment: str) -> str:
    citation = Citation.parse(f"document#{fragment}").model_copy(update={"source": document.source})
    citation.check(document)
    return document.quote(citation.start, citation.end)


def _resource(corpus: str, document: Document) -> types.Resource:
    return types.Resource(
        uri=document_uri(corpus, document.source),
        name=_sendable(document.source),
        title=_sendable(document.title) or None,
        description=f"A document of the corpus {corpus}" + (f", {document.date}" if document.date else ""),
        mime_type=MEDIA_TYPE,
        size=len(_sendable(document.text).encode()),
    )


def _sendable(text: str) -> str:
    """Return a text as JSON can carry it: a name that is not valid UTF-8 gets question marks."""
    return text.encode("utf-8", "replace").decode()


def _cursor(corpus: str, offset: int) -> str:
    return base64.urlsafe_b64encode(json.dumps([corpus, offset]).encode()).decode()


def _position(cursor: str | None, names: list[str]) -> tuple[int, int]:
    """Return the number of a corpus and an offset in it; raises `InputError` for a foreign cursor."""
    if cursor is None:
        return 0, 0
    try:
        corpus, offset = json.loads(base64.b64decode(cursor, altchars=b"-_", validate=True))
        if not isinstance(offset, int) or offset < 0:
            raise ValueError
        return names.index(corpus), offset
    except (binascii.Error, ValueError, TypeError):
        raise InputError("the cursor is not one of this server", hint="list from the beginning") from None
