"""What a model of `/v1` says: the answer with markers, its sources, or why there is no answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

from probative.corpus.documents.document import Citation
from probative.errors import InputError
from probative.scope.follow_up import AS_WRITTEN
from probative.scope.result import Answer, ChainPassage, CitedSentence, Conflict, Level
from probative.server.openai.conversation import READ_AS
from probative.text.words import words
from probative.types import Value, Verdict

# Passages shown where none carries the answer.
_NEAREST = 3
_MAX_QUOTE = 400
_MARKUP = re.compile(r"(\\*)([\[<])")
_MARKUP_OF_LINK = re.compile(r"(\\*)([\]`])")

PlaceUrl = Callable[[str], str]
"""Returns the address of a citation."""


class UrlCitation(Value):
    """A marker in the text (its characters from `start_index` to `end_index`) and the place it stands for."""

    type: Literal["url_citation"] = "url_citation"
    url: str
    title: str
    start_index: int
    end_index: int


class Finding(Value):
    """What OpenAI's fields have no room for. `refusal` says in one line why there is no answer, or why the
    `candidate` of the level `probable` is not confirmed; `run` is the id of the run in `/api/runs`, if it is
    kept. `read_as` is a follow-up as the model rewrote it.
    """

    verdict: Verdict | None = None
    level: Level | None = None
    candidate: str | None = None
    certainty: float | None = None
    reason: str | None = None
    missing: tuple[str, ...] = ()
    read_as: str | None = None
    refusal: str | None = None
    run: str | None = None


@dataclass(frozen=True)
class Reply:
    """A text with annotations. If there is no answer, `finding.refusal` says why in one line."""

    text: str
    finding: Finding
    annotations: tuple[UrlCitation, ...] = ()

    @property
    def pieces(self) -> list[str]:
        """The text in pieces for a stream: its lines."""
        return self.text.splitlines(keepends=True)


@dataclass
class _Source:
    number: int
    citation: str
    title: str
    words: str


@dataclass
class _Draft:
    """A text that grows, with markers and the sources that they stand for."""

    url: PlaceUrl
    text: str = ""
    sources: dict[str, _Source] = field(default_factory=dict)
    annotations: list[UrlCitation] = field(default_factory=list)

    def cite(self, citation: str | None, title: str, words: str) -> None:
        """Add the marker of a place."""
        if citation is None:
            return
        source = self.sources.setdefault(
            citation, _Source(len(self.sources) + 1, citation, title or _file(citation), words)
        )
        start = len(self.text)
        self.text += f"[{source.number}]"
        self.annotations.append(
            UrlCitation(
                url=self.url(citation), title=source.title, start_index=start, end_index=len(self.text)
            )
        )

    def list_sources(self, heading: str) -> None:
        """Add the numbered list of sources."""
        if not self.sources:
            return
        self.text += f"\n\n{heading}\n"
        for source in self.sources.values():
            file = _file(source.citation) + _place(source.citation)
            titled = source.title != _file(source.citation)
            label, where = (source.title, f" ({plain(file)})") if titled else (file, "")
            link = f"[{_label(label)}]({self.url(source.citation)})"
            self.text += f"\n{source.number}. {link}{where}: “{_quoted(source.words)}”"


def reply_of(answer: Answer, corpus: str, run: str | None, url: PlaceUrl) -> Reply:
    """Return what is said to a question."""
    draft = _Draft(url, _reading(answer))
    refusal: str | None = None
    match answer.level:
        case Level.SUPPORTED:
            _write_answer(draft, answer)
        case Level.PROBABLE:
            refusal = _write_probable(draft, answer)
        case Level.DISPUTED:
            refusal = _write_conflict(draft, answer, corpus)
        case Level.NOT_FOUND:
            refusal = _write_gap(draft, answer, corpus)
    finding = Finding(
        verdict=answer.verdict,
        level=answer.level,
        candidate=answer.candidate if answer.level is Level.PROBABLE else None,
        certainty=answer.certainty,
        # The reason of a dispute has the numbers of passages, which are others than those of this text.
        reason=refusal if answer.level is Level.DISPUTED else answer.reason,
        missing=answer.missing,
        read_as=answer.read_as,
        refusal=refusal,
        run=run,
    )
    return Reply(draft.text, finding, tuple(draft.annotations))


def _reading(answer: Answer) -> str:
    """Return the beginning of a reply to a follow-up: how it was read."""
    if answer.read_as is not None:
        return f"{READ_AS}{plain(answer.read_as)}\n\n"
    written = next((note for note in answer.notes if note.startswith(AS_WRITTEN)), None)
    return "" if written is None else f"{plain(written[0].upper() + written[1:])}.\n\n"


def reply_to_follow_up(pointer: str) -> Reply:
    """Return what is said to a question that cannot be read by itself."""
    refusal = (
        f"Each question is answered by itself, and “{_quoted(pointer)}” points at an earlier one. "
        "Please ask again with the name of what you mean."
    )
    return Reply(refusal, Finding(reason="the question points at an earlier turn", refusal=refusal))


def only_questions(corpus: str) -> str:
    """Return what is said to a message that asks nothing of the documents.

    >>> only_questions("club")
    'Only questions about the documents of “club” are answered here.'
    """
    return f"Only questions about the documents of “{corpus}” are answered here."


def place_url(base: str, corpus: str, citation: str) -> str:
    """Return the address at which the page shows a place of a document.

    >>> place_url("http://127.0.0.1:8377", "club", "minutes/may.pdf#page=3&char=120,188")
    'http://127.0.0.1:8377/#/document/club?source=minutes%2Fmay.pdf&page=3&char=120%2C188'
    >>> place_url("http://127.0.0.1:8377", "club", "a.xlsx#sheet=Ropes %26 tar&cells=A4:D4&char=96,140")
    'http://127.0.0.1:8377/#/document/club?source=a.xlsx&sheet=Ropes%20%26%20tar&cells=A4%3AD4&char=96%2C140'
    """
    try:
        parsed = Citation.parse(citation)
    except InputError:  # a store of the user's own may call its passages otherwise
        return f"{base}/#/document/{quote(corpus)}?source={_encoded(citation)}"
    place = f"&{quote(parsed.locator, safe='=&%')}" if parsed.locator else ""
    characters = f"{parsed.start}%2C{parsed.end}"
    return f"{base}/#/document/{quote(corpus)}?source={_encoded(parsed.source)}{place}&char={characters}"


def plain(text: str) -> str:
    r"""Return words of a document on one line, such that Markdown makes no link, image or HTML of them.

    A chat page would load an image that a document names.

    >>> print(plain("See ![x](http://example.org/x.png)\nand <b>this</b>."))
    See !\[x](http://example.org/x.png) and \<b>this\</b>.
    """
    return _MARKUP.sub(r"\1\1\\\2", " ".join(text.split()))


def _write_answer(draft: _Draft, answer: Answer) -> None:
    draft.text += plain(answer.answer or "")
    _write_markers(draft, answer)
    draft.text += "\n\nSupported by the documents."
    _write_grounds(draft, answer)


def _write_probable(draft: _Draft, answer: Answer) -> str:
    draft.text += f"Probably {plain(answer.candidate or '')}, not confirmed"
    _write_markers(draft, answer)
    certainty = "" if answer.certainty is None else f" ({answer.certainty:.0%} certain)"
    refusal = f"Only probable{certainty}{_because(answer)}."
    draft.text += f"\n\n{refusal}"
    _write_grounds(draft, answer)
    return refusal


def _write_markers(draft: _Draft, answer: Answer) -> None:
    """Add the markers of what the answer rests on, and of what leads there."""
    titles = {passage.index: passage.title or "" for passage in answer.chain}

    def cite(sentences: Iterable[CitedSentence | ChainPassage]) -> None:
        for sentence in sentences:
            draft.cite(sentence.citation, titles.get(sentence.index, ""), sentence.text)

    draft.text += " "
    cite(answer.cited or (passage for passage in answer.chain if passage.index in answer.citations))
    draft.text = draft.text.rstrip()
    if any(sentence.citation is not None for sentence in answer.leading):
        draft.text += ", by way of "
        cite(answer.leading)


def _write_grounds(draft: _Draft, answer: Answer) -> None:
    """Add the rule of a computation, what the answer replaces or is at odds with, and the sources."""
    if answer.computation is not None:
        draft.text += f"\n\nComputed: {plain(answer.computation.rule)}"
    for conflict in answer.conflicts:
        earlier = conflict.in_force == conflict.index
        draft.text += "\n\nThis replaces: " if earlier else "\n\nAnother place says otherwise: "
        _write_side(draft, answer, conflict.other, conflict.other_text, conflict.other_citation)
    draft.list_sources("Sources:")


def _write_conflict(draft: _Draft, answer: Answer, corpus: str) -> str:
    refusal = f"Disputed: the documents of “{corpus}” contradict one another, so that no answer is given."
    draft.text += refusal
    for conflict in [entry for entry in answer.conflicts if entry.blocking] or answer.conflicts:
        draft.text += "\n\n- One side: "
        _write_side(draft, answer, conflict.index, conflict.text, conflict.citation)
        draft.text += "\n- The other side: "
        _write_side(draft, answer, conflict.other, conflict.other_text, conflict.other_citation)
    draft.list_sources("Sources:")
    return f"{refusal}{_sides(answer.conflicts)}"


def _write_side(draft: _Draft, answer: Answer, index: int, words: str, citation: str | None) -> None:
    draft.text += f"“{_quoted(words)}” "
    title = next((passage.title for passage in answer.chain if passage.index == index), None)
    draft.cite(citation, title or "", words)


def _sides(conflicts: tuple[Conflict, ...]) -> str:
    first = next((conflict for conflict in conflicts if conflict.blocking), None)
    return "" if first is None else f" One says {plain(first.says)}, another {plain(first.instead)}."


def _write_gap(draft: _Draft, answer: Answer, corpus: str) -> str:
    if not _asks_of(answer):
        refusal = only_questions(corpus)
        draft.text += refusal
        return refusal
    refusal = f"Not found: the documents of “{corpus}” do not answer this{_because(answer)}."
    if answer.missing:
        refusal += f" Missing: {'; '.join(plain(feature) for feature in answer.missing)}."
    draft.text += refusal
    nearest = [passage for passage in answer.chain if passage.citation is not None][:_NEAREST]
    if nearest:
        draft.text += "\n\nThe nearest places, which do not carry an answer: "
        # Of a long passage, the sentence that came nearest.
        sentences = {each.index: each for each in (*answer.leading, *answer.cited) if each.citation}
        for passage in nearest:
            piece = sentences.get(passage.index, passage)
            draft.cite(piece.citation, passage.title or "", piece.text)
        draft.list_sources("Places:")
    return refusal


def _because(answer: Answer) -> str:
    return f": {plain(answer.reason)}" if answer.reason else ""


def _asks_of(answer: Answer) -> bool:
    """Return whether something was asked of the documents: a remark is no question, nor does it have a word
    of what was found. Plain greetings are told before a run (`is_greeting`).
    """
    asked = set(words(answer.question))
    if asked and any(mark in answer.question for mark in "?？؟"):
        return True
    texts = " ".join(f"{passage.title or ''} {passage.text}" for passage in answer.chain)
    return not asked.isdisjoint(words(texts))


def _file(citation: str) -> str:
    return citation.rpartition("#")[0] or citation


def _label(text: str) -> str:
    return _MARKUP_OF_LINK.sub(r"\1\1\\\2", plain(text)).rstrip("\\")


def _place(citation: str) -> str:
    try:
        place = Citation.parse(citation).words
    except InputError:  # as in `place_url`
        return ""
    return f", {place}" if place else ""


def _quoted(words: str) -> str:
    line = plain(words)
    return line if len(line) <= _MAX_QUOTE else f"{line[: _MAX_QUOTE - 1].rstrip()}…"


def _encoded(text: str) -> str:
    return quote(text, safe="", errors="surrogateescape")
