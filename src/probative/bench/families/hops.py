"""The studies of McsE by the number of gold sentences: FEVER-1, HoVer-2, HoVer-3, HoVer-4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from probative.bench.families.claims import Claim, fever, hover_by_hops
from probative.bench.families.evidence import exact_match, overlap_metrics
from probative.bench.families.mcse import McseStudy, by_encoder, f1_tests, mcse_against
from probative.bench.published import ByHops
from probative.bench.report import Plot
from probative.bench.rows import Row
from probative.bench.study import Settings
from probative.bench.tables import Metrics, PairedSpec, PlotSpec, TableSpec, both_series

HOVER = ("HoVer-2", "HoVer-3", "HoVer-4")
KINDS = ("FEVER-1", *HOVER)


class HopStudy(McseStudy):
    """F1 and exact match of each method on FEVER's claims (one hop) and HoVer's (two to four)."""

    data: ClassVar[tuple[str, ...]] = ("fever", "hover")

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        first = [fever(settings)] if "fever" in self.data else []
        return [*first, *hover_by_hops(settings)]


def hop_metrics(kinds: Sequence[str] = KINDS) -> Metrics:
    """Return F1 and exact match for each kind of claims, with as many sentences as gold."""
    metrics = {}
    for kind in kinds:
        is_kind = _is_of(kind)
        metrics[f"{kind} F1"] = overlap_metrics("gold", is_kind)["F1"]
        metrics[f"{kind} EM"] = exact_match("gold", is_kind)
    return metrics


def _is_of(kind: str) -> Any:
    def is_of(row: Row) -> bool:
        return bool(row["kind"] == kind)

    return is_of


def hop_table(title: str, published: Mapping[str, ByHops], note: str = "", **changes: Any) -> TableSpec:
    """Return the table of F1 and exact match by kind, beside the published figures."""
    figures = {name: [figure for pair in pairs for figure in pair] for name, pairs in published.items()}
    shape: dict[str, Any] = {"corner": "method", "metrics": hop_metrics(), **changes}
    return TableSpec(title, note=note, published=by_encoder(figures), **shape)


def hop_tests(pairs: Any = mcse_against) -> PairedSpec:
    """Return paired tests of F1 for each kind; by default of McsE against every other method."""
    return f1_tests({"": "gold"}, pairs, by="kind")


def hop_bars(title: str) -> PlotSpec:
    """Return the plot with bars of F1 of each method, and the published ones, for each kind."""
    return lambda results: [
        Plot(
            title=title,
            kind="bars",
            x="claims",
            y="F1",
            series=tuple(
                series for row in results.tables[0].rows for series in both_series(row.name, row.cells[::2])
            ),
            ticks=KINDS,
        )
    ]
