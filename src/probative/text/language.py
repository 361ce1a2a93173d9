"""The language of a document, by py3langid: a naive Bayes model over the bytes of 139 languages.

A detector takes a list of Italian names for Italian, and a table with "per" and "con" for anything. So two
readings must agree: the whole text, and its words without names. Where they do not, the language is the one
that the caller assumes: that of the question. `benchmarks/language.py` compares detectors and thresholds.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

ENGLISH = "en"
# The characters that are looked at, from the beginning of the text.
SAMPLE = 2_000
# Another language must be this many times as likely as the assumed one: in the whole text, and in its words
# without names, of which German has few. Chosen on the 242 texts of benchmarks/language_texts.py.
MIN_RATIO, MIN_PLAIN_RATIO = 100.0, 20.0
_WORD = re.compile(r"[^\s\d,;|]+|[,;|]")
_CONTROL = re.compile(r"<\|\w+\|>")


def detect_language(text: str, assumed: str = ENGLISH) -> str:
    """Return the ISO 639-1 code of the language of a document; `assumed` where that cannot be told.

    Give the whole document rather than its sentences: the answer is kept, and short texts tell little.

    >>> [detect_language(text) for text in ("It rained.", "Es regnete und das Spiel fiel aus.", "Шёл дождь.")]
    ['en', 'de', 'ru']
    >>> detect_language("Giovanni Rossi, Marco Bianchi, Luca Ferrari"), detect_language("1890", assumed="de")
    ('en', 'de')
    """
    return _detected(_CONTROL.sub(" ", text[:SAMPLE]), assumed)


@lru_cache(maxsize=1_024)
def _detected(text: str, assumed: str) -> str:
    words = _without_names(text)
    if not words:
        return assumed
    whole, plain = _probabilities(text), _probabilities(words)
    best = max(whole, key=lambda language: whole[language] * plain[language])
    sure = whole[best] >= MIN_RATIO * whole.get(assumed, 0.0) and plain[best] >= MIN_PLAIN_RATIO * plain.get(
        assumed, 0.0
    )
    return best if sure else assumed


def _without_names(text: str) -> str:
    """Return the words that do not begin with a capital, nor join two that do: a name may come from anywhere.

    >>> _without_names("Ada de Santis sold the mill to Ugo della Rovere.")
    'sold the mill to'
    """
    words = [(word, next(filter(str.isalpha, word), "").isupper()) for word in _WORD.findall(text)]
    bounded = [("", False), *words, ("", False)]
    return " ".join(
        word
        for (_, before), ((word, capital), (_, after)) in zip(bounded, pairwise(bounded[1:]), strict=False)
        if not capital and not (before and after) and any(map(str.isalpha, word))
    )


def _probabilities(text: str) -> dict[str, float]:
    """Return how likely each language with a code of two letters is."""
    return {language: share for language, share in _identifier().rank(text) if len(language) == 2}


@cache
def _identifier() -> Any:
    """Load the model, once a process: half a second and 100 MB.

    In memory, since py3langid's own loader writes 68 MB into a temporary file, and a disk may be full.
    """
    import io
    import lzma

    import numpy as np
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

    packed = lzma.decompress((MODEL_DIR / MODEL_FILE).read_bytes())
    with np.load(io.BytesIO(packed)) as data:
        return LanguageIdentifier(
            data["ptc"],
            data["pc"],
            data["classes"].tolist(),
            memoryview(data["nextmove"]),
            data["out_feat"].tolist(),
            norm_probs=True,
            tk_row=data["nextmove_row"].tolist(),
        )
