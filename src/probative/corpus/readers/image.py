"""Read pictures (PNG, JPEG, TIFF, WebP) by OCR; each picture of a TIFF file is a page."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from probative.corpus.documents.document import Document
from probative.corpus.readers import ocr
from probative.corpus.readers.ocr import MAX_SIDE
from probative.corpus.readers.ocr_page import scanned_page
from probative.corpus.readers.pdf import Page, add_scans, document_of_pages
from probative.corpus.readers.text_builder import FileContent
from probative.errors import UnreadableError
from probative.text.labels import counted

if TYPE_CHECKING:
    from probative.corpus.readers.ocr import Pixels

STARTS = (b"\x89PNG", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*")
"""How pictures begin; see also `is_picture`."""
MAX_PIXELS = 89_000_000
"""An A3 page at 600 dpi has 70 million."""
_FORMATS = ("JPEG", "PNG", "TIFF", "WEBP")
# The height of an A4 page in points: how large a picture was on paper is not known.
_POINTS = 842
_CHANGED = 306
"""The field of EXIF with the time at which a picture was made or changed."""


def is_picture(data: bytes) -> bool:
    r"""Return whether the content of a file is a picture that this reads.

    >>> is_picture(b"RIFF\x00\x00\x00\x00WEBPVP8 "), is_picture(b"GIF89a")
    (True, False)
    """
    return data.startswith(STARTS) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def read_image(content: FileContent) -> Document:
    """Return the document of a picture; raises `UnreadableError` if it is damaged, too large, or without
    text, or if OCR is not installed.
    """
    if not ocr.is_installed():
        raise ocr.not_installed("image", f"{content.source} is an image")
    fields: dict[str, str] = {}
    pages: list[Page] = []
    scans = {}
    pictures = _pictures(content, fields)
    for number, pixels in enumerate(islice(pictures, content.max_ocr_pages), start=1):
        content.before_ocr()
        scans[number] = scanned_page(ocr.read_lines(pixels), _POINTS / max(pixels.shape))
        pages.append(Page(_POINTS, [], has_pictures=True))
    notes = add_scans(pages, scans)
    if next(pictures, None) is not None:
        notes.append(f"no more than {counted(len(pages), 'page')} are read by OCR")
    return document_of_pages(content, pages, fields, notes)


def draw_image(content: FileContent, number: int, width: int) -> tuple[Pixels, tuple[int, int]]:
    """Return the pixels of a page of a picture, counted from 1, at most so wide, as red, green and blue; and
    its size in points.
    """
    if not ocr.is_installed():
        raise ocr.not_installed("image", f"{content.source} is an image")
    import numpy as np
    from PIL import Image

    pixels = next(islice(_pictures(content, {}), number - 1, None), None)
    if pixels is None:
        raise UnreadableError("no page", f"{content.source} has no page {number:,}")
    points = _POINTS / max(pixels.shape)
    height, across = pixels.shape[:2]
    picture = Image.fromarray(pixels[:, :, ::-1])
    picture.thumbnail((max(1, width), MAX_SIDE))
    return np.asarray(picture), (round(across * points), round(height * points))


def _pictures(content: FileContent, fields: dict[str, str]) -> Iterator[Pixels]:
    """Yield the pixels of each picture in a file, and note when it was made."""
    from PIL import Image, ImageOps, ImageSequence, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fields that are malformed
            with Image.open(io.BytesIO(content.data), formats=_FORMATS) as file:
                for frame in ImageSequence.Iterator(file) if file.format == "TIFF" else (file,):
                    if frame.width * frame.height > MAX_PIXELS:
                        raise Image.DecompressionBombError
                    frame.draft("RGB", (MAX_SIDE, MAX_SIDE))
                    changed = str(frame.getexif().get(_CHANGED, "")).replace(":", "")
                    fields.setdefault("CreationDate", changed)
                    yield _pixels(ImageOps.exif_transpose(_small(frame)))
    except Image.DecompressionBombError:
        raise UnreadableError(
            "too large", f"{content.source} has more than {MAX_PIXELS:,} pixels", hint="save it smaller"
        ) from None
    except (MemoryError, UnreadableError):
        raise
    except Exception as error:  # decoders raise what they meet
        why = "" if isinstance(error, UnidentifiedImageError) else f": {error}"
        raise UnreadableError("damaged", f"{content.source} is a damaged image{why}") from error


def _small(image: Any) -> Any:
    """Return a picture in grey or in colours with at most `MAX_SIDE` pixels a side."""
    import numpy as np
    from PIL import Image

    if image.mode.startswith(("I", "F")):  # 16 or 32 bits of grey
        grey = np.asarray(image, dtype=np.float32)
        made = Image.fromarray((grey * (255 / max(1.0, float(grey.max())))).clip(0, 255).astype(np.uint8))
    elif image.mode in ("1", "L"):
        made = image.convert("L")
    else:
        made = image.convert("RGBA" if image.has_transparency_data else "RGB")
    made.info.update(image.info)  # which way is up
    made.thumbnail((MAX_SIDE, MAX_SIDE), reducing_gap=3.0)
    return made


def _pixels(image: Any) -> Pixels:
    """Return blue, green and red of each pixel, on white."""
    import numpy as np
    from PIL import Image

    if image.mode == "RGBA":
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    return np.asarray(image.convert("RGB"))[:, :, ::-1]
