"""What DOCX, XLSX and PPTX files share: properties, and parts that name one another (ISO/IEC 29500-2)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from datetime import date as calendar_date
from datetime import timedelta
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from probative.corpus.readers.zip_documents import Container, local_name

_RELATED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_STRICT = "{http://purl.oclc.org/ooxml/officeDocument/relationships}"


class Part(NamedTuple):
    """A member that another one names: what it is for it, such as "worksheet", and its own name."""

    kind: str
    name: str


def related(container: Container, part: str) -> dict[str, Part]:
    """Return the parts that a part names, by their ids. What stands outside of the file is left out."""
    folder, name = posixpath.split(part)
    listed = posixpath.join(folder, "_rels", f"{name}.rels")
    if listed not in container:
        return {}
    return {
        each.get("Id", ""): Part(
            each.get("Type", "").rpartition("/")[2],
            posixpath.normpath(posixpath.join(f"/{folder}", unquote(each.get("Target", "")))).lstrip("/"),
        )
        for each in container.xml(listed)
        if each.get("TargetMode") != "External"
    }


def related_id(element: Element) -> str:
    """Return the id of the part that an element stands for."""
    return element.get(f"{_RELATED}id") or element.get(f"{_STRICT}id") or ""


def outermost(element: Element, *names: str) -> Iterator[Element]:
    """Yield the elements with one of these names below an element, and none that is inside another one.

    Every element is looked at once, however deep; the old form of what is there twice is left out.
    """
    left = list(reversed(element))
    while left:
        child = left.pop()
        name = local_name(child)
        if name in names:
            yield child
        elif name != "Fallback":
            left += reversed(child)


def made_on(fields: dict[str, str], written: calendar_date | None) -> str | None:
    """Return when a document was made; None for the date of a template.

    A program that makes a document from a template may leave the template's properties: it was never changed
    since the day it was created, though the file was written on a later one.
    """
    created, modified = fields.get("created", ""), fields.get("modified", "")
    is_later = written is not None and (written - timedelta(days=1)).isoformat() > created[:10]
    return None if created[:10] == modified[:10] and is_later else created or modified or None


def properties(container: Container) -> dict[str, str]:
    """Return title, creator, dates and so on."""
    if "docProps/core.xml" not in container:
        return {}
    root = container.xml("docProps/core.xml")
    return {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in root}
