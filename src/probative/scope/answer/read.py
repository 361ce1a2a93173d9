"""The answer as the tuned reader gives it: in the fewest words, in one call, or none."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from probative.engine.search import Search, choose, generate_or_empty
from probative.engine.tools import Tools
from probative.errors import EmptyError
from probative.models.contract import Capability
from probative.models.reader_prompts import UNKNOWN, ask_answer
from probative.models.types import Request, Selection
from probative.scope.answer.compute import offered
from probative.scope.answer.write import (
    ParsedAnswer,
    first_of,
    holding,
    options_of,
    pick_answer,
    plain_answer,
    write_answer,
)
from probative.scope.options import Answering
from probative.text.english.questions import answer_kind
from probative.types import Passage

_NONE = ParsedAnswer(None, ())
# How alike two spellings of a name are, from which on the passage's stands in for the reader's.
ALIKE = 0.85


class Reading(NamedTuple):
    """An answer, and how surely there is one in the passages: 1 − P(unknown), where the model can say. One
    that is `forced` was not found there by the reader. `declined`: it said that there is none.
    """

    given: ParsedAnswer
    answerable: float | None = None
    forced: bool = False
    declined: bool = False


def find_answer_in(
    question: str,
    chain: Sequence[int],
    passages: Sequence[Passage],
    answering: Answering,
    tools: Tools,
    notes: list[str],
    between: Sequence[str] = (),
    *,
    anyway: bool = False,
    complete: float | None = None,
    before: Reading | None = None,
) -> Search[Reading]:
    """The answer from the chain: read (or as it was read `before`), written or picked. A model that is not
    the tuned reader picks or writes instead of reading, and a note says so. Where the reader finds none and
    there shall be one `anyway`, or the policy is surer that the chain is `complete` than the reader that it
    is not, it is the likeliest of the chain's names, dates and numbers.
    """
    if answering == "read":
        if tools.model.reader:
            read = before or (yield from read_chain(question, chain, passages, tools, notes))
            outweighed = read.declined and _outweighed(read.answerable, complete)
            if read.given.text is not None or not (anyway or outweighed):
                return read
            likeliest = yield from _likeliest(question, chain, passages, tools, notes)
            return Reading(likeliest, read.answerable, forced=not outweighed)
        answering = "picked" if tools.model.name.startswith("embedded") else "written"
        notes.append(f"{tools.model.name} is not the tuned reader; the answer was {answering}")
    if answering == "written" or answer_kind(question) == "any":
        return Reading((yield from write_answer(question, chain, passages, notes)))
    return Reading((yield from pick_answer(question, chain, passages, notes, between)))


def _outweighed(answerable: float | None, complete: float | None) -> bool:
    """Whether the policy is surer that nothing is missing than the reader is that something is.

    >>> _outweighed(0.2, 0.98), _outweighed(0.01, 0.98), _outweighed(0.2, None)
    (True, False, False)
    """
    return answerable is not None and complete is not None and complete > 1.0 - answerable


def read_chain(
    question: str, chain: Sequence[int], passages: Sequence[Passage], tools: Tools, notes: list[str]
) -> Search[Reading]:
    """The reader's answer from the passages of the chain, and those of them that hold its words."""
    request = ask_answer(question, [passages[place] for place in chain])
    replies = yield from generate_or_empty([request], step="answer")
    reply = replies[0]
    declined = False
    if isinstance(reply, EmptyError):
        notes.append("the reader wrote nothing")
        given = _NONE
    elif reply.finish_reason == "dry-run":
        given = _NONE
    else:
        if reply.finish_reason == "length":
            notes.append("the reader's answer was cut: it wrote more than an answer")
        given = _given(reply.text, question, chain, passages, notes)
        declined = reply.text.strip(" .\n").lower() == UNKNOWN
        given = yield from _one_offered(given, request, question, chain, passages, tools, notes)
    answerable = yield from _answerable(request, given, tools)
    return Reading(given, answerable, declined=declined)


def _given(
    text: str, question: str, chain: Sequence[int], passages: Sequence[Passage], notes: list[str]
) -> ParsedAnswer:
    """The first line of a reply as an answer, with the passages that hold it; all of the chain where none
    does. A name that is nearly one of the chain's is spelt as it is there.
    """
    first = next((line for line in text.splitlines() if line.strip()), "")
    answer = plain_answer(first)
    if answer is None:
        return _NONE
    places = holding(answer, chain, passages)
    if not places:
        options = options_of(question, [passages[place] for place in chain])
        near = get_close_matches(answer, options, n=1, cutoff=ALIKE)
        if near:
            notes.append(f"the reader wrote {answer!r}; it is spelt as in the chain")
            return ParsedAnswer(near[0], tuple(holding(near[0], chain, passages)) or tuple(chain))
        notes.append("the answer does not stand in so many words in the chain")
    return ParsedAnswer(answer, tuple(places) or tuple(chain))


def _one_offered(
    given: ParsedAnswer,
    request: Request,
    question: str,
    chain: Sequence[int],
    passages: Sequence[Passage],
    tools: Tools,
    notes: list[str],
) -> Search[ParsedAnswer]:
    """The answer, or where a question ends in "A or B?" and it is neither, the one of them that the reader
    would more surely have written.
    """
    two = offered(question, [passages[place] for place in chain])
    if given.text is None or two is None or Capability.CHOOSE not in tools.model.capabilities:
        return given
    if first_of([*two, *(one.split()[-1] for one in two), "both", "neither"], given.text) is not None:
        return given
    choices = yield from choose([Selection(request=request, options=two)], step="answer")
    best = choices[0].best
    notes.append(f"the reader wrote {given.text!r}; the question offers {two[0]!r} and {two[1]!r}")
    return ParsedAnswer(best, tuple(holding(best, chain, passages)) or tuple(chain))


def _likeliest(
    question: str, chain: Sequence[int], passages: Sequence[Passage], tools: Tools, notes: list[str]
) -> Search[ParsedAnswer]:
    """Of the names, dates and numbers of the chain the one that the reader would most surely have written."""
    texts = [passages[place] for place in chain]
    options = tuple(dict.fromkeys(option.strip() for option in options_of(question, texts)))
    if not options or Capability.CHOOSE not in tools.model.capabilities:
        return _NONE
    best = options[0]
    if len(options) > 1:
        selection = Selection(request=ask_answer(question, texts), options=options)
        choices = yield from choose([selection], step="answer")
        best = choices[0].best
    notes.append("the reader finds no answer; this is the likeliest of what could be one")
    return ParsedAnswer(best, tuple(holding(best, chain, passages)) or tuple(chain))


def _answerable(request: Request, given: ParsedAnswer, tools: Tools) -> Search[float | None]:
    """1 − P(the reply is "unknown"), where the model can weigh two replies: its own answer is the other."""
    if Capability.CHOOSE not in tools.model.capabilities:
        return None
    own = given.text if given.text is not None and given.text.strip().lower() != UNKNOWN else "yes"
    choices = yield from choose([Selection(request=request, options=(UNKNOWN, own))], step="answerable")
    return 1.0 - choices[0].probability(UNKNOWN) * choices[0].coverage
