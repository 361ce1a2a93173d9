"""The tokens of an English question, and the word lists by which its parts are told apart."""

from __future__ import annotations

import re
from typing import NamedTuple

from probative.text.word_lists import COMMON

# A quotation, a word, or a punctuation mark. A word starts only where no word character precedes it: without
# that condition, a long word before an underscore takes quadratic time. Quotations are bounded likewise.
_TOKEN = re.compile(
    r"\"[^\"]+\"|“[^”]{1,400}”|(?<![^\W_])[^\W_]+(?:[-.'’&][^\W_]+)*\.?(?=\s[A-Z]|\b)|[^\w\s]"
)


class Token(NamedTuple):
    """A token with the characters that it covers."""

    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        """The token in lower case."""
        return self.text.lower()

    @property
    def is_quoted(self) -> bool:
        """Whether the token is a quotation; a single mark is none."""
        return len(self.text) > 2 and self.text[0] in '"“'

    @property
    def is_name(self) -> bool:
        """Whether the token is a quotation, a number or a word with a capital."""
        return self.text[0].isupper() or self.is_quoted or self.text[0].isdigit()


def tokens_of(question: str) -> list[Token]:
    """Return the tokens of a question.

    >>> [token.text for token in tokens_of('Who wrote "The Quay", Dr. Vik?')]
    ['Who', 'wrote', '"The Quay"', ',', 'Dr.', 'Vik', '?']
    """
    return [_token(match) for match in _TOKEN.finditer(question)]


def _token(match: re.Match[str]) -> Token:
    """Return the token without a final dot that ends a sentence; an abbreviation with a capital keeps it."""
    text = match.group()
    if len(text) > 2 and text.endswith(".") and text[:-1].islower():
        return Token(text[:-1], match.start(), match.end() - 1)
    return Token(text, match.start(), match.end())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


QUESTION_WORDS = _words("what which who whom whose when where why how")
AUXILIARIES = _words(
    """is are was were be been being do does did has have had can could will would shall should may might
    must am"""
)
DO = _words("do does did")
# Words that join the parts of a name when a name follows them.
JOINING = _words("of the de la le du van von der di al and & for in on to")
# Words that have a capital only because the question begins with them.
_OPENING = _words("between besides under aside among according during since after before given")
OPENING = COMMON | QUESTION_WORDS | AUXILIARIES | _OPENING
# Content words that name nothing by themselves.
_LIGHT = _words(
    """name names named part type kind sort one two first second last same both also known called located
    based older younger earlier later longer shorter larger smaller bigger taller higher greater more many
    much another well main former famous several different common currently originally still either following
    whether such people person thing things other ever aside during full"""
)
VERBS = _words(
    """born won wrote made led held met sang built began became came went took gave got found left ran sold
    bought taught caught fought drew grew knew threw flew spoke broke chose drove rode rose wore stood
    understood lost spent sent kept told thought brought lies lie lived lives plays play win wins star stars
    feature features include includes live work works serve serves start starts share shares come comes go
    goes die dies died get gets give gives make makes take takes produce produces contain contains
    appear appears
    belong belongs refer refers happen happens host hosts own owns run runs stand stands use uses write writes
    written sing sings sung hold holds lead leads begin begins end ends become becomes mean means form forms
    interact control attain rid study"""
)
_NO_CONTENT = COMMON | QUESTION_WORDS | AUXILIARIES | VERBS | _LIGHT


def is_past_form(word: str) -> bool:
    """Return whether a word looks like a verb that ends in -ed."""
    return word.endswith("ed") and len(word) > 4


def is_content(token: Token) -> bool:
    """Return whether a token is a content word that names no one."""
    low = token.low
    if not token.text[0].isalpha() or token.text[0].isupper() or low in _NO_CONTENT:
        return False
    return not is_past_form(low) and not (low.endswith("ing") and len(low) > 6)
