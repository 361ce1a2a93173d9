"""The answer from the chain and nothing else: written by the model, or picked from what stands there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from probative.engine.search import Search, generate, score
from probative.models.types import Pair, Request
from probative.scope.prompts_text import filled
from probative.text.english.questions import answer_kind
from probative.text.english.spans import candidates, negated
from probative.text.prompts import numbered
from probative.text.words import words
from probative.types import Passage

ANSWER_TOKENS = 96
PICK_TOKENS = 24
# What is picked from, those of the first passages first: each costs a small model a reading of the chain.
MOST_CANDIDATES = 12

_UNKNOWN = re.compile(
    r"\W*(?:(?:it |the answer )?(?:is )?(?:unknown|not (?:given|known|stated))|no answer|"
    r"(?:the|these) (?:texts?|passages?) (?:do|does) not .*|i (?:do not|don['’]t|cannot|can['’]t) "
    r"(?:know|say|tell|answer).*)\W*",
    re.IGNORECASE | re.DOTALL,
)
_CITED = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]")


class ParsedAnswer(NamedTuple):
    """An answer, or None where the model says that there is none, and the passages it rests on."""

    text: str | None
    citations: tuple[int, ...]


def write_answer(
    question: str, chain: Sequence[int], passages: Sequence[Passage], notes: list[str]
) -> Search[ParsedAnswer]:
    """The model's own words, with the passages it cites. A citation of a passage that does not exist is left
    out with a note; an answer without any is traced to the passages that hold its words.
    """
    texts = [passages[place] for place in chain]
    prompt = filled("answer", passages=numbered(texts), question=" ".join(question.split()))
    replies = yield from generate([Request.user(prompt, max_tokens=ANSWER_TOKENS)], step="answer")
    if replies[0].finish_reason == "dry-run":
        return ParsedAnswer(None, ())
    return read_answer(replies[0].text, chain, passages, notes)


def read_answer(
    text: str, chain: Sequence[int], passages: Sequence[Passage], notes: list[str]
) -> ParsedAnswer:
    """An answer and its citations out of what the model wrote.

    >>> read_answer("Bergen [2].", [4, 7], [Passage(text="")] * 8, [])
    ParsedAnswer(text='Bergen', citations=(7,))
    """
    cited = [int(number) for group in _CITED.findall(text) for number in re.findall(r"\d+", group)]
    plain = plain_answer(text)
    if plain is None:
        return ParsedAnswer(None, ())
    real = [chain[number - 1] for number in dict.fromkeys(cited) if 1 <= number <= len(chain)]
    if wrong := [number for number in dict.fromkeys(cited) if not 1 <= number <= len(chain)]:
        notes.append(f"the model cited passages that do not exist: {', '.join(map(str, wrong))}")
    if not real:
        real = holding(plain, chain, passages)
        if real:
            notes.append("the model cited nothing; the passages that hold the answer's words are named")
    elif not set(holding(plain, real, passages)):
        notes.append("the answer does not stand in so many words in what it cites")
    return ParsedAnswer(plain, tuple(real))


def plain_answer(text: str) -> str | None:
    """What a model wrote, without citations and what stands around an answer; None where that says nothing.

    >>> plain_answer("Answer: Bergen [2]."), plain_answer("Unknown.")
    ('Bergen', None)
    """
    plain = re.sub(r"\s+([.,;!?])", r"\1", _CITED.sub("", text)).strip()
    plain = re.sub(r"^(?:answer|a)\s*:\s*", "", " ".join(plain.split()), flags=re.I).rstrip(".").strip()
    return None if not plain or _UNKNOWN.fullmatch(plain) else plain


def pick_answer(
    question: str,
    chain: Sequence[int],
    passages: Sequence[Passage],
    notes: list[str],
    between: Sequence[str] = (),
) -> Search[ParsedAnswer]:
    """One of the chain's names, dates and numbers: the first that the model writes, or, where it writes none,
    the one that it would most surely have written. Where a place is asked for, it is none of the nodes that
    only stand between the question and the answer.
    """
    options = options_of(question, [passages[place] for place in chain])
    if answer_kind(question) == "place":
        options = [option for option in options if option not in between] or options
    if not options:
        notes.append("the chain holds nothing of the kind that is asked for")
        return ParsedAnswer(None, ())
    if len(options) == 1:
        return ParsedAnswer(options[0], tuple(holding(options[0], chain, passages)))
    if options == ["yes", "no"] and (stated := _stated(question, chain, passages)) is not None:
        return stated
    texts = numbered([passages[place] for place in chain])
    prompt = filled("pick", passages=texts, question=" ".join(question.split()))
    written = yield from generate([Request.user(prompt, max_tokens=PICK_TOKENS)], step="answer")
    if written[0].finish_reason == "dry-run":
        return ParsedAnswer(None, ())
    best = first_of(options, written[0].text)
    if best is None:
        pairs = [Pair(prompt=f"{prompt}\nAnswer:", continuation=f" {option}") for option in options]
        scores = yield from score(pairs, step="answer")
        best = options[max(range(len(options)), key=lambda at: scores[at].mean)]
    return ParsedAnswer(best, tuple(holding(best, chain, passages)) or tuple(chain))


def _stated(question: str, chain: Sequence[int], passages: Sequence[Passage]) -> ParsedAnswer | None:
    """Yes or no where a passage says all that the question does, with a "not" or without."""
    asked = set(words(question))
    for place in chain:
        text = passages[place].whole
        if asked <= set(words(text)):
            return ParsedAnswer("no" if negated(text) != negated(question) else "yes", (place,))
    return None


def options_of(question: str, texts: Sequence[Passage]) -> list[str]:
    """What a question could be answered with from these passages, their titles included."""
    kind = answer_kind(question)
    options = candidates([passage.text for passage in texts], question, kind)
    if kind in ("person", "place", "name"):
        asked = set(words(question))
        titles = dict.fromkeys(passage.title for passage in texts if passage.title)
        options += [title for title in titles if title not in options and not set(words(title)) <= asked]
    return options[:MOST_CANDIDATES]


def first_of(options: Sequence[str], text: str) -> str | None:
    """The option that stands first in a text, of those at one place the longest.

    >>> first_of(["Berg", "Ada Berg", "Molde"], "It was Ada Berg, of Molde.")
    'Ada Berg'
    """
    low = f" {_plain(text)} "
    places = [(low.find(f" {_plain(option)} "), -len(option), option) for option in options]
    found = [place for place in places if place[0] >= 0]
    return min(found)[2] if found else None


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def holding(answer: str, chain: Sequence[int], passages: Sequence[Passage]) -> list[int]:
    """The passages of the chain that hold the words of an answer; for yes and no, all of it."""
    wanted = set(words(answer))
    if not wanted or answer.lower() in ("yes", "no"):
        return list(chain)
    return [place for place in chain if wanted <= set(words(passages[place].whole))]
