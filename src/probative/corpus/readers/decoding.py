"""Decode bytes to text; say which encoding was guessed."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from probative.corpus.readers.encoding_guess import guess_encoding
from probative.errors import UnreadableError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 2**16
# Bytes that no text has, in any encoding of one byte a letter: NUL, and control characters except white
# space, form feed and the escape of ISO 2022.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MAX_CONTROL_SHARE = 0.005
_MIN_ASCII = 0.85


@dataclass(frozen=True)
class Decoded:
    """A text, its encoding, and notes on how sure that is."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode(data: bytes, source: str, declared: str | None = None) -> Decoded:
    r"""Return the text of some bytes: by its byte order mark, as `declared`, as UTF-8, or guessed.

    Raises `UnreadableError` if the bytes are no text.

    >>> decode("Grüße".encode(), "a.txt").text
    'Grüße'
    >>> decode("Die Straße führt über die Brücke, und der Fluß ist tief.".encode("cp1252"), "a.txt").notes
    ('the encoding was guessed: cp1252',)
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _with_mark(data[len(mark) :], encoding, source)
    unmarked = _utf16_without_mark(data)
    if unmarked is not None:
        return Decoded(data.decode(unmarked), unmarked, (f"the encoding was guessed: {unmarked}",))
    if len(_CONTROL.findall(data[:_SAMPLE])) > _MAX_CONTROL_SHARE * len(data[:_SAMPLE]):
        raise UnreadableError("binary", f"{source} is a binary file")
    if declared and (text := _as_declared(data, declared)) is not None:
        return Decoded(text, declared)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        return _nearly_utf8(data, error) or _guessed(data, source)


def _with_mark(data: bytes, encoding: str, source: str) -> Decoded:
    text = data.decode(encoding, "replace")
    if "\x00" in text[:_SAMPLE]:
        raise UnreadableError("binary", f"{source} is a binary file")
    wrong = text.count("\ufffd")
    return Decoded(text, encoding, (f"{wrong} characters are not valid {encoding}",) if wrong else ())


def _as_declared(data: bytes, declared: str) -> str | None:
    """Return the text in the encoding that the file names; None if that is wrong or unknown."""
    # Web pages that say latin-1 are written in cp1252, and browsers read them so.
    name = (
        "cp1252" if declared.lower() in ("iso-8859-1", "latin-1", "latin1", "ascii", "us-ascii") else declared
    )
    try:
        return data.decode("utf-8") if name.lower() in ("utf-8", "utf8") else data.decode(name)
    except (LookupError, UnicodeDecodeError, ValueError):
        return None


def _utf16_without_mark(data: bytes) -> str | None:
    """Return the encoding if every other byte is mostly zero, as in UTF-16 text of western languages."""
    sample = data[:_SAMPLE]
    if len(sample) < 4 or len(data) % 2:
        return None
    half = len(sample) // 2
    for encoding, high, low in (
        ("utf-16-le", sample[1::2], sample[::2]),
        ("utf-16-be", sample[::2], sample[1::2]),
    ):
        if high.count(0) > 0.7 * half and low.count(0) < 0.02 * half:
            try:
                data.decode(encoding)
            except UnicodeDecodeError:
                continue
            return encoding
    return None


def _nearly_utf8(data: bytes, error: UnicodeDecodeError) -> Decoded | None:
    """Return UTF-8 text with a few wrong bytes replaced; None if most bytes beyond ASCII are wrong."""
    text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    right = sum(1 for byte in data[:_SAMPLE] if byte >= 0xC0)
    if wrong * 4 > right:
        return None
    note = f"{wrong} bytes are not valid UTF-8, the first at byte {error.start}; each was replaced by \ufffd"
    return Decoded(text, "utf-8", (note,))


def _guessed(data: bytes, source: str) -> Decoded:
    """Return the text in the encoding that gives the most likely letters."""
    encoding = guess_encoding(data)
    ascii_only = sum(byte < 0x80 for byte in data[:_SAMPLE])
    if encoding is None and ascii_only > _MIN_ASCII * len(data[:_SAMPLE]):
        # Too few other characters to tell: quotation marks, or a single name.
        return Decoded(data.decode("cp1252", "replace"), "cp1252", ("the encoding was guessed: cp1252",))
    if encoding is None:
        raise UnreadableError(
            "unknown encoding", f"{source} is no text in any known encoding", hint="save it as UTF-8"
        )
    return Decoded(data.decode(encoding), encoding, (f"the encoding was guessed: {encoding}",))
