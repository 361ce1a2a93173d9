"""Which languages the embedded verdict model reads."""

from __future__ import annotations

from typing import NamedTuple

READ = frozenset({"en"})
# Trained on some thousand rows of the first four; Spanish is measured (docs/results.md), and not trained. A
# short text in Indonesian cannot be told from Malay.
PARTLY_READ = {
    "da": "Danish", "id": "Indonesian", "nl": "Dutch", "pt": "Portuguese", "es": "Spanish", "ms": "Malay",
}  # fmt: skip
NAMES = {
    "af": "Afrikaans", "am": "Amharic", "ar": "Arabic", "be": "Belarusian", "bg": "Bulgarian",
    "bn": "Bengali", "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "de": "German",
    "el": "Greek", "en": "English", "eo": "Esperanto", "et": "Estonian", "eu": "Basque", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "is": "Icelandic", "it": "Italian",
    "ja": "Japanese", "ka": "Georgian", "ko": "Korean", "la": "Latin", "lt": "Lithuanian", "lv": "Latvian",
    "nn": "Norwegian", "no": "Norwegian", "pl": "Polish", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil",
    "te": "Telugu", "th": "Thai", "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu",
    "vi": "Vietnamese", "zh": "Chinese", **PARTLY_READ,
}  # fmt: skip


class LanguageNote(NamedTuple):
    """Whether the verdict model can read the texts, and what is to be said about their language."""

    readable: bool
    note: str = ""


READABLE = LanguageNote(True)


def language_note(claim: str, evidence: str) -> LanguageNote:
    """Return whether the verdict model can read a claim and evidence in these languages, and a note if they
    are not English.

    >>> language_note("en", "fi").note
    'the verdict model does not read this language (evidence: Finnish)'
    """
    languages = {"claim": claim, "evidence": evidence}
    unread = {what: name for what, name in languages.items() if name not in READ and name not in PARTLY_READ}
    if unread:
        which = ", ".join(f"{what}: {NAMES.get(language, language)}" for what, language in unread.items())
        return LanguageNote(False, f"the verdict model does not read this language ({which})")
    if claim != evidence:
        pair = ", ".join(f"{what}: {NAMES[language]}" for what, language in languages.items())
        return LanguageNote(
            True, f"the claim and the evidence are in two languages ({pair}): a verdict may fail"
        )
    return LanguageNote(
        True, "" if claim in READ else f"the verdict model reads {NAMES[claim]} less well than English"
    )
