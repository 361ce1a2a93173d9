"""A graph in a folder: arrays that are mapped into memory when it is opened, so opening reads no names.

The folder is written beside its place and renamed when it is whole. Its `meta.json` lists every file with its
size and sha256, so a damaged graph is refused instead of answering wrongly.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from probative.errors import InputError, StoreError
from probative.graph.edges import Edges
from probative.graph.name_table import NameTable
from probative.graph.name_words import NameWords
from probative.graph.report import ImportReport
from probative.types import Value

META = "meta.json"
FORMAT = 1
KIND = "probative graph"
VECTORS = "vectors-*"
_EDGES = ("out_start", "out_relation", "out_tail", "in_start", "in_head", "in_relation")
_NAMES = ("text", "starts", "hashes", "order")
_WORDS = ("starts", "holders", "lengths")
# What a folder of this format holds, apart from its vectors.
_FILES = frozenset(
    [f"{name}.npy" for name in _EDGES]
    + [f"{kind}_{name}.npy" for kind in ("entity", "relation", "word") for name in _NAMES]
    + [f"words_{name}.npy" for name in _WORDS]
)
_DAY = 86_400


class Meta(Value):
    """What a graph's folder holds."""

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


def save(stored: GraphParts, folder: Path) -> None:
    """Write a graph to a folder, whole or not at all. A graph that is there is replaced; its vectors stay if
    the content is the same. A folder that holds anything else is left alone: that is an `InputError`.
    """
    before = check_save_target(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}.scratch-", dir=folder.parent))
        try:
            made = scratch / "made"
            made.mkdir()
            _write(stored, made)
            if folder.exists():
                if before == stored.fingerprint:
                    for file in folder.glob(VECTORS):
                        file.replace(made / file.name)
                folder.replace(scratch / "old")
            made.replace(folder)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        raise StoreError(
            f"the graph cannot be written to {folder}: {error.strerror or error}",
            hint="free some space, or name another folder",
        ) from None


def check_save_target(folder: Path) -> str | None:
    """The fingerprint of the graph that `save` would replace at a place, or None if the place is free.

    Only a graph of ours, of a format that is known, in a folder without anything else is replaced, whole or
    harmed. Everything else is an `InputError` that says what is in the way.
    """
    other = "name another folder, or move it away"
    if not folder.name:
        raise InputError(f"{folder} is no place for a graph", hint="name a folder of its own")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file, and a graph is a folder", hint="name another folder")
    try:
        held = _held(folder) if folder.exists() else []
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror or error}", hint=other) from None
    if not held:
        return None
    try:
        said = json.loads((folder / META).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder} holds something else than a graph: {_listed(held)}", hint=other) from None
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} has a {META} that cannot be read ({error})", hint=other) from None
    if not isinstance(said, dict) or said.get("kind") != KIND:
        raise InputError(
            f"{folder} holds something else than a graph: its {META} is not that of a graph", hint=other
        )
    if not isinstance(said.get("format"), int) or said["format"] > FORMAT:
        raise InputError(
            f"{folder} is a graph of format {said.get('format')}, and this version writes {FORMAT}",
            hint="replace it with the version that made it, or name another folder",
        )
    files = said.get("files")
    own = {META, *_FILES, *(files if isinstance(files, dict) else ())}
    foreign = [
        name
        for name in held
        if (folder / name).is_dir() or not (name in own or fnmatch.fnmatchcase(name.lstrip("."), VECTORS))
    ]
    if foreign:
        raise InputError(f"{folder} holds more than a graph: {_listed(foreign)}", hint=other)
    return str(said.get("fingerprint"))


def _held(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _listed(names: Sequence[str]) -> str:
    """Some names for a message."""
    more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _sweep(folder: Path) -> None:
    """Remove what a process that was killed has left. Younger things may belong to one that runs."""
    for stale in folder.parent.glob(f".{folder.name}.scratch-*"):
        if time.time() - stale.stat().st_mtime > _DAY:
            shutil.rmtree(stale, ignore_errors=True)


def _write(stored: GraphParts, folder: Path) -> None:
    arrays: dict[str, NDArray[Any]] = {name: getattr(stored.edges, name) for name in _EDGES}
    for kind, names in (
        ("entity", stored.entities),
        ("relation", stored.relations),
        ("word", stored.words.known),
    ):
        arrays |= {f"{kind}_{name}": getattr(names, name) for name in _NAMES}
    arrays |= {f"words_{name}": getattr(stored.words, name) for name in _WORDS}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)
    meta = Meta(
        kind=KIND,
        format=FORMAT,
        fingerprint=stored.fingerprint,
        entities=len(stored.entities),
        relations=len(stored.relations),
        edges=stored.edges.count,
        report=stored.report,
        files={file.name: (file.stat().st_size, _sha256(file)) for file in sorted(folder.iterdir())},
    )
    (folder / META).write_text(json.dumps(meta.to_dict(), indent=1) + "\n", encoding="utf-8")


def is_stored(path: Path) -> bool:
    """Whether a graph, of whatever state, is stored at this place."""
    return (path / META).is_file()


def read_meta(folder: Path) -> Meta:
    """What a folder says that it holds; a `StoreError` where that is no graph, or one of a newer format."""
    again = "import it again"
    try:
        said = json.loads((folder / META).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(
            f"{folder} is a folder, but no graph", hint="make one: probative graph import FILE --out FOLDER"
        ) from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder} is damaged: {META} cannot be read ({error})", hint=again) from None
    if not isinstance(said, dict) or said.get("kind") != KIND:
        raise StoreError(f"{folder} is a folder, but no graph", hint="name a folder that 'graph import' made")
    if said.get("format") != FORMAT:
        raise StoreError(
            f"{folder} is a graph of format {said.get('format')}, and this version reads {FORMAT}",
            hint="use the version that made it, or import the graph again",
        )
    try:
        return Meta.from_dict(said)
    except ValidationError as error:
        raise StoreError(
            f"{folder} is damaged: {META} says {error.error_count()} things wrong", hint=again
        ) from None


def load(folder: Path) -> GraphParts:
    """The graph in a folder, if every byte of it is as it was written."""
    meta = read_meta(folder)
    for name, (size, sha256) in meta.files.items():
        file = folder / name
        # 100 MB, a graph of two million edges, take about 0.1 s to hash: cheap enough to be sure.
        if not file.is_file() or file.stat().st_size != size or _sha256(file) != sha256:
            raise StoreError(f"{folder} is damaged: {name} is not as it was written", hint="import it again")
    try:
        arrays = {Path(name).stem: _mapped(folder / name) for name in meta.files}
        edges = Edges(**{name: arrays[name] for name in _EDGES}, relations=meta.relations)
        entities, relations, words = (
            NameTable(*(arrays[f"{kind}_{name}"] for name in _NAMES))
            for kind in ("entity", "relation", "word")
        )
        index = NameWords(words, *(arrays[f"words_{name}"] for name in _WORDS))
    except (KeyError, OSError, ValueError) as error:
        raise StoreError(f"{folder} is damaged: {error}", hint="import it again") from None
    return GraphParts(edges, entities, relations, index, meta.fingerprint, meta.report)


def _mapped(file: Path) -> NDArray[Any]:
    """An array that is read from disk as it is used. An empty one cannot be mapped, and needs not be."""
    array: NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    # A plain array over the same memory: slices of a memmap are ten times slower to make.
    return np.asarray(array).view(np.ndarray)


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
