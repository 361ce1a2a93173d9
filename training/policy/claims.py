"""Claims made of questions and their answers, by plain rules."""

from __future__ import annotations

import re


def as_claim(question: str, answer: str) -> str | None:
    """What a question and its answer state together, where a plain rule can say it.

    >>> as_claim("Who is the mother of the director of Lark Hill?", "Ada Moe")
    'Ada Moe is the mother of the director of Lark Hill.'
    >>> as_claim("Which harbour town was the home of the painter Ada Moe?", "Molde")
    'The harbour town Molde was the home of the painter Ada Moe.'
    >>> as_claim("Are both boats red?", "no") is None
    True
    """
    if answer in ("yes", "no") or re.search(r"\b(or|do|does|did)\b", question):
        return None
    if found := re.fullmatch(r"(?:What|Who) (is|was|are|were) (.+?) ?\?", question):
        return f"{answer} {found[1]} {found[2]}."
    if found := re.fullmatch(r"Who ([a-z]+ed|wrote|won|sang) (.+?) ?\?", question):
        return f"{answer} {found[1]} {found[2]}."
    verb = r"is|was|are|were|has|had|won|wrote|[a-z]+ed"
    if found := re.fullmatch(rf"(?:What|Which) ([^,]+?) ({verb}) (.+?) ?\?", question):
        return f"The {found[1]} {answer} {found[2]} {found[3]}."
    return None
