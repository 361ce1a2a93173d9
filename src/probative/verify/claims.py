"""The text to verify and its claims: the sentences that can be checked, each put so that it stands alone."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probative.corpus.documents.document import Document, Heading
from probative.corpus.reading.limited import read_document
from probative.errors import InputError
from probative.models.types import encodable
from probative.text import english
from probative.text.sentences import ENGLISH, detect_language, split_sentences
from probative.text.words import words
from probative.types import Value
from probative.verify.blocks import Block, blocks_of, row_statements
from probative.verify.references import Reference, References, masked, one_line, references_of


@dataclass(frozen=True)
class TextToVerify:
    """A text with its name, the headings that its file marks, its title if that does not stand in the text,
    and notes about how it was read.
    """

    words: str
    name: str | None = None
    headings: Sequence[Heading] = ()
    title: str = ""
    notes: tuple[str, ...] = ()


def text_to_verify(given: Any, name: str | None = None) -> TextToVerify:
    """Return the text of a string, a `Document` or the `Path` of a file; raises `InputError`.

    >>> text_to_verify("It rained.", "log.md").name
    'log.md'
    """
    if isinstance(given, Path):
        given = read_document(given, str(given))
    if isinstance(given, Document):
        title = "" if given.title in given.text else given.title
        text = TextToVerify(given.text, name or given.source, given.headings, title, given.notes)
    elif isinstance(given, str):
        text = TextToVerify(given, name)
    else:
        raise InputError(
            f"the text must be a string, got {type(given).__name__}",
            hint="give words, a Document, or the Path of a file",
        )
    try:
        encodable(text.words)
    except ValueError as error:
        raise InputError(str(error)) from None
    if not text.words.strip():
        raise InputError(
            f"{text.name} has no text" if isinstance(given, Document) else "the text is empty",
            hint="give a text with at least one sentence",
        )
    return text


# A line that is emphasised as a whole and ends without a full stop: a caption or a date line.
_CAPTION = re.compile(r"(?P<mark>[*_]{1,3})(?!\s)[^*_]+(?P=mark)")
_SENTENCE_END = re.compile(r"[.!?][\"”’')]*$")
# White space that a citation before the full stop left: the claim ends before it.
_CITED_END = re.compile(r"\s{2,}[.;:!?]*$")
# What stands behind the citations of a sentence.
_NEXT_WORD = re.compile(r"\S|\n\n")
# Characters before a citation in which its sentence may end.
_LOOK_BACK = 20
# Ends a question, also in Chinese and Arabic.
_QUESTION_END = re.compile(r"[?？؟][\"”’')\]]*$")
MIN_WORDS = 2
# A longer item of a list is a sentence by itself, also without a full stop.
MAX_PHRASE = 5
# How many sentences before a claim may say what its pronoun stands for.
BEFORE = 2


class UncheckedText(Value):
    """A part of a text that was not checked, and why."""

    text: str
    start: int
    end: int
    reason: str


@dataclass(frozen=True)
class TextClaim:
    """A claim of a text.

    `text` is what stands at `start` to `end`, without markup; `statement` is what is checked: a sentence
    that can be read alone. `headings` help to find evidence. `language` is that of the whole text.
    """

    text: str
    start: int
    end: int
    statement: str
    headings: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    language: str = ENGLISH


@dataclass(frozen=True)
class ClaimedText:
    """A text taken apart: its claims, and what was not checked."""

    claims: tuple[TextClaim, ...]
    unchecked: tuple[UncheckedText, ...]
    language: str


@dataclass(frozen=True)
class _Sentence:
    """A sentence with its place, its words without markup, and its citations."""

    start: int
    end: int
    text: str
    references: tuple[Reference, ...]


def claims_of(text: str, headings: Sequence[Heading] = (), title: str = "") -> ClaimedText:
    r"""Return the claims of a text in plain words or Markdown, and its sentences that claim nothing.

    `headings` are those of a document whose text has no marks for them. If no sentence before a claim says
    what its pronoun stands for, the headings above it do, or the `title` of the document.

    >>> made = claims_of("# The mill\n\nThe mill was built in 1790 [1]. It burnt in 1890. Was it old?")
    >>> [claim.statement for claim in made.claims]
    ['The mill was built in 1790.', 'The mill burnt in 1890.']
    >>> [(part.text, part.reason) for part in made.unchecked]
    [('Was it old?', 'a question')]
    >>> claims_of("# The mill\n\nIt was built in 1790.").claims[0].statement
    'The mill: It was built in 1790.'
    """
    references = references_of(text)
    words = masked(text, references.citations)
    language = detect_language(words)
    reader = _ClaimReader(text, words, references, language, title)
    for block in blocks_of(text, headings):
        if not references.in_list(block.start):
            reader.read(block)
    return ClaimedText(tuple(reader.claims), tuple(reader.unchecked), language)


def _unchecked_reason(statement: str) -> str | None:
    """Return why a sentence is not checked; None if it is."""
    if _QUESTION_END.search(statement):
        return "a question"
    return "not a sentence" if max(len(statement.split()), len(words(statement))) < MIN_WORDS else None


class _ClaimReader:
    """Collects the claims of block after block."""

    def __init__(self, text: str, words: str, references: References, language: str, title: str) -> None:
        self.claims: list[TextClaim] = []
        self.unchecked: list[UncheckedText] = []
        self._text = text
        self._words = words
        self._references = references.citations
        self._starts = [reference.start for reference in references.citations]
        self._language = language
        self._title = title
        # The claims of the section so far, and its headings.
        self._before: list[str] = []
        self._section: tuple[str, ...] = ()
        # English rules would find wrong verbs and pronouns in other languages.
        self._has_rules = language == english.LANGUAGE

    def read(self, block: Block) -> None:
        raw = self._text[block.start : block.end]
        if block.kind == "row":
            self._read_row(block)
            return
        if _CAPTION.fullmatch(raw) and not _SENTENCE_END.search(raw.strip("*_")):
            self._leave(block.start, block.end, "a caption")
            return
        if block.headings != self._section:
            self._before, self._section = [], block.headings
        for sentence in self._sentences(block):
            statement = self._with_lead(sentence.text, block)
            reason = _unchecked_reason(statement)
            if sentence.text.endswith(":"):
                reason = "the introduction of a list"
            if reason is not None:
                self._leave(sentence.start, sentence.end, reason)
            else:
                self._add(sentence, statement, block)

    def _read_row(self, block: Block) -> None:
        """Add a claim for each cell of a row that says something about the first one."""
        values = [one_line(self._words[cell.start : cell.end]) for cell in block.cells]
        statements = row_statements([cell.column for cell in block.cells], values)
        for index, statement in statements:
            start, end = block.cells[index].start, block.cells[index].end
            sentence = _Sentence(start, end, values[index], self._cited(start, end))
            self._keep(sentence, start, end, statement, block)
        if not statements:
            self._leave(block.start, block.end, "a row of a table")

    def _add(self, sentence: _Sentence, statement: str, block: Block) -> None:
        """Add the claims of a sentence."""
        is_unchanged = statement == sentence.text
        parts = english.claim_parts(statement) if is_unchanged and self._has_rules else []
        if len(parts) < 2:
            self._keep(sentence, sentence.start, sentence.end, self._alone(statement), block)
            return
        cursor = sentence.start
        for part in parts:
            start, cursor = self._place(sentence.text[part.start : part.end], cursor, sentence.end)
            self._keep(sentence, start, cursor, self._alone(part.text), block)

    def _alone(self, statement: str) -> str:
        """Return a statement with what its pronoun stands for: in the sentences before it, or above them."""
        if not self._has_rules:
            return statement
        alone = english.stand_alone(statement, self._before[-BEFORE:])
        above = " › ".join(self._section) or self._title
        if above and not self._before and english.needs_sentence_before(alone):
            return f"{above}: {alone}"
        self._before.append(alone)
        return alone

    def _keep(self, sentence: _Sentence, start: int, end: int, alone: str, block: Block) -> None:
        text = one_line(self._words[start:end])
        self.claims.append(
            TextClaim(text, start, end, alone, block.headings, sentence.references, self._language)
        )

    def _place(self, part: str, start: int, end: int) -> tuple[int, int]:
        """Return where the words of a part stand in the text, whatever markup lies between them."""
        pattern = r"\s+".join(re.escape(word) for word in part.rstrip(".!?").split())
        match = re.search(pattern, self._words[start:end])
        return (start + match.start(), start + match.end()) if match else (start, end)

    def _with_lead(self, text: str, block: Block) -> str:
        """Return a list item that is no sentence with the words that introduce the list."""
        lead = one_line(block.lead)
        if block.kind != "item" or not lead.endswith(":") or not self._has_rules:
            return text
        if _SENTENCE_END.search(text) or len(text.split()) > MAX_PHRASE:
            return text
        lead = lead.rstrip(":").rsplit(". ", 1)[-1]
        first = text.split(maxsplit=1)[0]
        is_name = first[:1].isupper() and bool(words(first))  # names keep their capital, "The" does not
        return f"{lead} {text if is_name else text[:1].lower() + text[1:]}"

    def _leave(self, start: int, end: int, reason: str) -> None:
        text = one_line(self._words[start:end])
        if re.search(r"\w", text):
            self.unchecked.append(UncheckedText(text=text, start=start, end=end, reason=reason))

    def _sentences(self, block: Block) -> Iterator[_Sentence]:
        for start, end in self._spans(block):
            text = self._words[start:end]
            words = one_line(text)
            if re.search(r"\w", words):
                yield _Sentence(start, self._end(start, end), words, self._cited(start, end))

    def _end(self, start: int, end: int) -> int:
        """Return where a sentence ends without the citations before its full stop."""
        cited = _CITED_END.search(self._words[start:end])
        if cited is None:
            return end
        index = bisect_left(self._starts, start + cited.start())
        if index == len(self._starts) or self._starts[index] >= end:
            return end
        return start + len(self._text[start : self._starts[index]].rstrip(" \t\r\n(["))

    def _spans(self, block: Block) -> Iterator[tuple[int, int]]:
        """Yield the places of the sentences of a block. A citation behind a full stop ends a sentence."""
        cuts = [block.start, *self._marked_ends(block), block.end]
        for begin, after in itertools.pairwise(cuts):
            piece = self._words[begin:after].replace("\n", " ").replace("\r", " ")
            for sentence in split_sentences(piece, self._language):
                assert sentence.start is not None
                assert sentence.end is not None
                yield begin + sentence.start, begin + sentence.end

    def _marked_ends(self, block: Block) -> list[int]:
        first = bisect_left(self._starts, block.start)
        last = bisect_left(self._starts, block.end)
        return [
            reference.end
            for reference in self._references[first:last]
            if self._ends_at(max(block.start, reference.start - _LOOK_BACK), reference.start)
            and self._text[reference.end : reference.end + 1].isspace()
        ]

    def _ends_at(self, start: int, end: int) -> bool:
        return _SENTENCE_END.search(self._text, start, end) is not None

    def _cited(self, start: int, end: int) -> tuple[Reference, ...]:
        """Return the citations inside a sentence and directly behind it."""
        following = _NEXT_WORD.search(self._words, end)
        last = following.start() if following else len(self._words)
        return self._references[bisect_left(self._starts, start) : bisect_left(self._starts, last)]
