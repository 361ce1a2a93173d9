"""Graphs with models: the vectors of a graph's entities, made once and stored."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from probative.graph.graph import Graph
from probative.models.contract import Encoder
from probative.settings import Settings, load_settings

if TYPE_CHECKING:
    from probative.graph.nearest import EntityIndex


def entity_index(
    graph: Graph,
    encoder: Encoder,
    *,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> EntityIndex:
    """The index of a graph's entities by their names' vectors; the vectors are made once and stored."""
    import numpy as np

    from probative.graph.nearest import EntityIndex

    file = _place(graph, encoder, settings or load_settings())
    if not file.is_file():
        vectors = encoder.encode(list(graph.entities), progress=progress).astype(np.float16)
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f".{file.name}.{os.getpid()}.npy")
        np.save(beside, vectors)
        beside.replace(file)
    return EntityIndex(np.load(file, mmap_mode="r"))


def _place(graph: Graph, encoder: Encoder, settings: Settings) -> Path:
    by = hashlib.sha256(encoder.fingerprint.encode()).hexdigest()[:16]
    if graph.folder is not None:
        return graph.folder / f"vectors-{by}.npy"
    return settings.home_folder / "graphs" / f"{graph.fingerprint}-{by}.npy"
