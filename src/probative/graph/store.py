"""A graph in a folder: arrays that are mapped into memory on opening, so that opening decodes no names.

`meta.json` lists every file with its size and sha256, so a damaged graph is refused. `probative.graph.save`
writes such a folder.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from probative.errors import StoreError
from probative.graph.edges import Edges
from probative.graph.formats.sources import ImportReport
from probative.graph.name_table import NameTable, NameWords
from probative.types import Value

META = "meta.json"
FORMAT = 1
KIND = "probative graph"
EDGES = ("out_start", "out_relation", "out_tail", "in_start", "in_head", "in_relation")
NAMES = ("text", "starts", "hashes", "order")
WORDS = ("starts", "holders", "lengths")
ARRAYS = (
    *EDGES,
    *(f"{kind}_{name}" for kind in ("entity", "relation", "word") for name in NAMES),
    *(f"words_{name}" for name in WORDS),
)
_IMPORT_AGAIN = "import the graph again"


class Meta(Value):
    """The content of `meta.json`."""

    kind: str
    format: int
    fingerprint: str
    entities: int
    relations: int
    edges: int
    report: ImportReport | None
    files: dict[str, tuple[int, str]]
    """File name → (bytes, sha256)."""


@dataclass(frozen=True)
class GraphParts:
    """The parts of a graph."""

    edges: Edges
    entities: NameTable
    relations: NameTable
    words: NameWords
    fingerprint: str
    report: ImportReport | None


def is_stored(path: Path) -> bool:
    """Return whether a graph, complete or damaged, is stored at `path`."""
    return (path / META).is_file()


def read_meta(folder: Path) -> Meta:
    """Read `meta.json`; raises StoreError if it is missing, damaged or of another format."""
    try:
        meta = json.loads((folder / META).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(
            f"{folder} is a folder, but not a graph",
            hint="make a graph: probative graph import FILE --out FOLDER",
        ) from None
    except (OSError, ValueError) as error:
        raise StoreError(
            f"{folder} is damaged: {META} cannot be read ({error})", hint=_IMPORT_AGAIN
        ) from None
    if not isinstance(meta, dict) or meta.get("kind") != KIND:
        raise StoreError(
            f"{folder} is a folder, but not a graph", hint="give a folder made by `probative graph import`"
        )
    if meta.get("format") != FORMAT:
        raise StoreError(
            f"{folder} is a graph of format {meta.get('format')}, and this version reads {FORMAT}",
            hint="use the version that made it, or import the graph again",
        )
    try:
        return Meta.from_dict(meta)
    except ValidationError as error:
        raise StoreError(
            f"{folder} is damaged: {META} has {error.error_count()} invalid values", hint=_IMPORT_AGAIN
        ) from None


def load(folder: Path) -> GraphParts:
    """Open the graph in a folder; raises StoreError if any byte differs from what was written."""
    meta = read_meta(folder)
    while True:
        try:
            return _load(folder, meta)
        except StoreError:
            newer = read_meta(folder)
            if newer == meta:
                raise
            meta = newer  # another process has replaced the graph in the meantime


def _load(folder: Path, meta: Meta) -> GraphParts:
    for name, (size, sha256) in meta.files.items():
        file = folder / name
        try:
            # Hashing 100 MB, a graph of two million edges, takes about 0.1 s.
            intact = file.stat().st_size == size and file_sha256(file) == sha256
        except OSError:
            intact = False
        if not intact:
            raise StoreError(
                f"{folder} is damaged: {name} is missing or was changed after it was written",
                hint=_IMPORT_AGAIN,
            )
    try:
        arrays = {name.partition(".")[0]: _mapped(folder / name) for name in meta.files}
        edges = Edges(**{name: arrays[name] for name in EDGES}, relations=meta.relations)
        entities, relations, words = (
            NameTable(*(arrays[f"{kind}_{name}"] for name in NAMES))
            for kind in ("entity", "relation", "word")
        )
        index = NameWords(words, *(arrays[f"words_{name}"] for name in WORDS))
    except (KeyError, OSError, ValueError) as error:
        raise StoreError(f"{folder} is damaged: {error}", hint=_IMPORT_AGAIN) from None
    return GraphParts(edges, entities, relations, index, meta.fingerprint, meta.report)


def _mapped(file: Path) -> NDArray[Any]:
    """Map an array into memory: its pages are read from the disk when they are used."""
    array: NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    # A plain array over the same memory: slicing a memmap is ten times slower.
    return np.asarray(array).view(np.ndarray)


def file_sha256(file: Path) -> str:
    """Return the sha256 of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
