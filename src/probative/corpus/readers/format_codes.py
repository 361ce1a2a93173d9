"""The codes of number formats ("#,##0.00;(0)"), taken apart: ISO/IEC 29500, part 1, 18.8.31."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

# Spreadsheets take no longer ones.
_MAX_CODE = 255
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|[_*].|\[(?P<bracket>[^\]]*)\]|(?P<general>General)'
    r"|(?P<half>AM/PM|A/P)|(?P<exponent>E[+-])|(?P<digits>[0#?])|(?P<date>y+|m+|d+|h+|s+|e+|g+|b+)"
    r"|(?P<sign>[.,%/@])|(?P<literal>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(?P<operator><=|>=|<>|<|>|=)(?P<limit>-?\d+(?:\.\d+)?)")


class Token(NamedTuple):
    """A part of a code: what it is, such as "digits", and its text."""

    kind: str
    text: str


@dataclass(frozen=True)
class Section:
    """One of up to four parts of a format; `limit` says for which numbers it is."""

    tokens: tuple[Token, ...]
    limit: tuple[str, Decimal] | None = None

    def has(self, *kinds: str) -> bool:
        """Return whether there is a token of one of these kinds."""
        return any(token.kind in kinds for token in self.tokens)

    def takes(self, number: Decimal) -> bool:
        """Return whether it is for a number."""
        if self.limit is None:
            return True
        operator, limit = self.limit
        equal, less = number == limit, number < limit
        return {"<": less, "<=": less or equal, "=": equal, "<>": not equal, ">": not (less or equal)}.get(
            operator, not less
        )


@lru_cache(256)
def sections_of(code: str) -> tuple[Section, ...]:
    """Return the sections of a format; none of a code that is too long.

    >>> positive, negative = sections_of('0.0;"minus" 0')
    >>> [token.kind for token in positive.tokens], [token.text for token in negative.tokens]
    (['digits', '.', 'digits'], ['minus', ' ', '0'])
    """
    if len(code) > _MAX_CODE:
        return ()
    parts, last = [""], ""
    for match in _TOKEN.finditer(code):
        last = match.group()
        if last == ";":
            parts.append("")
        else:
            parts[-1] += last
    return tuple(map(_section, parts[:4]))


def _section(code: str) -> Section:
    tokens: list[Token] = []
    limit = None
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup or "", match.group(match.lastgroup) if match.lastgroup else ""
        if kind == "bracket":
            if condition := _CONDITION.fullmatch(text):
                limit = condition["operator"], Decimal(condition["limit"])
            elif text.startswith("$"):
                tokens.append(Token("literal", text[1:].partition("-")[0]))
            elif re.fullmatch(r"h+|m+|s+", text, re.IGNORECASE):
                tokens.append(Token("elapsed", text.lower()))
        elif kind == "sign":
            tokens.append(Token({"%": "percent", "@": "at"}.get(text, text), text))
        elif kind in ("quoted", "escaped", "literal"):
            tokens.append(Token("literal", text))
        elif kind:
            tokens.append(Token(kind, text.lower() if kind == "date" else text))
    return Section(tuple(_typed(tokens)), limit)


def _typed(tokens: list[Token]) -> list[Token]:
    """Tell minutes from months, and the fraction of a second from the digits of a number."""
    if not any(token.kind in ("date", "elapsed") for token in tokens):
        return tokens
    typed: list[Token] = []
    times = [at for at, token in enumerate(tokens) if token.kind in ("date", "elapsed")]
    for at, (kind, text) in enumerate(tokens):
        if kind == "date" and text in ("m", "mm"):
            before = next((tokens[other].text[0] for other in reversed(times) if other < at), "")
            after = next((tokens[other].text[0] for other in times if other > at), "")
            text = f"min{text}" if before == "h" or after == "s" else text
        elif kind == "digits":
            kind = "fraction" if typed and typed[-1].kind in (".", "fraction") else "literal"
        elif kind in (",", "/", "percent") or (kind == "." and not _is_digit(tokens, at + 1)):
            kind = "literal"
        typed.append(Token(kind, text))
    return typed


def _is_digit(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at] == ("digits", "0")


def chosen_section(sections: Sequence[Section], value: Decimal) -> tuple[Section | None, bool]:
    """Return the section for a number, and whether it shows the number without its sign."""
    numeric = [section for section in sections[:3] if not (section.has("at") and len(sections) > 1)]
    if not numeric:
        return (sections[0], False) if sections else (None, False)
    if any(section.limit is not None for section in numeric):
        fitting = next((section for section in numeric if section.takes(value)), None)
        return fitting, False
    if value == 0 and len(numeric) > 2:
        return numeric[2], True
    if value < 0 and len(numeric) > 1:
        return numeric[1], True
    return numeric[0], False
