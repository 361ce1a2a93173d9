"""Plots of a report as SVG, drawn by matplotlib (extra `eval`)."""

from __future__ import annotations

import io
from typing import Any

from probative.bench.report import Plot, Series
from probative.errors import MissingExtraError


def plot_svg(plot: Plot) -> str:
    """Return a plot as an SVG element; the same plot gives the same text.

    >>> points = Series(name="ours", points=((0.0, 1.0), (25.0, 0.5)))
    >>> plot_svg(Plot(title="Noise", kind="lines", x="noise", y="share", series=(points,)))[:4]
    '<svg'
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("eval", "a plot") from None
    # Names of elements are drawn at random without a salt, and fonts would be copied into the file.
    with matplotlib.rc_context({"svg.hashsalt": "probative", "svg.fonttype": "none"}):
        figure = Figure(figsize=(6.4, 4.2), layout="constrained")
        axes = figure.add_subplot()
        _DRAW[plot.kind](axes, plot)
        if plot.ticks:
            # Names that do not fit beside one another are slanted.
            slanted: dict[str, Any] = {}
            if sum(map(len, plot.ticks)) > TICKS_WIDTH:
                slanted = {"rotation": 35, "ha": "right"}
            axes.set_xticks(range(len(plot.ticks)), plot.ticks, **slanted)
        axes.set_title(plot.title)
        axes.set_xlabel(plot.x)
        axes.set_ylabel(plot.y)
        axes.grid(visible=True, alpha=0.3)
        if len(plot.series) > 1:
            # Below the axes, so that it covers no data.
            figure.legend(loc="outside lower center", ncols=3, fontsize="small")
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()[file.getvalue().index("<svg") :]


TICKS_WIDTH = 60
"""The letters of names that fit beside one another below a plot."""
_MARKERS = ("o", "s", "^", "D", "v", "P")


def _numbers(plot: Plot) -> list[int]:
    """Return a number for each series, for its colour; the published one of a name has that of ours."""
    names = list(dict.fromkeys(series.name for series in plot.series))
    return [names.index(series.name) for series in plot.series]


def _lines(axes: Any, plot: Plot) -> None:
    numbers = _numbers(plot)
    for series, number in zip(plot.series, numbers, strict=True):
        # Where lines coincide, the later one is thinner and has a smaller mark: the earlier one shows.
        behind = min(max(numbers) - number, 4)
        colour = f"C{number % 10}"
        axes.plot(
            *_columns(series),
            color=colour,
            linestyle="--" if series.published else "-",
            linewidth=1.2 + 0.9 * behind,
            marker=_MARKERS[number % len(_MARKERS)] if len(series.points) <= 30 else "",
            markersize=4 + 1.2 * behind,
            markerfacecolor="none" if series.published else colour,
            alpha=0.8,
            label=series.label,
        )


def _bars(axes: Any, plot: Plot) -> None:
    width = 0.8 / max(1, len(plot.series))
    for number, (series, colour) in enumerate(zip(plot.series, _numbers(plot), strict=True)):
        xs, ys = _columns(series)
        shift = (number - (len(plot.series) - 1) / 2) * width
        axes.bar(
            [x + shift for x in xs],
            ys,
            width,
            label=series.label,
            color=f"C{colour % 10}",
            hatch="//" if series.published else None,
            alpha=0.5 if series.published else 0.85,
        )
        for x, y in zip(xs, ys, strict=True):
            if y == 0:  # a bar of no height would look like a figure that is missing
                axes.annotate("0", (x + shift, 0), ha="center", va="bottom", fontsize="x-small")


def _scatter(axes: Any, plot: Plot) -> None:
    for series in plot.series:
        axes.scatter(*_columns(series), s=14, alpha=0.6, label=series.label)


def _reliability(axes: Any, plot: Plot) -> None:
    axes.plot((0, 1), (0, 1), color="grey", linewidth=1)
    _lines(axes, plot)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)


def _columns(series: Series) -> tuple[list[float], list[float]]:
    return [x for x, _ in series.points], [y for _, y in series.points]


_DRAW = {"lines": _lines, "bars": _bars, "scatter": _scatter, "reliability": _reliability}
