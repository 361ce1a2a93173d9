"""Curves of an experiment as SVG, drawn without a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]

SIZE, MARGIN = 320, 48
COLOURS = ("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df")


def curves_svg(series: Mapping[str, Points], *, x: str, y: str, diagonal: bool = False) -> str:
    """Return a picture of some curves; all values are between 0 and 1. `x` and `y` name the axes.

    >>> curves_svg({"HotpotQA": [(0.0, 0.1), (1.0, 0.4)]}, x="coverage", y="risk").count("<polyline")
    1
    """
    width, height = SIZE + 2 * MARGIN, SIZE + 2 * MARGIN + 18 * len(series)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for tenth in range(0, 11, 2):
        share = tenth / 10
        left, top = _at(0.0, share)
        parts += [
            _line((0.0, share), (1.0, share), "#d0d7de"),
            _line((share, 0.0), (share, 1.0), "#d0d7de"),
            f'<text x="{left - 6:.1f}" y="{top + 4:.1f}" text-anchor="end">{share:.0%}</text>',
            _text((_at(share, 0.0)[0], MARGIN + SIZE + 16), f"{share:.0%}"),
        ]
    if diagonal:
        parts.append(_line((0.0, 0.0), (1.0, 1.0), "#8c959f"))
    middle = MARGIN + SIZE / 2
    parts += [
        _text((middle, MARGIN + SIZE + 34), x),
        _text((12, middle), y, f' transform="rotate(-90 12 {middle})"'),
    ]
    for number, (name, points) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{left:.1f},{top:.1f}" for left, top in (_at(*point) for point in points))
        line = MARGIN + SIZE + 52 + 18 * number
        parts += [
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{MARGIN}" y="{line}" fill="{colour}">{escape(name)}</text>',
        ]
    return "\n".join([*parts, "</svg>\n"])


def _at(x: float, y: float) -> tuple[float, float]:
    return MARGIN + SIZE * min(1.0, max(0.0, x)), MARGIN + SIZE * (1.0 - min(1.0, max(0.0, y)))


def _text(at: tuple[float, float], text: str, attributes: str = "") -> str:
    return f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="middle"{attributes}>{escape(text)}</text>'


def _line(start: tuple[float, float], end: tuple[float, float], colour: str) -> str:
    (left, top), (right, bottom) = _at(*start), _at(*end)
    return f'<line x1="{left:.1f}" y1="{top:.1f}" x2="{right:.1f}" y2="{bottom:.1f}" stroke="{colour}"/>'
