"""Triples from RDF, in any of its notations, through pyoxigraph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from probative.errors import InputError, MissingExtraError
from probative.graph.formats.sources import Row, Source
from probative.text.words import clean

# The relations whose objects are labels, best first.
_LABELS = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
)
_EXTENSIONS = {".owl": "rdf"}
_NOTATIONS = "nt|nq|ttl|trig|n3|xml|jsonld"
_GLANCE = 4_096


def read_rdf(source: Source) -> Iterator[Row]:
    """Read the statements of an RDF file; the number of a row is that of the statement.

    Labels become names instead of edges; a label in English or without a language is preferred. A literal is
    an entity with its text as name. In N-Triples and N-Quads, malformed lines are skipped. In the other
    notations the text after an error has no certain meaning, so an error ends the import.
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
        number, last_bad = 0, 0
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
                        f"{source.path} is not well-formed at line {line}: {_message(error)}",
                        hint="correct it, or convert it to N-Triples, where malformed lines are skipped"
                        if named
                        else f"it was read as {kind.name}; name another notation: --format {_NOTATIONS}",
                    ) from None
                if line != last_bad:  # the parser may report several errors in one line
                    source.malformed.add(line, _message(error))
                last_bad = line
                continue
            head, tail = _identifier(statement.subject), _identifier(statement.object)
            relation = statement.predicate.value
            if relation in _LABELS and isinstance(statement.object, pyoxigraph.Literal):
                _label(source, ranks, head, relation, statement.object)
            elif head and tail:
                yield number, head, relation, tail


def _notation(raw: Any) -> Any:
    """Guess the notation from the first line: RDF/XML, JSON-LD, N-Quads if the line is a statement, otherwise
    Turtle.
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
    """Return the IRI or the text of a term; a blank node keeps the prefix `_:`."""
    value = getattr(term, "value", None)
    if value is None:  # a quoted statement
        return str(term)
    return f"_:{value}" if type(term).__name__ == "BlankNode" else str(value).strip()


def _label(source: Source, ranks: dict[str, int], entity: str, relation: str, label: Any) -> None:
    """Keep a label of an entity if it is better than the one before."""
    foreign = bool(label.language) and not label.language.lower().startswith("en")
    rank = _LABELS.index(relation) + len(_LABELS) * foreign
    if clean(label.value) and rank < ranks.get(entity, 2 * len(_LABELS)):
        ranks[entity] = rank
        source.labels[entity] = clean(label.value)


def _message(error: Exception) -> str:
    return clean(getattr(error, "msg", None) or str(error))
