"""The language of a text: by its script, and by common function words where several languages share a script.

Small and honest: it knows the languages below, and answers English where it cannot tell. To leave English it
needs two function words of another language, or one that is long or has a letter that English lacks in a text
without any English function word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

# The letters that are looked at, from the beginning of the text.
SAMPLE = 2_000
MIN_FUNCTION_WORDS = 2
# A single word of fewer ASCII letters may be a name or an abbreviation.
MIN_TELLING_LETTERS = 4

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
    "cs": "se že je na byl byla bylo jsou jeho který také nebo ale jako podle při roce nebyl znovu",
    "da": "og af er til ikke det blev som den havde efter ved også fra mellem året",
    "de": "der das und ist nicht ein eine einen mit auf für von dem zu im sich auch wurde wird bei nach aus "
    "die den war wurden jahr jahre sind hat",
    "en": "the of and to in is was for on that with as by at from it its his her he she they this which were "
    "be are an or not had has have been who a did does do than will can may all no one two more but their",
    "es": "el los las una del por con para que fue como más pero su sus también entre desde y año está "
    "en la a se",
    "et": "ja oli ei see mis aga ning kui ta selle aastal kuid ka nad pole seda uuesti",
    "eu": "eta zen da zuen ez bat dira izan urtean zuten",
    "fi": "ja oli että hän ei se joka mutta ovat myös kun sekä ole vuonna eikä sitä olivat jonka hänen "
    "kanssa",
    "fr": "le les des une du est dans pour que qui pas sur avec par au aux il elle était et ses cette la en "
    "a été année sont",
    "hu": "az és hogy nem egy volt is meg csak még szerint után évben nincs vagy lett",
    "id": "yang dan di tidak dengan untuk pada adalah dari itu ini oleh tahun dalam telah juga ke akan "
    "mereka",
    "is": "og að var til ekki sem það við árið hann hún með frá eru",
    "it": "il lo gli della di che è per con una del nella sono anche era dal alla nel fu anno stato non",
    "la": "est et in cum non ad quae sunt esse anno fuit atque neque sed quod eius",
    "lt": "ir yra buvo kad kaip metais bet nuo iki taip",
    "lv": "un ir bija gadā kas bet par arī tika",
    "nl": "het een van en niet zijn voor met aan ook werd bij naar deze uit jaar",
    "no": "og av er til ikke det ble som den hadde etter også være fra året",
    "pl": "się nie jest na do że był była było przez oraz jego jako dla po roku został została",
    "pt": "os uma do da em não que com por foi para como mais ao sua pelo também ano o",
    "ro": "și este în din care pentru nu cu pe fost sau lui mai anul",
    "sv": "och att det som är på av för inte den till med ett hade från också året ner var",
    "sw": "na ya wa kwa ni katika mwaka ilikuwa alikuwa hii hiyo kuwa baada tena",
    "tr": "ve bir bu için ile olarak da de çok olan gibi daha yılında değil sonra",
    "vi": "và của là không được trong một năm có cho người vào đã các với bị",
    "cy": "yn y yr ac oedd mae wedi ei gan ar",
}
_DIACRITICS = {
    "cs": "ěřůč", "da": "æø", "de": "ßü", "es": "ñ¿¡", "fr": "œêèûôî", "hu": "őű", "is": "ðþ", "pl": "łąęśźż",
    "pt": "ãõ", "ro": "șță", "sv": "å", "tr": "ğış", "vi": "đơưạảấầẩậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
}  # fmt: skip
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
    letters = set(text.lower())
    own_letters = {language for language, own in _DIACRITICS.items() if letters & set(own)}
    best = max(counts, key=lambda language: (counts[language], language == "en", language in own_letters))
    if counts[best] >= MIN_FUNCTION_WORDS:
        return best
    return "en" if counts["en"] else _by_telling_words(text)


def _by_telling_words(text: str) -> str:
    """Return the language of one function word that English could not have, or of letters that it lacks.

    Only words in small letters count: a name may come from anywhere.

    >>> [_by_telling_words(text) for text in ("Mylly paloi vuonna 1890.", "Björk sang.")]
    ['fi', 'en']
    """
    words = [word for word in re.findall(r"[^\W\d_]+", text) if word.islower()]
    telling = [word for word in words if len(word) >= MIN_TELLING_LETTERS or not word.isascii()]
    for language, own in _WORDS.items():
        if language != "en" and any(word in own for word in telling):
            return language
    letters = {letter for word in words for letter in word if not letter.isascii()}
    return next((language for language, own in _DIACRITICS.items() if letters & set(own)), "en")
