"""How text becomes the terms of the word index, by language."""

from __future__ import annotations

from functools import cache
from typing import Any

OTHER = "other"
"""The analyzer of languages without a stemmer."""
UNSPACED = "unspaced"
"""The analyzer of languages that put no spaces between words: single characters and pairs of them."""
_STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
_SAME = {"nb": "no", "nn": "no"}
_UNSPACED = frozenset(("zh", "ja", "th", "lo", "km", "my"))
# Longer runs of letters are no words; they would fill the dictionary.
_MAX_LETTERS = 60

ANALYZERS = (*_STEMMERS, OTHER, UNSPACED)
"""The names of all analyzers; the word index has a field for each."""


def analyzer_name(language: str) -> str:
    """Return the name of the analyzer for a language.

    >>> [analyzer_name(language) for language in ("en", "nb", "pl", "ja")]
    ['en', 'no', 'other', 'unspaced']
    """
    language = _SAME.get(language, language)
    if language in _UNSPACED:
        return UNSPACED
    return language if language in _STEMMERS else OTHER


@cache
def analyzer(name: str) -> Any:
    """Return the analyzer of this name: it has `analyze(text)`, and the word index takes it.

    >>> analyzer("en").analyze("Ferries to Ålesund")
    ['ferri', 'to', 'alesund']
    """
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    if name == UNSPACED:
        return TextAnalyzerBuilder(Tokenizer.ngram(1, 2)).filter(Filter.lowercase()).build()
    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(_MAX_LETTERS))
    builder = builder.filter(Filter.lowercase())
    if name in _STEMMERS:
        builder = builder.filter(Filter.stemmer(_STEMMERS[name]))
    return builder.filter(Filter.ascii_fold()).build()
