"""The fourth step: an answer from the chain, read, picked from its names, dates and numbers, or written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from probative.engine.search import Search, generate, score
from probative.models.types import Pair, Request
from probative.scope.answer.read import answer_candidates, cited, first_of, holding, most_probable, read_chain
from probative.scope.finding import NO_ANSWER, ParsedAnswer, Reading
from probative.scope.run import Run, fill_prompt
from probative.text import english
from probative.text.prompts import numbered
from probative.text.words import words

PICK_TOKENS = 24
ANSWER_TOKENS = 96
_CITATION = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]")


@dataclass(frozen=True)
class Evidence:
    """The chain to answer from.

    `inferred` are its nodes that the question does not name. `completeness` is how surely the policy takes
    the chain for complete, if its words show every feature too. `reading` is the reader's answer, if it has
    already read the chain.
    """

    chain: Sequence[int]
    inferred: Sequence[str] = ()
    completeness: float | None = None
    reading: Reading | None = None


def make_answer(run: Run, evidence: Evidence) -> Search[Reading]:
    """Return the answer from the chain: read, written or picked.

    A model that is not the tuned reader picks or writes instead of reading, and a note says so.
    """
    if run.has_reader:
        return (yield from _read(run, evidence))
    answering = run.options.answering
    if answering == "read":
        answering = "picked" if run.tools.model.name.startswith("embedded") else "written"
        run.note(f"{run.tools.model.name} is not the tuned reader; the answer was {answering}")
    if answering == "written" or run.question.kind == "any":
        return Reading((yield from write_answer(run, evidence.chain)))
    return Reading((yield from pick_answer(run, evidence.chain, evidence.inferred)))


def _read(run: Run, evidence: Evidence) -> Search[Reading]:
    """Return the reader's answer, or the most probable candidate if its "unknown" is overruled."""
    reading = evidence.reading or (yield from read_chain(run, evidence.chain))
    overruled = is_overruled(reading, evidence.completeness)
    if reading.answer.text is not None or not (run.options.answer_anyway or overruled):
        return reading
    best = reading.candidates[0] if reading.candidates else (yield from most_probable(run, evidence.chain))
    if best is None:
        return reading
    run.note("the reader finds no answer; this is the most probable candidate")
    return replace(reading, answer=cited(run, best.text, evidence.chain), forced=not overruled)


def is_overruled(reading: Reading, completeness: float | None) -> bool:
    """Return whether the reader's "unknown" is less probable than all its answers together, or than the
    policy's `completeness`.

    >>> [is_overruled(Reading(NO_ANSWER, 0.2, declined=True), share) for share in (0.98, 0.5, None)]
    [True, False, False]
    """
    if not reading.declined or reading.answerable is None:
        return False
    all_answers = sum(candidate.probability for candidate in reading.candidates)
    return max(all_answers, completeness or 0.0) > 1.0 - reading.answerable


def pick_answer(run: Run, chain: Sequence[int], inferred: Sequence[str] = ()) -> Search[ParsedAnswer]:
    """Return the candidate that the model writes first or, if it writes none, the most probable one.

    If the question asks for a place, the `inferred` nodes between question and answer are left out.
    """
    candidates = answer_candidates(run, chain)
    if run.question.kind == "place":
        candidates = [text for text in candidates if text not in inferred] or candidates
    if not candidates:
        run.note("the chain contains nothing of the kind that is asked for")
        return NO_ANSWER
    if len(candidates) == 1:
        return ParsedAnswer(candidates[0], tuple(holding(run, candidates[0], chain)))
    if candidates == ["yes", "no"] and (stated := _stated(run, chain)) is not None:
        return stated
    return (yield from _ask_to_pick(run, chain, candidates))


def _ask_to_pick(run: Run, chain: Sequence[int], candidates: Sequence[str]) -> Search[ParsedAnswer]:
    """Ask the model, and score the candidates if it writes none of them."""
    passages = numbered(run.pool.at(chain))
    prompt = fill_prompt("pick", passages=passages, question=" ".join(run.question.text.split()))
    replies = yield from generate([Request.user(prompt, max_tokens=PICK_TOKENS)], step="answer")
    best = first_of(candidates, replies[0].text)
    if best is None:
        pairs = [Pair(prompt=f"{prompt}\nAnswer:", continuation=f" {text}") for text in candidates]
        scores = yield from score(pairs, step="answer")
        best = candidates[max(range(len(candidates)), key=lambda index: scores[index].mean)]
    return cited(run, best, chain)


def _stated(run: Run, chain: Sequence[int]) -> ParsedAnswer | None:
    """Return yes or no if a passage contains all words of the question, with a negation or without."""
    question_negated = english.is_negated(run.question.text)
    for index, passage in zip(chain, run.pool.at(chain), strict=True):
        if run.question.parsed.words <= set(words(passage.whole)):
            agree = english.is_negated(passage.whole) == question_negated
            return ParsedAnswer("yes" if agree else "no", (index,))
    return None


def write_answer(run: Run, chain: Sequence[int]) -> Search[ParsedAnswer]:
    """Let the model answer in its own words and cite the passages of the chain.

    With `answer_anyway` the prompt does not offer "unknown", and a model that still says so, or that has no
    chain, is asked once without texts.
    """
    if run.options.answer_anyway and not chain:
        return (yield from answer_without_texts(run))
    name = "answer_anyway" if run.options.answer_anyway else "answer"
    passages = numbered(run.pool.at(chain))
    prompt = fill_prompt(name, passages=passages, question=" ".join(run.question.text.split()))
    replies = yield from generate([Request.user(prompt, max_tokens=ANSWER_TOKENS)], step="answer")
    answer = parse_reply(run, replies[0].text, chain)
    if answer.text is not None or not run.options.answer_anyway:
        return answer
    run.note("the model found no answer in the texts, and was asked again without them")
    return (yield from answer_without_texts(run))


def answer_without_texts(run: Run) -> Search[ParsedAnswer]:
    """Let the model answer from what it knows; a note says if it does not."""
    prompt = fill_prompt("closed_book", question=run.question.text)
    replies = yield from generate([Request.user(prompt, max_tokens=ANSWER_TOKENS)], step="answer")
    answer = parse_reply(run, replies[0].text)
    if answer.text is None:
        run.note("asked without texts, the model gave no answer")
    return answer


def parse_reply(run: Run, reply: str, chain: Sequence[int] = ()) -> ParsedAnswer:
    """Return the answer in a reply and the passages that it cites.

    A citation of a passage that does not exist is left out with a note; an answer without citations rests on
    the passages that contain its words.
    """
    answer = english.read_answer(reply)
    if answer is None:
        return NO_ANSWER
    numbers = dict.fromkeys(
        int(number) for group in _CITATION.findall(reply) for number in re.findall(r"\d+", group)
    )
    citations = [chain[number - 1] for number in numbers if 1 <= number <= len(chain)]
    if wrong := [str(number) for number in numbers if not 1 <= number <= len(chain)]:
        run.note(f"the model cited passages that do not exist: {', '.join(wrong)}")
    if not citations:
        citations = holding(run, answer, chain)
        if citations:
            run.note("the model cited nothing; the passages that contain the answer's words are cited")
    elif not holding(run, answer, citations):
        run.note("the passages that the answer cites do not contain its words")
    return ParsedAnswer(answer, tuple(citations))
