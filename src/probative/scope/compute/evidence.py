"""The sentences of a chain that are about one thing, and the values that they give."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from probative.scope.result import ComputedValue
from probative.scope.run import Run
from probative.text import english
from probative.text.analysis import Attribute, Topic, topic_at
from probative.text.dates import Date
from probative.text.names import mentions, without_brackets
from probative.text.quantities import Quantity
from probative.text.sentences import sentences_of
from probative.text.words import words
from probative.types import Passage, SentencePassage

# How many sentences behind a mention of a name still count as being about it.
MAX_BEHIND = 2
# What stands between two names of one list.
_JOINED = re.compile(r"\s*,?\s*(?:and|or|,)?\s*(?:the\s+)?", re.IGNORECASE)
Parsed = Date | Quantity | frozenset[str] | str


@dataclass(frozen=True)
class ChainSentence:
    """A sentence of the chain, the title of its passage, and the index of the passage in the pool.

    `topics` say what its clauses are about, seen from the name whose sentence it is.
    """

    text: str
    title: str | None
    index: int
    topics: tuple[Topic, ...] = ()

    def topic_at(self, position: int) -> Topic:
        """Return what the clause at a position is about."""
        return topic_at(self.topics, position)

    def gives(self, value: Parsed, shown: str, *, read: bool = False) -> SentenceValue:
        """Return a value that the sentence gives."""
        return SentenceValue(value, shown, self.index, self.text, read)


@dataclass(frozen=True)
class SentenceValue:
    """A value, as it is shown, the index of the passage whose sentence gives it, and this sentence.

    `read`: the model named it, and the sentence only contains it. `derived`: the value in words, if it does
    not stand in the sentence but follows from it (a price less a discount, the time between two times);
    `stated`: then the words of the sentence that it follows from.
    """

    value: Parsed
    shown: str
    index: int
    text: str = ""
    read: bool = False
    derived: str = ""
    stated: str = ""


@dataclass(frozen=True)
class ComputedAnswer:
    """The computed answer, the values that it rests on, and the rule that decided ("1,912 m > 1,740 m").

    Without an answer, `missing` names each value that the chain does not give ("height: Mount Ode"), or
    `reason` says why the values cannot be compared. The indexes of the values are those of the pool.
    """

    answer: str | None
    reason: str
    values: tuple[ComputedValue, ...] = ()
    missing: tuple[str, ...] = ()
    supporting: tuple[int, ...] = ()

    @property
    def citations(self) -> tuple[int, ...]:
        """The passages that give the values, each once, and then those that lead to them."""
        giving = (value.index for value in self.values if value.index is not None)
        return tuple(dict.fromkeys((*giving, *self.supporting)))


@dataclass(frozen=True)
class ChainEvidence:
    """The chain, sentence by sentence."""

    passages: tuple[tuple[int, Passage], ...]

    @cached_property
    def sentences(self) -> tuple[ChainSentence, ...]:
        """Every sentence of the chain."""
        return tuple(
            ChainSentence(text, passage.title, index)
            for index, passage in self.passages
            for text in self._texts(passage)
        )

    def _texts(self, passage: Passage) -> list[str]:
        """Return the sentences of a passage. The full stops of an era ("44 B.C.") end no sentence."""
        plain = english.plain_eras
        if isinstance(passage, SentencePassage) and passage.own_sentences():
            return [plain(text) for text in sentences_of(passage)]
        return sentences_of(passage.model_copy(update={"text": plain(passage.text)}))

    @property
    def titles(self) -> list[str]:
        """The titles of the chain."""
        return [passage.title for _, passage in self.passages if passage.title]

    def about(
        self, name: str, others: Sequence[str] = (), kinds: frozenset[str] = frozenset()
    ) -> list[ChainSentence]:
        """Return the sentences about a name: those of its page, or those that mention it and the
        `MAX_BEHIND` sentences behind each, up to one about something else. None if two pages have this name.

        `others` are the names that it is compared with, `kinds` the nouns by which it may be called.
        """
        low = plain_name(name)
        page = [entry for entry in self.sentences if entry.title and plain_name(entry.title) == low]
        kinds = kinds.union(*(english.describes(entry.text, low) for entry in self.sentences))
        if page:
            return self._of_page(page, low, kinds) if len({entry.title for entry in page}) == 1 else []
        about: list[ChainSentence] = []
        within: int | None = None
        behind = 0
        for entry in self.sentences:
            behind += 1
            topics = english.topics_of(entry.text, low, kinds)
            if _names(entry.text, low) or (entry.title and mentions(entry.title, low)):
                within, behind = entry.index, 0
                topics = _without_others(entry.text, low, [plain_name(other) for other in others], topics)
            elif (
                within != entry.index
                or behind > MAX_BEHIND
                or (topics and topics[0].kind == "other")
                or any(_names(entry.text, plain_name(other)) for other in others)
            ):
                within = None
            elif about and self._continues_other(about[-1], entry):
                topics = tuple(topic._replace(kind="other") for topic in topics)
            if within is not None:
                about.append(replace(entry, topics=topics))
        return about

    def _of_page(
        self, sentences: Sequence[ChainSentence], low: str, kinds: frozenset[str]
    ) -> list[ChainSentence]:
        """Return the sentences of a page; the first is always about what the page is about."""
        return [
            replace(entry, topics=english.topics_of(entry.text, low, kinds) if row else ())
            for row, entry in enumerate(sentences)
        ]

    def _continues_other(self, before: ChainSentence, entry: ChainSentence) -> bool:
        """Return whether "it" stands for something else that the sentence before is about ("A wing …")."""
        last = before.topics[-1].kind if before.topics else "own"
        return (
            last != "own"
            and english.begins_with_pronoun(entry.text)
            and not english.begins_with_possessive(before.text)
        )


def _without_others(
    text: str, low: str, others: Sequence[str], topics: tuple[Topic, ...]
) -> tuple[Topic, ...]:
    """Return the topics of a sentence that names others: what follows another name is about that."""
    spans = sorted(
        (match.start(), match.end(), name)
        for name in (low, *others)
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text.lower())
        if not any(name != longer and name in longer and longer in text.lower() for longer in (low, *others))
    )
    if len({name for _, _, name in spans}) < 2:
        return topics
    groups: list[list[tuple[int, int, str]]] = []
    for span in spans:
        if groups and _JOINED.fullmatch(text[groups[-1][-1][1] : span[0]]):
            groups[-1].append(span)
        else:
            groups.append([span])
    cut: list[Topic] = []
    for row, group in enumerate(groups):
        begin = group[0][0] if row else 0
        until = groups[row + 1][0][0] if row + 1 < len(groups) else len(text)
        names = {name for _, _, name in group}
        # "12 and 15 km, respectively" is left out: which value is whose is not clear enough.
        is_about_name = low in names and (len(names) == 1 or "respectively" not in text.lower())
        cut.extend(_overlaps(topics, begin, until) if is_about_name else [Topic(begin, until, "compared")])
    return tuple(cut)


def _overlaps(topics: Sequence[Topic], start: int, end: int) -> list[Topic]:
    """Return the topics between two positions; without any, the name itself."""
    parts = [
        topic._replace(start=max(start, topic.start), end=min(end, topic.end))
        for topic in topics
        if topic.start < end and topic.end > start
    ]
    # Another name at the beginning of the clause was cut off: what is left is about the own name.
    return [part._replace(kind="own") if part.kind == "other" else part for part in parts]


def chain_evidence(run: Run, chain: Sequence[int]) -> ChainEvidence:
    """Return the sentences of a chain."""
    return ChainEvidence(tuple(zip(chain, run.pool.at(chain), strict=True)))


def plain_name(name: str) -> str:
    """Return a name in lower case, without brackets at its end and without an article.

    >>> plain_name("The Sea Lark (ketch)")
    'sea lark'
    """
    low = without_brackets(name).lower().strip()
    return low.removeprefix("the ").removeprefix("a ").removeprefix("an ")


def _names(text: str, low: str) -> bool:
    """Return whether a sentence names something: by its name or, for a name of several words, by all."""
    if mentions(text, low):
        return True
    parts = words(low)
    return len(parts) > 1 and set(parts) <= set(words(text))


def has_cue(attribute: Attribute, entry: ChainSentence) -> bool:
    """Return whether a sentence has a word of the attribute."""
    return not attribute.cues or not attribute.cues.isdisjoint(english.stems_of(entry.text))


def has_words(attribute: Attribute, entry: ChainSentence) -> bool:
    """Return whether a sentence has all words that the attribute needs."""
    return attribute.words <= english.stems_of(entry.text)
