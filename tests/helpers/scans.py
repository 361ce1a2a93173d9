"""Pages drawn as pictures: what a scanner or a camera would make of them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

WIDTH, HEIGHT = 620, 240


@cache
def font(size: int, name: str = "Vera") -> Any:
    """Return a font that reportlab brings."""
    import reportlab
    from PIL import ImageFont

    return ImageFont.truetype(str(Path(reportlab.__file__).parent / "fonts" / f"{name}.ttf"), size)


def drawn(lines: Sequence[str], skew: float = 0.0, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Any:
    """Return a picture of lines of text; `skew` is in degrees, against the clock."""
    from PIL import Image, ImageDraw

    picture = Image.new("L", size, 255)
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        draw.text((40, 40 + 34 * number), line, font=font(20), fill=0)
    return picture.rotate(skew, resample=Image.Resampling.BICUBIC, fillcolor=255)


def saved(picture: Any, kind: str, **options: Any) -> bytes:
    """Return the file of a picture, as PNG, JPEG, TIFF, WEBP or PDF."""
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()
