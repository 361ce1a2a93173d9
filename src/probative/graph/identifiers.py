"""Names for people, made of the identifiers that stand in a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

from probative.errors import InputError
from probative.graph.arguments import check_path, shown
from probative.text.cleaning import clean

_IRI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://\S+|urn:\S+")
# ConceptNet's own identifiers: /c/en/hot_dog/n and /r/IsA.
_CONCEPT = re.compile(r"/(?:c/[a-z]{2,3}|r)/([^/]+)(?:/.*)?")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def entity_name(identifier: str) -> str:
    """An entity's identifier as people write it.

    >>> entity_name("idea_or_concept"), entity_name("/c/en/hot_dog/n")
    ('idea or concept', 'hot dog')
    >>> entity_name("http://dbpedia.org/resource/Ida_Brandt")
    'Ida Brandt'
    """
    if identifier.startswith("_:"):  # a node of RDF without a name
        return clean(identifier)
    if ":" in identifier or "/" in identifier:
        identifier = _local(identifier)
    spaced = identifier.replace("_", " ")
    # What can be printed needs no cleaning: a third of the time for a million names.
    return (" ".join(spaced.split()) if spaced.isprintable() else clean(spaced)) or clean(identifier)


def relation_name(identifier: str) -> str:
    """A relation's identifier as people write it.

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
    """The part of an IRI or of a ConceptNet identifier that names the thing."""
    if identifier[:1] == "/" and (concept := _CONCEPT.fullmatch(identifier)):
        return concept[1]
    if ":" in identifier and _IRI.fullmatch(identifier):
        return unquote(re.split(r"[#/:]", identifier.rstrip("#/"))[-1]) or identifier
    return identifier


def read_names(files: str | Path | Iterable[str | Path] | None) -> dict[str, str]:
    """Identifier → name, from files with an identifier, a tab and its name in each line."""
    names: dict[str, str] = {}
    try:
        listed = [files] if isinstance(files, str | Path) else list(files or ())
    except TypeError:
        raise InputError(f"names are the paths of files, not {shown(files)}") from None
    for file in listed:
        try:
            lines = check_path(file, "a file of names").read_text(encoding="utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"the names in {file} cannot be read: {error}") from None
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            identifier, tab, name = line.partition("\t")
            if not tab or not identifier.strip() or not clean(name):
                raise InputError(
                    f"line {number} of {file} is no identifier, tab and name: {clean(line)[:80]!r}"
                )
            names[identifier.strip()] = clean(name)
        if not names:
            raise InputError(f"there are no names in {file}")
    return names
