"""Reliability and risk of the certainty, as a table and as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from probative.bench.metrics import reliability, risk_coverage
from probative.bench.plots import plot_svg
from probative.bench.report import Plot, Series

# The certainty of each answer, and whether it is right.
Judged = tuple[Sequence[float], Sequence[bool]]


def table(chances: Sequence[float], right: Sequence[bool]) -> str:
    """Return ten groups of answers with their certainty and the share right, and the risk of the surest.

    >>> print(table([0.9] * 10, [True] * 10).splitlines()[1])
          90.0%  100.0%   |    10%     0.0%
    """
    lines = ["  certainty  right    | surest   wrong of these"]
    risks = risk_coverage(chances, right)
    for number, (chance, share) in enumerate(reliability(chances, right), 1):
        answered, risk = risks[max(1, round(len(risks) * number / 10)) - 1]
        lines.append(f"  {chance:9.1%}  {share:6.1%}   | {answered:6.0%}   {risk:6.1%}")
    return "\n".join(lines)


def draw(judged: Mapping[str, Judged], out: Path) -> None:
    """Write a picture of both curves of each kind of answers."""
    plots = (
        Plot(
            title="Reliability",
            kind="reliability",
            x="certainty",
            y="share right",
            series=tuple(
                Series(name=name, points=tuple(reliability(*entry))) for name, entry in judged.items()
            ),
        ),
        Plot(
            title="Risk",
            kind="lines",
            x="share of answers, the surest first",
            y="share of these wrong",
            series=tuple(
                Series(name=name, points=tuple(risk_coverage(*entry))) for name, entry in judged.items()
            ),
        ),
    )
    parts = [
        plot_svg(plot).replace("<svg ", f'<svg x="{460.8 * number}pt" ', 1)
        for number, plot in enumerate(plots)
    ]
    out.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="922pt" height="303pt" viewBox="0 0 1229 404">\n'
        f"{''.join(parts)}</svg>\n",
        encoding="utf-8",
    )
