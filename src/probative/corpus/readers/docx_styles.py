"""Which paragraphs of a Word document are headings and list items: by their styles, in any language."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
# Word keeps the English names of built-in styles in every language.
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_MAX_INHERITED = 20


class Styles:
    """The paragraph styles of a document, with what each inherits."""

    def __init__(self, root: Element | None) -> None:
        self._styles = {
            style.get(f"{W}styleId", ""): style
            for style in (root.iter(f"{W}style") if root is not None else ())
        }

    def level(self, paragraph: Element) -> int | None:
        """Return the level of a heading, from 1; None for other paragraphs."""
        own = _outline(paragraph.find(f"{W}pPr"))
        if own is not None:
            return own
        for style in self._inherited(paragraph):
            outline = _outline(style.find(f"{W}pPr"))
            named = _HEADING.fullmatch(_name(style))
            if outline is not None or named is not None:
                return outline if outline is not None else int(named[1]) if named else None
        return None

    def is_title(self, paragraph: Element) -> bool:
        """Return whether a paragraph is the title of the document."""
        return any(_name(style).lower() == "title" for style in self._inherited(paragraph))

    def is_list_item(self, paragraph: Element) -> bool:
        """Return whether a paragraph has a bullet or a number."""
        properties = [
            paragraph.find(f"{W}pPr"),
            *(style.find(f"{W}pPr") for style in self._inherited(paragraph)),
        ]
        for own in properties:
            numbering = own.find(f"{W}numPr/{W}numId") if own is not None else None
            if numbering is not None:
                return numbering.get(f"{W}val") != "0"
        return False

    def _inherited(self, paragraph: Element) -> list[Element]:
        """Return the style of a paragraph and those that it is based on."""
        named = paragraph.find(f"{W}pPr/{W}pStyle")
        identifier = named.get(f"{W}val", "") if named is not None else ""
        found: list[Element] = []
        while (
            identifier in self._styles and len(found) < _MAX_INHERITED
        ):  # styles may be based on one another
            style = self._styles[identifier]
            found.append(style)
            base = style.find(f"{W}basedOn")
            identifier = base.get(f"{W}val", "") if base is not None else ""
        return found


def _name(style: Element) -> str:
    name = style.find(f"{W}name")
    return name.get(f"{W}val", "") if name is not None else ""


def _outline(properties: Element | None) -> int | None:
    """Return the level of an outline; levels count from 0, and 9 means text."""
    outline = properties.find(f"{W}outlineLvl") if properties is not None else None
    value = outline.get(f"{W}val", "") if outline is not None else ""
    return int(value) + 1 if value.isdigit() and int(value) < 9 else None
