"""An answer that the tuned reader gives: in a few words, in one call, or none."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from probative.engine.search import Search, choose, generate_or_empty
from probative.errors import EmptyError
from probative.models.contract import Capability
from probative.models.reader_prompts import UNKNOWN, ask_answer
from probative.models.types import Request, Selection
from probative.scope.answer.parsed import (
    NO_ANSWER,
    ParsedAnswer,
    Reading,
    answer_candidates,
    cited,
    first_of,
    holding,
)
from probative.scope.run import Run

# How similar the reader's spelling and a span of the chain must be for the span to replace it.
MIN_SIMILARITY = 0.85


def read_chain(run: Run, chain: Sequence[int]) -> Search[Reading]:
    """Let the reader answer from the passages of the chain, and say how surely they contain an answer."""
    request = ask_answer(run.question.text, run.passages_at(chain))
    (reply,) = yield from generate_or_empty([request], step="answer")
    answer, declined = NO_ANSWER, False
    if isinstance(reply, EmptyError):
        run.note("the reader wrote nothing")
    elif reply.finish_reason != "dry-run":
        if reply.finish_reason == "length":
            run.note("the reader wrote more than an answer; it was cut")
        declined = reply.text.strip(" .\n").lower() == UNKNOWN
        answer = _parse(run, reply.text, chain)
        answer = yield from _one_of_the_offered(run, answer, request, chain)
    answerable = yield from _answerable(run, request, answer)
    return Reading(answer, answerable, declined=declined)


def most_probable(run: Run, chain: Sequence[int]) -> Search[ParsedAnswer]:
    """Return the candidate that the reader would most probably write; no answer if there is no candidate."""
    candidates = tuple(dict.fromkeys(text.strip() for text in answer_candidates(run, chain)))
    if not candidates or not _can_choose(run):
        return NO_ANSWER
    best = candidates[0]
    if len(candidates) > 1:
        request = ask_answer(run.question.text, run.passages_at(chain))
        choices = yield from choose([Selection(request=request, options=candidates)], step="answer")
        best = choices[0].best
    run.note("the reader finds no answer; this is the most probable candidate")
    return cited(run, best, chain)


def _parse(run: Run, reply: str, chain: Sequence[int]) -> ParsedAnswer:
    """Return the first line of a reply as the answer. A name that is nearly one of the chain's is spelled as
    in the chain.
    """
    first = next((line for line in reply.splitlines() if line.strip()), "")
    answer = run.analyzer.read_answer(first)
    if answer is None:
        return NO_ANSWER
    if not holding(run, answer, chain):
        near = get_close_matches(answer, answer_candidates(run, chain), n=1, cutoff=MIN_SIMILARITY)
        if near:
            run.note(f"the reader wrote {answer!r}; it is spelled as in the chain")
            return cited(run, near[0], chain)
        run.note("the chain does not contain the words of the answer")
    return cited(run, answer, chain)


def _one_of_the_offered(
    run: Run, answer: ParsedAnswer, request: Request, chain: Sequence[int]
) -> Search[ParsedAnswer]:
    """Return the answer; if the question ends in "A or B?" and the answer is neither, return the
    option that the reader would more probably write.
    """
    titles = [passage.title for passage in run.passages_at(chain) if passage.title]
    pair = run.analyzer.offered_pair(run.question.parsed, titles)
    if answer.text is None or pair is None or not _can_choose(run):
        return answer
    accepted = [*pair, *(option.split()[-1] for option in pair), "both", "neither"]
    if first_of(accepted, answer.text) is not None:
        return answer
    choices = yield from choose([Selection(request=request, options=pair)], step="answer")
    run.note(f"the reader wrote {answer.text!r}; the question offers {pair[0]!r} and {pair[1]!r}")
    return cited(run, choices[0].best, chain)


def _answerable(run: Run, request: Request, answer: ParsedAnswer) -> Search[float | None]:
    """Return 1 − P(the reply is "unknown"), with the reader's own answer as the alternative."""
    if not _can_choose(run):
        return None
    own = answer.text if answer.text is not None and answer.text.strip().lower() != UNKNOWN else "yes"
    choices = yield from choose([Selection(request=request, options=(UNKNOWN, own))], step="answerable")
    return 1.0 - choices[0].probability(UNKNOWN) * choices[0].coverage


def _can_choose(run: Run) -> bool:
    return Capability.CHOOSE in run.tools.model.capabilities
