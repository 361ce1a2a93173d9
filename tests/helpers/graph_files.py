"""Files of triples, and what was read from them."""

from __future__ import annotations

from pathlib import Path

from probative import Graph, ImportReport


def written(tmp_path: Path, name: str, text: str | bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def triples(graph: Graph) -> set[str]:
    return {str(graph.triple(row)) for row in graph.edges.rows()}


def report(graph: Graph) -> ImportReport:
    assert graph.report is not None
    return graph.report
