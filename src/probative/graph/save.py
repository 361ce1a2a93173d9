"""Write a graph to a folder in one step.

The arrays of a new graph are written under new names next to the old ones, then `meta.json` is replaced, then
the old arrays are removed. At every instant either the old or the new graph opens.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from probative.errors import InputError, StoreError
from probative.graph.store import (
    ARRAYS,
    EDGES,
    FORMAT,
    KIND,
    META,
    NAMES,
    WORDS,
    GraphParts,
    Meta,
    file_sha256,
    is_stored,
)

NEW_META = ".meta.json.new"
LOCK = ".lock"
VECTORS = "vectors-*"
# `out_tail.npy` in a new folder, `out_tail.3.npy` after the graph was replaced three times.
_ARRAY_FILE = re.compile(rf"({'|'.join(ARRAYS)})(?:\.(\d+))?\.npy")
_DAY = 86_400


def save(parts: GraphParts, folder: Path) -> None:
    """Write a graph to a folder, completely or not at all.

    A graph in the folder is replaced; its vectors stay if the content is the same. A folder that contains
    anything else is left alone, and `InputError` is raised.
    """
    check_save_target(folder)
    folder = Path(os.path.realpath(folder))  # a link to a folder stays a link
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _remove_old_scratch(folder)
        if is_stored(folder) or not _create(parts, folder):
            _replace(parts, folder)
    except OSError as error:
        raise StoreError(
            f"the graph cannot be written to {folder}: {error.strerror or error}",
            hint="free some disk space, or give another folder",
        ) from None


def _create(parts: GraphParts, folder: Path) -> bool:
    """Write a graph next to `folder` and rename it. Return False if another process was faster."""
    scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}.scratch-", dir=folder.parent))
    try:
        made = scratch / "made"  # not `scratch` itself, which only its owner can read
        made.mkdir()
        _write_meta(_write_arrays(parts, made, 0), made)
        try:
            made.rename(folder)
        except OSError:
            if is_stored(folder):
                return False
            raise
        _sync_folder(folder.parent)
        return True
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _replace(parts: GraphParts, folder: Path) -> None:
    """Replace the graph in a folder."""
    with FileLock(folder / LOCK):
        old_fingerprint = check_save_target(folder)
        old = [(file, match) for file in folder.iterdir() if (match := _ARRAY_FILE.fullmatch(file.name))]
        generation = 1 + max((int(match[2] or 0) for _, match in old), default=0)
        try:
            _write_meta(_write_arrays(parts, folder, generation), folder)
        except OSError:
            for file in folder.glob(f"*.{generation}.npy"):
                file.unlink(missing_ok=True)
            raise
        # The new graph is complete. Files that stay because of an error or a kill are unused, and the next
        # save removes them; vectors record the graph that they belong to.
        unused = [file for file, _ in old]
        if old_fingerprint != parts.fingerprint:
            unused += folder.glob(VECTORS)
        with suppress(OSError):
            for file in unused:
                file.unlink(missing_ok=True)


def check_save_target(folder: Path) -> str | None:
    """Return the fingerprint of the graph that `save` would replace, or None if the folder is free.

    Only a graph of a known format, complete or damaged, in a folder without anything else is replaced.
    Otherwise `InputError` says what is in the way.
    """
    hint = "give another folder, or move it away"
    if not folder.name:
        raise InputError(f"{folder} cannot hold a graph", hint="give a folder of its own")
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file, but a graph is a folder", hint="give another folder")
        names = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror or error}", hint=hint) from None
    if not names:
        return None
    try:
        meta = json.loads((folder / META).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{folder} contains something other than a graph: {_some(names)}", hint=hint
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} has a {META} that cannot be read ({error})", hint=hint) from None
    if not isinstance(meta, dict) or meta.get("kind") != KIND:
        raise InputError(
            f"{folder} contains something other than a graph: its {META} does not describe a graph", hint=hint
        )
    if not isinstance(meta.get("format"), int) or meta["format"] > FORMAT:
        raise InputError(
            f"{folder} is a graph of format {meta.get('format')}, and this version writes {FORMAT}",
            hint="replace it with the version that made it, or give another folder",
        )
    foreign = [name for name in names if (folder / name).is_dir() or not _is_graph_file(name)]
    if foreign:
        raise InputError(f"{folder} contains more than a graph: {_some(foreign)}", hint=hint)
    return str(meta.get("fingerprint"))


def _is_graph_file(name: str) -> bool:
    """Return whether a file in a graph's folder was written by this package."""
    return (
        name in (META, NEW_META, LOCK)
        or _ARRAY_FILE.fullmatch(name) is not None
        or fnmatch.fnmatchcase(name.lstrip("."), VECTORS)
    )


def _some(names: Sequence[str]) -> str:
    """Return the first three names for a message."""
    more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _remove_old_scratch(folder: Path) -> None:
    """Remove the scratch folders of killed processes. Younger ones may belong to a running process."""
    for scratch in folder.parent.glob(f".{folder.name}.scratch-*"):
        if time.time() - scratch.stat().st_mtime > _DAY:
            shutil.rmtree(scratch, ignore_errors=True)


def _write_arrays(parts: GraphParts, folder: Path, generation: int) -> Meta:
    """Write the arrays of a graph and return what describes them."""
    arrays: dict[str, NDArray[Any]] = {name: getattr(parts.edges, name) for name in EDGES}
    tables = {"entity": parts.entities, "relation": parts.relations, "word": parts.words.vocabulary}
    for kind, table in tables.items():
        arrays |= {f"{kind}_{name}": getattr(table, name) for name in NAMES}
    arrays |= {f"words_{name}": getattr(parts.words, name) for name in WORDS}
    files: dict[str, tuple[int, str]] = {}
    for name, array in sorted(arrays.items()):
        file = folder / (f"{name}.{generation}.npy" if generation else f"{name}.npy")
        with file.open("wb") as opened:
            np.save(opened, array, allow_pickle=False)
            opened.flush()
            os.fsync(opened.fileno())
        files[file.name] = (file.stat().st_size, file_sha256(file))
    return Meta(
        kind=KIND,
        format=FORMAT,
        fingerprint=parts.fingerprint,
        entities=len(parts.entities),
        relations=len(parts.relations),
        edges=parts.edges.count,
        report=parts.report,
        files=files,
    )


def _write_meta(meta: Meta, folder: Path) -> None:
    """Write `meta.json` in one step, after the names of the arrays have reached the disk."""
    _sync_folder(folder)
    with (folder / NEW_META).open("w", encoding="utf-8") as opened:
        opened.write(json.dumps(meta.to_dict(), indent=1) + "\n")
        opened.flush()
        os.fsync(opened.fileno())
    (folder / NEW_META).replace(folder / META)
    _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system can."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
