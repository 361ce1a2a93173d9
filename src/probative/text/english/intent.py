"""The tokens of an English question, what it asks for, and the kind of its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from probative.text.analysis import AnswerKind, Span
from probative.text.word_lists import COMMON, any_of, word_set

# A quotation, a word, or a punctuation mark. A word starts only where no word character precedes it: without
# that condition, a long word before an underscore takes quadratic time. Quotations are bounded likewise.
_TOKEN = re.compile(
    r"\"[^\"]+\"|“[^”]{1,400}”|(?<![^\W_])[^\W_]+(?:[-.'’&][^\W_]+)*\.?(?=\s[A-Z]|\b)|[^\w\s]"
)
QUESTION_WORDS = word_set("question_words")
AUXILIARIES = word_set("auxiliaries") | {"being", "shall", "am"}
DO = word_set("do")
# Words that join the parts of a name when a name follows them.
JOINING = word_set("tokens.joining")
# Words that have a capital only because the question begins with them.
_OPENING = word_set("tokens.opening")
OPENING = COMMON | QUESTION_WORDS | AUXILIARIES | _OPENING
# Content words that name nothing by themselves.
_LIGHT = word_set("tokens.light")
VERBS = word_set("tokens.verbs")
_NO_CONTENT = COMMON | QUESTION_WORDS | AUXILIARIES | VERBS | _LIGHT
_COMPARED = re.compile(rf"(?i)\b(?:{any_of('intent.compared')})\b")
_KINDS: dict[AnswerKind, re.Pattern[str]] = {
    kind: re.compile(rf"\b(?:{any_of(f'intent.{kind}')})\b") for kind in ("date", "number", "place", "person")
}
_DEGREES = word_set("intent.degrees")
_ARTICLES = word_set("articles")
_BEFORE_NOUN = AUXILIARIES | _ARTICLES | {"of", "name", "'s", "s"}
_AFTER_NOUN = COMMON | AUXILIARIES | VERBS | QUESTION_WORDS


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
        """Whether the token is a quotation, and not a single mark."""
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


def is_past_form(word: str) -> bool:
    """Return whether a word looks like a verb that ends in -ed."""
    return word.endswith("ed") and len(word) > 4


def is_content(token: Token) -> bool:
    """Return whether a token is a content word that names no one."""
    low = token.low
    if not token.text[0].isalpha() or token.text[0].isupper() or low in _NO_CONTENT:
        return False
    return not is_past_form(low) and not (low.endswith("ing") and len(low) > 6)


class Intent(NamedTuple):
    """What is asked for, the kind of answer, and where the question says it."""

    text: str
    kind: AnswerKind
    span: Span | None = None


def find_intent(question: str, tokens: Sequence[Token]) -> Intent:
    """Return what a question asks for."""
    chooses = re.search(r"\bor\b", question) is not None and _COMPARED.search(question) is not None
    if tokens and tokens[0].low in AUXILIARIES:
        return Intent("which of the two", "choice") if chooses else Intent("yes or no", "yes-no")
    index = _question_word(tokens)
    if index is None:
        return Intent("what is asked", "name")
    word, rest = tokens[index].low, tokens[index + 1 :]
    if word in ("who", "whom", "whose"):
        return Intent("name of a person", "choice" if chooses else "person")
    if word == "why":
        return Intent("reason", "any")
    if word == "how":
        return _manner(question, rest)
    if word in ("when", "where"):
        return _time_or_place(question, rest, "date" if word == "when" else "place")
    return _named_kind(_noun(question, rest), chooses=chooses)


def _time_or_place(question: str, rest: Sequence[Token], kind: AnswerKind) -> Intent:
    """Return the intent of "when" or "where", by the noun that follows if it says the same."""
    noun = _noun(question, rest)
    return Intent(noun.text, kind, noun) if noun and noun.text.startswith(kind) else Intent(kind, kind)


def _named_kind(noun: Span | None, *, chooses: bool) -> Intent:
    """Return the intent of "which" or "what" with the noun that follows."""
    if noun is None:
        return Intent("what is asked", "choice" if chooses else "name")
    kind: AnswerKind = next(
        (kind for kind, names in _KINDS.items() if names.search(noun.text.lower())), "name"
    )
    if chooses and kind not in ("date", "number"):
        kind = "choice"
    return Intent(noun.text, kind, noun)


def _manner(question: str, rest: Sequence[Token]) -> Intent:
    """Return the intent of "how": a number, or a manner."""
    following = rest[0].low if rest else ""
    if following in ("many", "much"):
        what = "number" if following == "many" else "amount"
        if what == "amount" and len(rest) > 1 and rest[1].low in DO:
            return Intent(what, "number")  # "How much does the supplier pay": the supplier is not counted
        counted = _noun(question, rest[1:])
        return Intent(f"{what} of {counted.text}" if counted else what, "number", counted)
    if following in _DEGREES:
        return Intent(f"how {following}", "number")
    return Intent("manner", "any")


def _question_word(tokens: Sequence[Token]) -> int | None:
    """Return the index of the question word: at the beginning or the end, or the last "what", "which" or
    "how"; a "who" or "where" in the middle belongs to a clause.
    """
    indexes = [index for index, token in enumerate(tokens) if token.low in QUESTION_WORDS]
    if not indexes:
        return None
    if (first := indexes[0]) < 3 and all(token.low in COMMON for token in tokens[:first]):
        return first
    if not any(token.text[0].isalnum() for token in tokens[indexes[-1] + 1 :]):
        return indexes[-1]
    asking = [index for index in indexes if tokens[index].low in ("what", "which", "how", "whom")]
    return (asking or indexes)[-1]


def _noun(question: str, tokens: Sequence[Token]) -> Span | None:
    """Return the noun phrase behind a question word, past "is the"; with its "of …" if that names no one."""
    start = 0
    while start < len(tokens) and tokens[start].low in _BEFORE_NOUN:
        start += 1
    has_do = any(token.low in DO for token in tokens[:start])
    if has_do and start < len(tokens) and tokens[start].text[0].isupper():
        return None  # "What did Ada Berg buy": the question names no kind of thing
    end = start
    while end < len(tokens) and _in_noun(tokens[end]):
        end += 1
    if end == start:
        return None
    first, last = tokens[start], tokens[_with_of(tokens, end) - 1]
    return Span(question[first.start : last.end], first.start, last.end)


def _in_noun(token: Token) -> bool:
    return token.text[0].isalpha() and token.low not in _AFTER_NOUN and not is_past_form(token.low)


def _with_of(tokens: Sequence[Token], end: int) -> int:
    """Return the end of a noun phrase with its "of …" if that is a plain word and not itself "the … of"."""
    if end >= len(tokens) or tokens[end].low != "of":
        return end
    has_article = end + 1 < len(tokens) and tokens[end + 1].low in _ARTICLES
    word = end + 2 if has_article else end + 1
    if word >= len(tokens) or not tokens[word].text[0].islower() or tokens[word].low in COMMON:
        return end
    goes_on = has_article and word + 1 < len(tokens) and tokens[word + 1].low == "of"
    return end if goes_on else word + 1
