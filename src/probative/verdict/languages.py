"""Which languages the embedded verdict model reads."""

from __future__ import annotations

from probative.text.language import detect_language

READ = frozenset({"en"})
# Trained on some thousand rows of the first four; Spanish is measured (docs/results.md), and not trained.
PARTLY_READ = {"da": "Danish", "id": "Indonesian", "nl": "Dutch", "pt": "Portuguese", "es": "Spanish"}


def language_note(claim: str, evidence: str) -> tuple[str | None, bool]:
    """Return a note about the language of the texts, and whether the verdict model can read it.

    >>> language_note("The mill burnt down.", "It burnt in 1890.")
    (None, True)
    >>> language_note("Завод сгорел.", "Завод сгорел в 1890 году.")[1]
    False
    """
    languages = {detect_language(text) for text in (claim, evidence) if text.strip()}
    unread = sorted(languages - READ - PARTLY_READ.keys())
    if unread:
        return f"not judged: the verdict model does not read this language ({', '.join(unread)})", False
    partly = sorted(PARTLY_READ[language] for language in languages - READ)
    if partly:
        return f"the verdict model reads {', '.join(partly)} less well than English", True
    return None, True
