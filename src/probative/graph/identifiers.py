"""Readable names from the identifiers in a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

from probative.errors import InputError
from probative.graph.formats.arguments import check_path, short_repr
from probative.text.words import clean

_IRI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://\S+|urn:\S+")
# ConceptNet's own identifiers: /c/en/hot_dog/n and /r/IsA.
_CONCEPT = re.compile(r"/(?:c/[a-z]{2,3}|r)/([^/]+)(?:/.*)?")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def entity_name(identifier: str) -> str:
    """Return a readable name for the identifier of an entity.

    >>> entity_name("idea_or_concept"), entity_name("/c/en/hot_dog/n")
    ('idea or concept', 'hot dog')
    >>> entity_name("http://dbpedia.org/resource/Ida_Brandt")
    'Ida Brandt'
    """
    if identifier.startswith("_:"):  # a blank node of RDF
        return clean(identifier)
    if ":" in identifier or "/" in identifier:
        identifier = _local(identifier)
    spaced = identifier.replace("_", " ")
    # Printable text needs no cleaning, which takes three times as long.
    return (" ".join(spaced.split()) if spaced.isprintable() else clean(spaced)) or clean(identifier)


def relation_name(identifier: str) -> str:
    """Return a readable name for the identifier of a relation.

    >>> relation_name("AtLocation"), relation_name("part_of"), relation_name("HasDNATest")
    ('at location', 'part of', 'has DNA test')
    >>> relation_name("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    'is a'
    """
    if identifier == "http://www.w3.org/1999/02/22-rdf-syntax-ns#type":
        return "is a"
    name = entity_name(identifier)
    if " " in name or not _HUMPS.search(name):
        return name
    words = _HUMPS.split(name)
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


def _local(identifier: str) -> str:
    """Return the part of an IRI or of a ConceptNet identifier that names the entity."""
    if identifier[:1] == "/" and (concept := _CONCEPT.fullmatch(identifier)):
        return concept[1]
    if ":" in identifier and _IRI.fullmatch(identifier):
        return unquote(re.split(r"[#/:]", identifier.rstrip("#/"))[-1]) or identifier
    return identifier


def read_names(files: str | Path | Iterable[str | Path] | None) -> dict[str, str]:
    """Read a map from identifiers to names from files with lines of identifier, tab, name."""
    names: dict[str, str] = {}
    try:
        paths = [files] if isinstance(files, str | Path) else list(files or ())
    except TypeError:
        raise InputError(f"names must be the paths of files, got {short_repr(files)}") from None
    for file in paths:
        try:
            lines = check_path(file, "the file of names").read_text(encoding="utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"the names in {file} cannot be read: {error}", hint="give a file in UTF-8"
            ) from None
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            identifier, tab, name = line.partition("\t")
            if not tab or not identifier.strip() or not clean(name):
                raise InputError(
                    f"line {number} of {file} must be identifier, tab, name, got {clean(line)[:80]!r}"
                )
            names[identifier.strip()] = clean(name)
        if not names:
            raise InputError(f"{file} contains no names", hint="write lines of identifier, tab, name")
    return names
