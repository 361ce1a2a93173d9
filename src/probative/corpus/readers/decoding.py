"""Decode bytes to text; say which encoding was guessed.

Of the encodings that decode bytes without a mark, the one with the most likely letters is guessed. Each is
scored by the letters beyond ASCII: whether they stand in words of their own script, in the alphabet of the
language, not as capitals or signs within words. On texts of one sentence it is right more often than
charset-normalizer (`benchmarks/reading.py encodings`).
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from typing import NamedTuple

from probative.errors import UnreadableError
from probative.text.sentences import detect_language

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


class Decoded(NamedTuple):
    """A text, and notes on how sure its encoding is."""

    text: str
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
        return _as_guessed(data, unmarked)
    if len(_CONTROL.findall(data[:_SAMPLE])) > _MAX_CONTROL_SHARE * len(data[:_SAMPLE]):
        raise UnreadableError("binary", f"{source} is a binary file")
    if declared and (text := _as_declared(data, declared)) is not None:
        return Decoded(text)
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return _nearly_utf8(data, error) or _guessed(data, source)


def _with_mark(data: bytes, encoding: str, source: str) -> Decoded:
    text = data.decode(encoding, "replace")
    if "\x00" in text[:_SAMPLE]:
        raise UnreadableError("binary", f"{source} is a binary file")
    wrong = text.count("\ufffd")
    return Decoded(text, (f"{wrong} characters are not valid {encoding}",) if wrong else ())


def _as_declared(data: bytes, declared: str) -> str | None:
    """Return the text in the encoding that the file names; None if that is wrong or unknown."""
    # Web pages that say latin-1 are written in cp1252, and browsers read them so.
    is_latin = declared.lower() in ("iso-8859-1", "latin-1", "latin1", "ascii", "us-ascii")
    try:
        return data.decode("cp1252" if is_latin else declared)
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
    return Decoded(text, (note,))


def _guessed(data: bytes, source: str) -> Decoded:
    """Return the text in the encoding that gives the most likely letters."""
    encoding = guess_encoding(data)
    ascii_only = sum(byte < 0x80 for byte in data[:_SAMPLE])
    if encoding is None and ascii_only > _MIN_ASCII * len(data[:_SAMPLE]):
        # Too few other characters to tell: quotation marks, or a single name.
        return _as_guessed(data, "cp1252", "replace")
    if encoding is None:
        raise UnreadableError(
            "unknown encoding", f"{source} is no text in any known encoding", hint="save it as UTF-8"
        )
    return _as_guessed(data, encoding)


def _as_guessed(data: bytes, encoding: str, errors: str = "strict") -> Decoded:
    return Decoded(data.decode(encoding, errors), (f"the encoding was guessed: {encoding}",))


# In the order in which they win if they are equally likely.
_SINGLE_BYTE = (
    "cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258",
    "iso8859_2", "iso8859_5", "iso8859_7", "iso8859_8", "iso8859_15", "cp866", "cp850", "mac_roman", "koi8_u",
    "cp874",
)  # fmt: skip
_MULTI_BYTE = ("euc_jp", "shift_jis", "gb18030", "big5", "euc_kr")
_SCORED = 4_000
_OPENING = frozenset("“‘„‚«‹¿¡")
_SIGNS = frozenset("“”‘’„‚–—…•«»‹›€£§°©®\u00a0¿¡·№½×")
_ALPHABETS = {
    "cs": "áčďéěíňóřšťúůýž", "da": "æøåé", "de": "äöüß", "es": "áéíñóúüªº", "et": "äöõüšž", "fi": "äöå",
    "fr": "àâæçéèêëîïôœùûüÿ", "hu": "áéíóöőúüű", "is": "áðéíóúýþæö", "it": "àèéìòùî", "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž", "nl": "ëïéöüè", "no": "æøåéòô", "pl": "ąćęłńóśźż", "pt": "ãõáâàçéêíóôúü",
    "ro": "ăâîșțşţ", "sv": "åäöé", "tr": "çğıöşüâî", "en": "éèêëïîôçñáíóúöüàâæœ",
}  # fmt: skip
# The most frequent characters of Chinese, in both forms, and of Korean.
_FREQUENT = frozenset(
    "的一是不了人在有我他这這中大来來上国國个個到说說们們为為子和你地出道也时時年得就那要下以生会會自着去之过過家学學对對可她里後后小么"
    "다이는을를가에의고한은하로도지"
)


# The ten most frequent letters of other alphabets make up about 60 percent of a text.
_FREQUENT_LETTERS = {
    "CYRILLIC": "оеаинтсрвлі", "GREEK": "αοιετσνηυρςά", "HEBREW": "יוהלאתרבשמ", "ARABIC": "اليمونترة",
    "THAI": "านรอกเงมยล่้",
}  # fmt: skip
# Encodings of DOS and old Macs must fit better than the others to win.
_RARE_ENCODINGS = frozenset(("cp866", "cp850", "mac_roman", "cp874"))
_RARE = 0.7
# Text scores above 1; random bytes do not.
_MIN_SCORE = 0.8


def guess_encoding(data: bytes) -> str | None:
    """Return the most likely encoding of a text that is not UTF-8; None if none is likely."""
    scores = {
        name: score for name in (*_SINGLE_BYTE, *_MULTI_BYTE) if (score := _score(data, name)) > _MIN_SCORE
    }
    return max(scores, key=lambda name: scores[name], default=None)


def _score(data: bytes, encoding: str) -> float:
    """Return how likely a text in this encoding is: at most about 2, below 0 if it is not."""
    try:
        text = data.decode(encoding)[:_SCORED]
    except UnicodeDecodeError:
        return -1.0
    marks = [index for index, letter in enumerate(text) if letter > "\x7f"]
    if not marks:
        return -1.0
    fit = sum(_fit(text, index) for index in marks) / len(marks)
    rare = _RARE if encoding in _RARE_ENCODINGS else 0.0
    return fit + _familiar(text, [text[index] for index in marks]) - rare


def _fit(text: str, index: int) -> float:
    """Return 1 for a character that fits to its neighbours, and less than 0 for one that does not."""
    letter = text[index]
    before = text[index - 1] if index else " "
    after = text[index + 1] if index + 1 < len(text) else " "
    if "\uff61" <= letter <= "\uff9f" or unicodedata.category(letter) in ("Cc", "Co", "Cn"):
        return -3.0
    if unicodedata.category(letter)[0] in "LM":
        if before.isalpha() and _script(before) != _script(letter):
            return -3.0
        return -3.0 if letter.isupper() and before.islower() else 1.0
    if before.isalpha() and after.isalpha():
        return 0.3 if letter in "’·" else -3.0
    if letter in _OPENING:
        return -1.0 if before.isalnum() else 1.0
    return 0.9 if letter in _SIGNS or unicodedata.east_asian_width(letter) in "WF" else -1.0


def _script(letter: str) -> str:
    if letter.isascii():
        return "LATIN"
    name = unicodedata.name(letter, "?").split()[0]
    # Japanese mixes its three scripts within words.
    return "CJK" if name in ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC") else name


def _familiar(text: str, marks: list[str]) -> float:
    """Return which share of the letters is frequent in the language of the text, 0 to 1."""
    letters = [letter.lower()[0] for letter in marks if letter.isalpha()]
    if not letters:
        return 0.5
    latin = sum(unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    if 2 * latin > len(letters):
        alphabet = _ALPHABETS.get(detect_language(text), "")
        return sum(letter in alphabet for letter in letters) / len(letters)
    wide = sum("\u2e80" <= letter <= "\ud7ff" for letter in letters)
    if 2 * wide > len(letters):
        kana = sum("\u3041" <= letter <= "\u30ff" for letter in letters)
        return min(1.0, (sum(letter in _FREQUENT for letter in letters) + kana) * 4 / len(letters))
    frequent = _FREQUENT_LETTERS.get(Counter(map(_script, letters)).most_common(1)[0][0], "")
    return min(1.0, 1.5 * sum(letter in frequent for letter in letters) / len(letters))
