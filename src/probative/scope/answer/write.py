"""An answer that the model writes from the chain, with its citations."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.engine.search import Search, generate
from probative.models.types import Request
from probative.scope.answer.parsed import NO_ANSWER, ParsedAnswer, holding
from probative.scope.prompt_text import fill_prompt
from probative.scope.run import Run
from probative.text import english
from probative.text.prompts import numbered

ANSWER_TOKENS = 96

_CITATION = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]")


def write_answer(run: Run, chain: Sequence[int]) -> Search[ParsedAnswer]:
    """Let the model answer in its own words and cite the passages of the chain."""
    passages = numbered(run.passages_at(chain))
    prompt = fill_prompt("answer", passages=passages, question=" ".join(run.question.text.split()))
    replies = yield from generate([Request.user(prompt, max_tokens=ANSWER_TOKENS)], step="answer")
    if replies[0].finish_reason == "dry-run":
        return NO_ANSWER
    return parse_reply(run, replies[0].text, chain)


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
