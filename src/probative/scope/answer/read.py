"""An answer that the tuned reader gives: in a few words, in one call, or none.

The reader gives its most probable texts with their probabilities (a beam search after one reading of the
prompt). A text may be the answer if it stands in the chain in some normal form, or if it is the yes or no
that the question asks for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from probative.engine.search import Search, generate_or_empty, try_choose
from probative.errors import EmptyError
from probative.models.contract import Capability
from probative.models.task_prompts import UNKNOWN, ask_answer
from probative.models.types import Alternative, Choice, Completion, Request, Selection
from probative.scope.finding import NO_ANSWER, Candidate, ParsedAnswer, Reading
from probative.scope.run import Run
from probative.scope.sentences import passage_sentences, rows_with
from probative.text import english
from probative.text.words import words
from probative.types import Passage

# The largest number of spans to pick from, those of the first passages first: each costs a small model a
# reading of the chain.
MAX_CANDIDATES = 12
# The texts that the reader gives: a beam of 6 takes a quarter more time than one text.
ALTERNATIVES = 4
# How similar the reader's spelling and a span of the chain must be for the span to replace it.
MIN_SIMILARITY = 0.85


def answer_candidates(run: Run, chain: Sequence[int]) -> list[str]:
    """Return the spans of the chain, its titles included, that could answer the question."""
    passages = run.pool.at(chain)
    question = run.question.parsed
    candidates = english.answer_candidates([passage.text for passage in passages], question)
    if question.kind in ("person", "place", "name"):
        titles = dict.fromkeys(passage.title for passage in passages if passage.title)
        candidates += [
            title for title in titles if title not in candidates and not set(words(title)) <= question.words
        ]
    return candidates[:MAX_CANDIDATES]


def first_of(options: Sequence[str], text: str) -> str | None:
    """Return the option that comes first in a text; of several at one position the longest.

    >>> first_of(["Berg", "Ada Berg", "Molde"], "It was Ada Berg, of Molde.")
    'Ada Berg'
    """
    plain = f" {_plain(text)} "
    positions = [(plain.find(f" {_plain(option)} "), -len(option), option) for option in options]
    present = [entry for entry in positions if entry[0] >= 0]
    return min(present)[2] if present else None


def holding(run: Run, answer: str, chain: Sequence[int]) -> list[int]:
    """Return the passages of the chain that contain the words of an answer; all of them for yes and no."""
    content = set(words(answer))
    if not content or answer.lower() in ("yes", "no"):
        return list(chain)
    passages = zip(chain, run.pool.at(chain), strict=True)
    return [index for index, passage in passages if content <= set(words(passage.whole))]


def cited(run: Run, answer: str, chain: Sequence[int]) -> ParsedAnswer:
    """Return an answer that rests on the passages that contain it, or on the whole chain."""
    return ParsedAnswer(answer, tuple(holding(run, answer, chain)) or tuple(chain))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def candidates_in_chain(
    run: Run, alternatives: Sequence[Alternative], chain: Sequence[int]
) -> tuple[Candidate, ...]:
    """Return the texts that may be the answer, the most probable first; equal normal forms count once."""
    shares: dict[tuple[str, ...], float] = {}
    spelling: dict[tuple[str, ...], str] = {}
    for alternative in alternatives:
        text = grounded_spelling(run, first_line(alternative.text), chain)
        if text is None:
            continue
        form = english.normal_form(text)
        spelling.setdefault(form, text)
        shares[form] = shares.get(form, 0.0) + math.exp(alternative.log_probability)
    ordered = sorted(shares, key=lambda form: -shares[form])
    return tuple(Candidate(spelling[form], min(1.0, shares[form])) for form in ordered)


def unknown_share(alternatives: Sequence[Alternative]) -> float:
    """Return the probability that the reader says "unknown"; 0 if it is not among the alternatives."""
    return min(
        1.0, math.fsum(math.exp(other.log_probability) for other in alternatives if is_unknown(other.text))
    )


def is_unknown(text: str) -> bool:
    """Return whether the reader says that there is no answer.

    >>> is_unknown("unknown.")
    True
    """
    return text.strip(" .\n").lower() == UNKNOWN


def grounded_spelling(run: Run, text: str, chain: Sequence[int]) -> str | None:
    """Return a text that may be the answer, spelled as in the chain; None if nothing there is like it."""
    answer = english.read_answer(text)
    if answer is None or is_unknown(answer):
        return None
    if answer.lower() in ("yes", "no"):
        return answer.lower() if run.question.kind == "yes-no" else None
    sentences = passage_sentences(run, chain)
    if rows_with(run, answer, sentences, prose=False):
        return answer
    near = get_close_matches(answer, answer_candidates(run, chain), n=1, cutoff=MIN_SIMILARITY)
    return near[0] if near else None


def first_line(reply: str) -> str:
    """Return the first line of a reply that is not empty."""
    return next((line for line in reply.splitlines() if line.strip()), "")


def read_chain(run: Run, chain: Sequence[int]) -> Search[Reading]:
    """Let the reader answer from the passages of the chain, and say how surely they contain an answer.

    With `decoding=constrained`, nothing that is not in the chain, or yes or no, can be the answer.
    """
    request = request_for(run, run.passages_to_read(chain))
    (reply,) = yield from generate_or_empty([request], step="answer")
    if isinstance(reply, EmptyError):
        run.note("the reader wrote nothing")
        return Reading(NO_ANSWER, (yield from _answerable(run, request, NO_ANSWER)))
    if reply.finish_reason == "length":
        run.note("the reader wrote more than an answer; it was cut")
    if reply.alternatives:
        return (yield from _constrained(run, reply, chain))
    declined = is_unknown(reply.text)
    answer = yield from _written(run, reply.text, chain)
    answerable = yield from _answerable(run, request, answer)
    return Reading(answer, answerable, declined=declined)


def request_for(run: Run, passages: Sequence[Passage]) -> Request:
    """Return the request for an answer from some passages, with alternatives if the model can give them."""
    request = ask_answer(run.question.text, passages)
    several = Capability.ALTERNATIVES in run.tools.model.capabilities
    if run.options.decoding == "free" or not several:
        return request
    return request.model_copy(update={"alternatives": ALTERNATIVES})


def read_alternatives(run: Run, reply: Completion, chain: Sequence[int]) -> Reading:
    """Return the most probable answer that stands in the chain, or none if "unknown" is more probable."""
    candidates = candidates_in_chain(run, reply.alternatives, chain)
    unknown = unknown_share(reply.alternatives)
    declined = is_unknown(reply.text) or (bool(candidates) and unknown > candidates[0].probability)
    answer = NO_ANSWER if declined or not candidates else cited(run, candidates[0].text, chain)
    return Reading(answer, 1.0 - unknown, declined=declined, candidates=candidates)


def most_probable(run: Run, chain: Sequence[int]) -> Search[Candidate | None]:
    """Return the candidate that the reader would most probably write; None if there is no candidate."""
    candidates = tuple(dict.fromkeys(text.strip() for text in answer_candidates(run, chain)))
    if not candidates or Capability.CHOOSE not in run.tools.model.capabilities:
        return None
    if len(candidates) == 1:
        return Candidate(candidates[0], 0.0)  # nothing was asked
    request = ask_answer(run.question.text, run.pool.at(chain))
    choice = yield from _choose(run, request, candidates, "answer")
    if choice is None:
        return None
    return Candidate(choice.best, choice.probability(choice.best) * choice.coverage)


def _choose(run: Run, request: Request, options: Sequence[str], step: str) -> Search[Choice | None]:
    """Return which of some texts the model would write; None if it cannot choose."""
    selections = [Selection(request=request, options=tuple(options))]
    choices = yield from try_choose(run.tools.model, selections, step=step)
    return None if choices is None else choices[0]


def _constrained(run: Run, reply: Completion, chain: Sequence[int]) -> Search[Reading]:
    """Return the reading of the alternatives; if none of them may be the answer, choose among the spans."""
    reading = read_alternatives(run, reply, chain)
    if reading.declined or reading.candidates:
        return reading
    span = yield from _span_instead(run, first_line(reply.text), chain)
    if span is None:
        return reading
    return replace(reading, answer=cited(run, span.text, chain), candidates=(span,))


def _span_instead(run: Run, wrote: str, chain: Sequence[int]) -> Search[Candidate | None]:
    """Return the most probable span of the chain, where the reader wrote something else."""
    span = yield from most_probable(run, chain)
    instead = "" if span is None else f"; {span.text!r} does"
    run.note(f"the reader wrote {wrote!r}, which does not stand in the chain{instead}")
    return span


def _written(run: Run, reply: str, chain: Sequence[int]) -> Search[ParsedAnswer]:
    """Return the first line of a reply, spelled as in the chain, or a span of the chain instead."""
    answer = english.read_answer(first_line(reply))
    if answer is None:
        return NO_ANSWER
    spelling = grounded_spelling(run, answer, chain)
    if spelling is not None:
        if spelling != answer and answer.lower() not in ("yes", "no"):
            run.note(f"the reader wrote {answer!r}; it is spelled as in the chain")
        return cited(run, spelling, chain)
    if run.options.decoding == "free":
        if not holding(run, answer, chain):
            run.note("the chain does not contain the words of the answer")
        return cited(run, answer, chain)
    span = yield from _span_instead(run, answer, chain)
    return NO_ANSWER if span is None else cited(run, span.text, chain)


def _answerable(run: Run, request: Request, answer: ParsedAnswer) -> Search[float | None]:
    """Return 1 − P(the reply is "unknown"), with the reader's own answer as the alternative."""
    text = answer.text if answer.text is not None and answer.text.strip().lower() != UNKNOWN else "yes"
    single = request.model_copy(update={"alternatives": 1})
    choice = yield from _choose(run, single, (UNKNOWN, text), "answerable")
    return None if choice is None else 1.0 - choice.probability(UNKNOWN) * choice.coverage
