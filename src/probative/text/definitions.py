"""Words that a document defines: "Alden Ropes Ltd (the Supplier)", "'Guest' means …", "Harbour Office (HO)".

A sentence that uses such a word cannot be understood without its meaning, which stands somewhere else. It is
found once, by the forms in which contracts, rules and reports define words, and is kept with the passages
that use it (`CorpusPassage.definitions`), for the header above their lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

# The most definitions above a passage: more would crowd out the passage itself.
MAX_DEFINITIONS = 6
_OPEN, _CLOSE = "[\"'“‘„«]", "[\"'”’“»]"
_SMALL = r"(?:of|the|and|for|in|de|van|der|von|la|le|du|&)"
_WORD = r"[\w&’'./-]{0,40}+"
# Bounded and without ways back, so that a long run of letters costs no more than its length.
_NAME = rf"(?<![\w&’'./-])[A-Z]{_WORD}(?:\s{{1,3}}(?:{_SMALL}\s{{1,3}}){{0,3}}[A-Z0-9]{_WORD}){{0,9}}"
# A name with its address: "Alden Ropes Ltd, Quay Road, Hexleigh (the Supplier)".
_PARTY = rf"{_NAME}(?:,\s{{1,3}}(?:of\s{{1,3}})?{_NAME}){{0,4}}"
# "Alden Ropes Ltd (the Supplier)", "… (hereinafter 'the Supplier')", "… ("Supplier")"
_CALLED = re.compile(
    rf"(?P<meaning>{_PARTY}),?\s?\((?:(?:herein)?after(?:\s+referred\s+to\s+as|\s+called)?:?\s{{0,3}}|below\s+)?"
    rf"(?:{_OPEN}\s*(?P<term>(?:the\s+)?[A-Z][\w &/-]{{1,38}})\s*{_CLOSE}"
    rf"|(?:the\s+){_OPEN}(?P<other>[A-Z][\w &/-]{{1,38}}){_CLOSE}|(?P<bare>the\s+[A-Z][\w &/-]{{1,38}}))\)"
)
# "'Guest' means the person who signs", "the Tender: the steamer Perpetua" in a list of definitions
_MEANS = re.compile(
    rf"(?:(?<=^)|(?<=[\s(])){_OPEN}(?P<term>(?:[Tt]he\s+|[Aa]n?\s+)?[A-Z][\w &/-]{{1,38}}){_CLOSE}\s+"
    r"(?:means|is|are|refers\s+to|stands\s+for|shall\s+mean)\s+(?P<meaning>[^.;\n]{3,160})",
    re.MULTILINE,
)
# "Harbour Office (HO)" and "HO (Harbour Office)"
_LONG_FIRST = re.compile(rf"(?P<meaning>{_NAME})\s*\({_OPEN}?(?P<term>[A-Z][A-Za-z&/-]{{1,9}}){_CLOSE}?\)")
_SHORT_FIRST = re.compile(rf"\b(?P<term>[A-Z][A-Z&/-]{{1,9}})\s*\((?P<meaning>{_NAME})\)")
_ARTICLE = re.compile(r"(?i)^(?:the|an?)\s+")
# The most definitions of one document.
MAX_DEFINED = 60
MAX_MEANING = 90


class Definition(NamedTuple):
    """A word as it is used ("the Supplier"), what it means, and where that is said."""

    term: str
    meaning: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """The word without its article."""
        return _ARTICLE.sub("", self.term)

    def __str__(self) -> str:
        return f"{self.term} = {self.meaning}"


def definitions_in(text: str) -> tuple[Definition, ...]:
    """Return the words that a text defines, in their order; the first definition of a word counts.

    >>> [(found.term, found.meaning) for found in definitions_in(
    ...     "Alden Ropes Ltd (the Supplier) sells to Harbour Office (HO). 'Guest' means whoever signs.")]
    [('the Supplier', 'Alden Ropes Ltd'), ('HO', 'Harbour Office'), ('Guest', 'whoever signs')]
    """
    first: dict[str, Definition] = {}
    for definition in sorted(_every(text), key=lambda entry: entry.start):
        first.setdefault(definition.key, definition)
    return tuple(islice(first.values(), MAX_DEFINED))


def needed_definitions(definitions: Iterable[Definition], text: str) -> tuple[Definition, ...]:
    """Return the definitions of the words that a text uses without saying what they mean.

    >>> known = definitions_in("Alden Ropes Ltd (the Supplier) is old.")
    >>> [entry.meaning for entry in needed_definitions(known, "The Supplier pays.")]
    ['Alden Ropes Ltd']
    >>> needed_definitions(known, "A supplier pays."), needed_definitions(known, "Alden Ropes Ltd pays.")
    ((), ())
    """
    return tuple(
        entry
        for entry in definitions
        if entry.meaning not in text and re.search(rf"(?<!\w){re.escape(entry.key)}(?!\w)", text)
    )


def header_of(title: str, date: str | None = None, definitions: Iterable[Definition | str] = ()) -> str:
    """Return what stands above the lines of a document where a model reads them.

    >>> header_of("Rope order", "2024-03-05", definitions_in("Alden Ropes Ltd (the Supplier)"))
    'Rope order (2024-03-05) · the Supplier = Alden Ropes Ltd'
    """
    dated = f"{title} ({date})".strip() if date else title
    return " · ".join(filter(None, [dated, *map(str, definitions)]))


def _every(text: str) -> Iterable[Definition]:
    for pattern in (_CALLED, _MEANS, _LONG_FIRST, _SHORT_FIRST):
        for match in pattern.finditer(text):
            groups = match.groupdict()
            term = next(groups[name] for name in ("term", "other", "bare") if groups.get(name))
            meaning = " ".join(match["meaning"].split())
            if pattern in (_LONG_FIRST, _SHORT_FIRST):
                meaning = _spelled_out(term, meaning)
            if meaning and meaning.lower() != term.lower():
                yield Definition(" ".join(term.split()), _cut(meaning), match.start(), match.end())


def _spelled_out(term: str, name: str) -> str:
    """Return the last words of a name whose initials an abbreviation has; "" if no words fit.

    >>> _spelled_out("HO", "Old Harbour Office"), _spelled_out("HO", "Rope Ltd")
    ('Harbour Office', '')
    """
    letters = [letter for letter in term if letter.isupper()]
    words = name.split()
    if len(letters) < 2:
        return ""
    for first in range(len(words) - 1, -1, -1):
        initials = [word[0] for word in words[first:] if word[0].isupper()]
        if initials == letters:
            return " ".join(words[first:])
    return ""


def _cut(meaning: str) -> str:
    """Return a meaning, or its first words if it is long."""
    if len(meaning) <= MAX_MEANING:
        return meaning.rstrip(" ,")
    return meaning[:MAX_MEANING].rsplit(" ", 1)[0].rstrip(" ,") + " …"
