"""Claims made from questions and their answers, by simple rules."""

from __future__ import annotations

import re


def as_claim(question: str, answer: str) -> str | None:
    """Return the statement that a question and an answer make, or None where no simple rule applies.

    >>> as_claim("Who is the mother of the director of Lark Hill?", "Ada Moe")
    'Ada Moe is the mother of the director of Lark Hill.'
    >>> as_claim("Which harbour town was the home of the painter Ada Moe?", "Molde")
    'The harbour town Molde was the home of the painter Ada Moe.'
    >>> as_claim("Are both boats red?", "no") is None
    True
    """
    if answer in ("yes", "no") or re.search(r"\b(or|do|does|did)\b", question):
        return None
    if match := re.fullmatch(r"(?:What|Who) (is|was|are|were) (.+?) ?\?", question):
        return f"{answer} {match[1]} {match[2]}."
    if match := re.fullmatch(r"Who ([a-z]+ed|wrote|won|sang) (.+?) ?\?", question):
        return f"{answer} {match[1]} {match[2]}."
    verb = r"is|was|are|were|has|had|won|wrote|[a-z]+ed"
    if match := re.fullmatch(rf"(?:What|Which) ([^,]+?) ({verb}) (.+?) ?\?", question):
        return f"The {match[1]} {answer} {match[2]} {match[3]}."
    return None
