"""Guess the encoding of a text without a mark: the one that gives the most likely letters.

Each encoding that decodes the bytes is scored by the letters beyond ASCII: whether they stand in words of
their own script, in the alphabet of the language, not as capitals or signs within words. On texts of one
sentence it is right more often than charset-normalizer (`benchmarks/reading.py encodings`).
"""

from __future__ import annotations

import unicodedata
from collections import Counter

from probative.text.language import detect_language

# In the order in which they win if they are equally likely.
_SINGLE_BYTE = (
    "cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258",
    "iso8859_2", "iso8859_5", "iso8859_7", "iso8859_8", "iso8859_15", "cp866", "cp850", "mac_roman", "koi8_u",
    "cp874",
)  # fmt: skip
_MULTI_BYTE = ("euc_jp", "shift_jis", "gb18030", "big5", "euc_kr")
_SAMPLE = 4_000
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
    """Return the most likely encoding of a text that is not UTF-8; None if none is likely.

    >>> guess_encoding("Паром отправляется каждое утро.".encode("koi8_r"))
    'koi8_r'
    """
    scores = {
        name: score for name in (*_SINGLE_BYTE, *_MULTI_BYTE) if (score := _score(data, name)) > _MIN_SCORE
    }
    return max(scores, key=lambda name: scores[name], default=None)


def _score(data: bytes, encoding: str) -> float:
    """Return how likely a text in this encoding is: at most about 2, below 0 if it is not."""
    try:
        text = data.decode(encoding)[:_SAMPLE]
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
