"""The baselines `closed-book` and `cot-sc`: the model answers without reading anything."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from probative.baselines.passages.results import fill_prompt, to_result
from probative.engine.methods import Method, Tools
from probative.engine.search import Search, generate
from probative.errors import OutputError
from probative.models.types import Request
from probative.scope.answer.make import answer_without_texts, parse_reply
from probative.scope.finding import ParsedAnswer
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.result import ScopeResult
from probative.scope.run import Run, start_run

SAMPLES = 5
TEMPERATURE = 0.7
REASON_TOKENS = 384
_ANSWER = re.compile(r"^[ \t>#*_-]*(?:final )?answer[ \t*_]*:(.*)$", re.I | re.M)
_ARTICLES = ("a", "an", "the")


def by_closed_book(inputs: Inputs, tools: Tools, seed: int) -> Search[ScopeResult]:
    """Return the answer from what the model knows. The passages are not read, and there may be none."""
    run = start_run(inputs, ScopeOptions(), tools, split=False)
    return (yield from to_result(run, (yield from answer_without_texts(run))))


class Vote(NamedTuple):
    """The answer that most samples give, the rationale of the first of them, and their number."""

    answer: str
    rationale: str
    agreeing: int


def by_cot_sc(inputs: Inputs, tools: Tools, seed: int) -> Search[ScopeResult]:
    """Return the most frequent of 5 reasoned answers. The passages are not read, and there may be none."""
    run = start_run(inputs, ScopeOptions(), tools, split=False)
    vote = yield from sample_votes(run, seed)
    return (yield from to_result(run, (yield from voted_answer(run, vote))))


def voted_answer(run: Run, vote: Vote) -> Search[ParsedAnswer]:
    """Return the answer with most votes. Samples are told to answer in any case: if "unknown" has most votes,
    the model is asked once more without steps.
    """
    answer = parse_reply(run, vote.answer)
    return answer if answer.text is not None else (yield from answer_without_texts(run))


def sample_votes(run: Run, seed: int) -> Search[Vote]:
    """Return the vote of the samples, with a note on how it went."""
    prompt = fill_prompt("reason", question=run.question.text)
    requests = [
        Request.user(prompt, max_tokens=REASON_TOKENS, temperature=TEMPERATURE, seed=seed, sample=number)
        for number in range(SAMPLES)
    ]
    replies = yield from generate(requests, step="reason")
    vote = count_votes([reply.text for reply in replies], run.note)
    if vote is None:
        raise OutputError(
            f"none of {SAMPLES} samples ends with a line 'Answer: …'",
            raw=replies[0].text,
            model=replies[0].model,
            step="reason",
            finish_reason=replies[0].finish_reason,
            hint="use a larger model, or the method rag, which needs no such line",
        )
    return vote


def count_votes(texts: Sequence[str], note: Callable[[str], None]) -> Vote | None:
    r"""Return the answer that most texts end with; of equally frequent ones the earliest. None if no text has
    an answer line.

    >>> count_votes(["Hm.\nAnswer: Oslo", "Answer: Molde", "By sea.\nAnswer: the Molde."], lambda text: None)
    Vote(answer='Molde', rationale='', agreeing=2)
    """
    answers = [line for text in texts if (line := answer_line(text)) is not None]
    if silent := len(texts) - len(answers):
        note(f"samples without an answer line: {silent} of {len(texts)}")
    if not answers:
        return None
    votes = Counter(normalised(answer) for _, answer in answers)
    # A Counter keeps the order of insertion, and max returns the first of equals.
    best = max(votes, key=votes.__getitem__)
    rationale, answer = next(line for line in answers if normalised(line[1]) == best)
    note(f"samples that agree on the answer: {votes[best]} of {len(texts)}")
    return Vote(answer, rationale, votes[best])


def answer_line(text: str) -> tuple[str, str] | None:
    r"""Return the text before the last answer line, and the answer; None without such a line.

    >>> answer_line("It lies in Norway.\n**Answer:** Molde")
    ('It lies in Norway.', 'Molde')
    """
    for line in reversed(list(_ANSWER.finditer(text))):
        if answer := line[1].strip(" \t\r*_"):
            return text[: line.start()].strip(), answer
    return None


def normalised(answer: str) -> str:
    """Return an answer as it is counted: without case, punctuation and articles.

    >>> normalised("The  Sea-Lark."), normalised("U.S."), normalised("The The")
    ('sealark', 'us', 'the the')
    """
    plain = unicodedata.normalize("NFKC", answer).casefold()
    plain = "".join(letter for letter in plain if not unicodedata.category(letter).startswith("P"))
    words = plain.split()
    return " ".join([word for word in words if word not in _ARTICLES] or words) or answer.strip()


CLOSED_BOOK = Method(by_closed_book, reads_passages=False)
