"""The whole graphs that the small ones of GIVE are parts of, from their published forms: ConceptNet in
English, and UMLS from the Metathesaurus, which needs a licence.

Both become files of triples with the identifiers of the source, which `Graph.open` makes readable.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TextIO

from probative.bench.data.archives import parts
from probative.bench.data.get import Getter
from probative.errors import InputError
from probative.graph.graph import Graph

COLUMNS = "head,relation,tail"
# Links to web pages, and DBpedia's properties, which are no words of ConceptNet.
_NO_RELATIONS = ("/r/ExternalURL", "/r/dbpedia/")
# The relation of the second concept of a row to the first, where a source names no closer one.
RELATIONS = {
    "AQ": "allowed qualifier of",
    "CHD": "child of",
    "PAR": "parent of",
    "QB": "qualified by",
    "RB": "broader than",
    "RL": "similar to",
    "RN": "narrower than",
    "RO": "related to",
    "RQ": "related to",
    "SIB": "sibling of",
    "SY": "same as",
}
CONCEPTS, CONNECTIONS = "MRCONSO.RRF", "MRREL.RRF"


def make_conceptnet(getter: Getter) -> str:
    """Write the edges between English words; returns how many there are."""
    (dump,) = getter.data_set.raw
    (triples,) = getter.data_set.files
    with gzip.open(getter.place(dump), "rt", encoding="utf-8") as rows:
        count = _write(getter.data / triples.path, map("\t".join, english_edges(rows)))
    return f"{count:,} edges between English words"


def english_edges(rows: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    r"""Yield head, relation and tail of the rows of ConceptNet's assertions that are between English words.

    >>> rows = ("/a/1\t/r/IsA\t/c/en/pier/n\t/c/en/quay\t{}", "/a/2\t/r/IsA\t/c/de/kai\t/c/en/quay\t{}")
    >>> list(english_edges(rows))
    [('/c/en/pier/n', '/r/IsA', '/c/en/quay')]
    """
    for row in rows:
        _, relation, head, tail, *_ = row.split("\t")
        english = head.startswith("/c/en/") and tail.startswith("/c/en/")
        if english and not relation.startswith(_NO_RELATIONS):
            yield head, relation, tail


def make_umls(getter: Getter) -> str:
    """Write the connections of concepts with their English names; returns how many there are."""
    if getter.origin is None:
        raise getter.error(f"{getter.data_set.name} cannot be downloaded")
    triples, names_file = (getter.data / file.path for file in getter.data_set.files)
    with _member(getter, CONCEPTS) as rows:
        names = dict(english_names(rows))
    with _member(getter, CONNECTIONS) as rows:
        count = _write(triples, map("\t".join, connections(rows, names)))
    _write(names_file, map("\t".join, names.items()))
    return f"{count:,} connections of {len(names):,} concepts"


def english_names(rows: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each concept of MRCONSO.RRF with its preferred English name.

    >>> row = "C0000001|ENG|P|L1|PF|S1|Y|A1||||MSH|MH|D1|Willow bark|0|N||"
    >>> list(english_names([row, row.replace("|P|", "|S|")]))
    [('C0000001', 'Willow bark')]
    """
    for row in rows:
        cells = row.split("|")
        if (cells[1], cells[2], cells[4], cells[6]) == ("ENG", "P", "PF", "Y"):
            yield cells[0], cells[14]


def connections(rows: Iterable[str], names: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield head, relation and tail of the rows of MRREL.RRF between two concepts that have a name. A row
    says how its second concept is related to the first.

    >>> row = "C0000001|A1|AUI|RO|C0000002|A2|AUI|may_treat|R1||MSH|MSH||||N||"
    >>> list(connections([row], {"C0000001", "C0000002"}))
    [('C0000002', 'may_treat', 'C0000001')]
    """
    known = names if isinstance(names, dict | set) else set(names)
    for row in rows:
        tail, _, _, code, head, _, _, closer = row.split("|")[:8]
        relation = closer or RELATIONS.get(code)
        if relation and head != tail and head in known and tail in known:
            yield head, relation, tail


def open_whole_graph(data: Path, name: str) -> Graph:
    """Return a whole graph: "umls-whole" or "conceptnet-whole"."""
    folder = data / name
    names = folder / "names.tsv"
    return Graph.open(folder / "triples.tsv.gz", columns=COLUMNS, names=names if names.exists() else None)


def _write(path: Path, lines: Iterable[str]) -> int:
    """Write lines, with the same bytes each time if they are compressed; returns how many there are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_name(f".{path.name}")
    with _writing(whole, compressed=path.suffix == ".gz") as out:
        count = sum(bool(out.write(f"{line}\n")) for line in lines)
    if not count:
        whole.unlink()
        raise InputError(
            f"there is nothing to write to {path}", hint="compare the files with the published ones"
        )
    whole.replace(path)
    return count


@contextmanager
def _writing(path: Path, *, compressed: bool) -> Iterator[TextIO]:
    with path.open("wb") as raw:
        packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if compressed else raw
        with TextIOWrapper(packed, encoding="utf-8", newline="\n") as text:
            yield text


@contextmanager
def _member(getter: Getter, name: str) -> Iterator[Iterable[str]]:
    """Open the lines of a file of the release that the user has: a folder or its zip file."""
    assert getter.origin is not None
    for path, stream in parts(getter.origin):
        if path.rpartition("/")[2] == name:
            getter.progress(f"read {name}", 0.0)
            yield _lines(stream)
            return
    raise getter.error(f"{getter.origin} has no {name}")


def _lines(stream: IO[bytes]) -> Iterator[str]:
    return (line.decode("utf-8").rstrip("\r\n") for line in stream)
