"""The figures that the GIVE paper publishes (`published.toml`), by the names of the lines of our tables."""

from __future__ import annotations

from probative.bench.published import Figure, read_published
from probative.types import Value


class GiveFigures(Value):
    """The tables and figures of the paper; the file says what each has."""

    truthful: float
    biomedical: dict[str, dict[str, tuple[Figure, Figure, Figure]]]
    commonsense: dict[str, dict[int, float]]
    commonsense_graphs: dict[int, tuple[int, int]]
    connections: dict[str, dict[str, float]]
    shapes: dict[str, tuple[Figure, Figure, Figure, Figure]]
    encoders: dict[str, tuple[Figure, Figure, Figure, Figure]]
    efficiency: dict[str, dict[int, dict[str, tuple[Figure, ...]]]]
    needs: dict[str, tuple[Figure, Figure, Figure]]
    overlap: dict[str, dict[str, dict[str, float]]]


PUBLISHED = read_published("probative.bench.experiments.give_study", GiveFigures)
