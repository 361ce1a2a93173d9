"""Triples from RDF, in any of its notations, through pyoxigraph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from probative.errors import InputError, MissingExtraError
from probative.graph.formats.sources import Row, Source
from probative.text.cleaning import clean

# What names a thing for people, best first.
_LABELS = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
)
_EXTENSIONS = {".owl": "rdf"}
_NAMED = "nt|nq|ttl|trig|n3|xml|jsonld"
_GLANCE = 4_096


def read_rdf(source: Source) -> Iterator[Row]:
    """The statements of an RDF file. Labels become names and no edges, English ones or such of no language
    before others; a literal is an entity of its own words. The number of a row is that of the statement.

    N-Triples and N-Quads go on after a malformed line. In the other notations what follows an error has no
    certain meaning, so it is the end.
    """
    try:
        import pyoxigraph
    except ImportError:
        raise MissingExtraError("graph", "reading RDF") from None
    named = pyoxigraph.RdfFormat.from_extension(_EXTENSIONS.get(source.suffix, source.suffix.lstrip(".")))
    ranks: dict[str, int] = {}
    with source.bytes() as raw:
        kind = named or _notation(raw)
        by_line = kind in (pyoxigraph.RdfFormat.N_TRIPLES, pyoxigraph.RdfFormat.N_QUADS)
        statements = pyoxigraph.parse(raw, kind, base_iri=source.path.resolve().as_uri())
        number, bad = 0, 0
        while True:
            number += 1
            try:
                statement: Any = next(statements)
            except StopIteration:
                return
            except (SyntaxError, ValueError) as error:
                line = getattr(error, "lineno", None) or number
                if not by_line:
                    raise InputError(
                        f"{source.path} is not well-formed at line {line}: {_why(error)}",
                        hint="mend the file, or write it as N-Triples, where the other lines can be used"
                        if named
                        else f"it was read as {kind.name}; if it is another, say which: --format {_NAMED}",
                    ) from None
                if line != bad:  # the parser may find several faults in one line
                    source.faults.add(line, _why(error))
                bad = line
                continue
            head, tail = _identifier(statement.subject), _identifier(statement.object)
            relation = statement.predicate.value
            if relation in _LABELS and isinstance(statement.object, pyoxigraph.Literal):
                _label(source, ranks, head, relation, statement.object)
            elif head and tail:
                yield number, head, relation, tail


def _notation(raw: Any) -> Any:
    """The notation of a file whose suffix does not say it, seen from how it begins: XML, JSON, a line that
    holds for itself, or else Turtle.
    """
    from pyoxigraph import RdfFormat, parse

    lines = (line.strip() for line in raw.peek(_GLANCE)[:_GLANCE].splitlines())
    first = next((line for line in lines if line and not line.startswith(b"#")), b"")
    if first.startswith((b"<?xml", b"<rdf:", b"<!DOCTYPE")):
        return RdfFormat.RDF_XML
    if first.startswith((b"{", b"[{")):
        return RdfFormat.JSON_LD
    try:
        return RdfFormat.N_QUADS if list(parse(first, RdfFormat.N_QUADS)) else RdfFormat.TURTLE
    except (SyntaxError, ValueError):
        return RdfFormat.TURTLE


def _identifier(term: Any) -> str:
    """What identifies a term: its IRI or its words; a nameless node keeps its mark."""
    value = getattr(term, "value", None)
    if value is None:  # a statement about a statement
        return str(term)
    return f"_:{value}" if type(term).__name__ == "BlankNode" else str(value).strip()


def _label(source: Source, ranks: dict[str, int], entity: str, relation: str, label: Any) -> None:
    foreign = bool(label.language) and not label.language.lower().startswith("en")
    rank = _LABELS.index(relation) + len(_LABELS) * foreign
    if clean(label.value) and rank < ranks.get(entity, 2 * len(_LABELS)):
        ranks[entity] = rank
        source.labels[entity] = clean(label.value)


def _why(error: Exception) -> str:
    return clean(getattr(error, "msg", None) or str(error))
