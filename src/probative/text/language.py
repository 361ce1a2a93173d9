"""The language of a text: by its script, and by common function words where several languages share a script.

Small and honest: it knows the languages below, needs two function words to leave English, and answers
English where it cannot tell. That is enough to choose the abbreviations by which sentences are split.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

# The letters that are looked at, from the beginning of the text.
SAMPLE = 2_000
MIN_FUNCTION_WORDS = 2

_SCRIPTS = {
    "ARABIC": "ar",
    "ARMENIAN": "hy",
    "BENGALI": "bn",
    "CJK": "zh",
    "CYRILLIC": "ru",
    "DEVANAGARI": "hi",
    "ETHIOPIC": "am",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KANNADA": "kn",
    "KATAKANA": "ja",
    "KHMER": "km",
    "LATIN": "en",
    "MALAYALAM": "ml",
    "MYANMAR": "my",
    "ORIYA": "or",
    "SINHALA": "si",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
}
# Letters that one language of a script has and the others do not.
_OWN_LETTERS = {"be": "ў", "uk": "іїєґ", "fa": "پچژگ", "ja": "のはがをにでとた"}
# Frequent words; those of other languages are no English words.
_FUNCTION_WORDS = {
    "cs": "se že je na byl byla jsou jeho který také nebo ale jako podle při",
    "da": "og af er til ikke det blev som den havde efter ved også",
    "de": "der das und ist nicht ein eine einen mit auf für von dem zu im sich auch wurde wird bei nach aus",
    "en": "the of and to in is was for on that with as by at from it its his her he she they this which were "
    "be are an or not had has have been who",
    "es": "el los las una del por con para que fue como más pero su sus también entre desde y",
    "fi": "ja oli että hän ei se joka mutta ovat myös kun sekä ole",
    "fr": "le les des une du est dans pour que qui pas sur avec par au aux il elle était et ses cette",
    "hu": "az és hogy nem egy volt is meg csak még szerint után",
    "it": "il lo gli della di che è per con una del nella sono anche era dal alla",
    "nl": "het een van en niet zijn voor met aan ook werd bij naar deze uit",
    "no": "og av er til ikke det ble som den hadde etter også være",
    "pl": "się nie jest na do że był była przez oraz jego jako dla po",
    "pt": "os uma do da em não que com por foi para como mais ao sua pelo também",
    "ro": "și este în din care pentru nu cu pe fost sau lui mai",
    "sv": "och att det som är på av för inte den till med ett hade från också",
    "tr": "ve bir bu için ile olarak da de çok olan gibi daha",
}
_CONTROL = re.compile(r"<\|\w+\|>")
_WORDS = {language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()}


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of the language of a text; "en" if it cannot be told.

    >>> [detect_language(text) for text in ("It rained.", "Es regnete und das Spiel fiel aus.", "Шёл дождь.")]
    ['en', 'de', 'ru']
    """
    sample = text[:SAMPLE]
    language = "en" if sample.isascii() else _by_script(sample)
    return _by_function_words(sample) if language == "en" else language


def _by_script(text: str) -> str:
    """Return the language of the script that most letters have."""
    counts: Counter[str] = Counter()
    for letter in text.lower():
        if letter.isalpha():
            script = unicodedata.name(letter, "LATIN").split(maxsplit=1)[0]
            counts[_SCRIPTS.get(script, "en")] += 1
    if not counts:
        return "en"
    language = counts.most_common(1)[0][0]
    siblings = {"ru": ("be", "uk"), "ar": ("fa",), "zh": ("ja",)}.get(language, ())
    for sibling in siblings:
        if set(text.lower()) & set(_OWN_LETTERS[sibling]):
            return sibling
    return language


def _by_function_words(text: str) -> str:
    """Return the language with the most function words, if it has more than English. Control tokens are no
    words: the "im" of ``<|im_end|>`` is not German.

    >>> _by_function_words("The mill burnt. <|im_end|> <|im_start|> <|im_end|>")
    'en'
    """
    words = re.findall(r"[^\W\d_]+", _CONTROL.sub(" ", text.lower()))
    counts = {language: sum(word in own for word in words) for language, own in _WORDS.items()}
    best = max(counts, key=lambda language: (counts[language], language == "en"))
    return best if counts[best] >= MIN_FUNCTION_WORDS else "en"
