"""Which languages the embedded verdict model reads."""

from __future__ import annotations

import re
from typing import NamedTuple

from probative.models.verdict import VerdictModel
from probative.text.language import detect_language

READ = frozenset({"en"})
# Trained on some thousand rows of the first four; Spanish is measured (docs/results.md), and not trained.
PARTLY_READ = {"da": "Danish", "id": "Indonesian", "nl": "Dutch", "pt": "Portuguese", "es": "Spanish"}
NAMES = {
    "am": "Amharic", "ar": "Arabic", "be": "Belarusian", "bn": "Bengali", "cs": "Czech", "cy": "Welsh",
    "de": "German", "el": "Greek", "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish",
    "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "is": "Icelandic", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "la": "Latin", "lt": "Lithuanian", "lv": "Latvian", "no": "Norwegian",
    "pl": "Polish", "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "sw": "Swahili", "th": "Thai",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese", "en": "English", **PARTLY_READ,
}  # fmt: skip
UNKNOWN = "unknown"
# The vocabulary of the verdict model is made for English, where a common word is one token or two. A text
# whose words take more on average, and that has no English function word, is in another language.
FOREIGN_TOKENS = 1.9
MIN_WORDS = 3
_ENGLISH = re.compile(
    r"\b(?:the|of|and|for|that|with|by|from|it|are|were|has|have|had|not|than|will|can|more|who|when|which|after|"
    r"before|between)\b"
)


class LanguageNote(NamedTuple):
    """Whether the verdict model can read the texts, and what is to be said about their language."""

    readable: bool
    note: str = ""


READABLE = LanguageNote(True)


def language_note(claim: str, evidence: str, model: VerdictModel) -> LanguageNote:
    """Return whether the verdict model can read both texts, and a note if they are not English."""
    texts = {"claim": claim, "evidence": evidence}
    languages = {what: _language(text, model) for what, text in texts.items() if text.strip()}
    unread = {what: name for what, name in languages.items() if name not in READ and name not in PARTLY_READ}
    if unread:
        which = ", ".join(f"{what}: {NAMES.get(language, language)}" for what, language in unread.items())
        return LanguageNote(False, f"the verdict model does not read this language ({which})")
    if len(set(languages.values())) > 1:
        pair = ", ".join(f"{what}: {NAMES[language]}" for what, language in languages.items())
        return LanguageNote(
            True, f"the claim and the evidence are in two languages ({pair}): a verdict may fail"
        )
    partly = sorted(PARTLY_READ[language] for language in set(languages.values()) - READ)
    return LanguageNote(
        True, f"the verdict model reads {', '.join(partly)} less well than English" if partly else ""
    )


def _language(text: str, model: VerdictModel) -> str:
    """Return the language of a text; `UNKNOWN` if it cannot be English, and no other is recognised."""
    language = detect_language(text)
    if language != "en" or _ENGLISH.search(text.lower()):
        return language
    words = [word for word in re.findall(r"[^\W\d_]+", text) if word.islower()]
    if len(words) < MIN_WORDS:
        return language
    return UNKNOWN if sum(model.count_tokens(words)) > FOREIGN_TOKENS * len(words) else language
