"""A question in the language of the documents: by its own words alone, it would not find them.

The embedded models translate too weakly and are not asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from probative.engine.search import Search, generate_or_empty
from probative.engine.tools import Tools
from probative.errors import EmptyError
from probative.models.contract import Capability
from probative.models.types import Request
from probative.scope.run import fill_prompt
from probative.text.language import detect_language
from probative.verdict.languages import NAMES

MIN_SHARE = 0.1
"""The least share of documents in another language for which a question is translated."""
TOKENS = 120


def language_to_search(question: str, languages: Mapping[str, int]) -> str | None:
    """Return the most frequent language of the documents, counted by language, other than the question's.

    >>> language_to_search("Who built the bridge?", {"en": 80, "de": 20})
    'de'
    >>> language_to_search("Who built the bridge?", {"en": 99, "de": 1}) is None
    True
    """
    asked = detect_language(question)
    others = {code: count for code, count in languages.items() if code != asked}
    most = max(others, key=others.__getitem__, default="")
    return most if most and others[most] >= MIN_SHARE * sum(languages.values()) else None


def translate(question: str, language: str, tools: Tools) -> Search[str | None]:
    """Return the question in another language, written by the model; None if it cannot write that."""
    model = tools.model
    if Capability.GENERATE not in model.capabilities or model.name.startswith("embedded"):
        return None
    prompt = fill_prompt("translate", language=NAMES.get(language, language), question=question)
    (reply,) = yield from generate_or_empty([Request.user(prompt, max_tokens=TOKENS)], step="translate")
    if isinstance(reply, EmptyError) or reply.finish_reason == "dry-run":
        return None
    return reply.text.strip() or None
