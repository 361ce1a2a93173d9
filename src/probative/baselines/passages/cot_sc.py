"""Chain of thought with self-consistency: the model reasons several times, and the answers vote."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from probative.baselines.passages.methods import answered
from probative.engine.search import Search, generate
from probative.engine.tools import Tools
from probative.errors import OutputError
from probative.models.types import Request
from probative.scope.answer.write import ParsedAnswer, read_answer
from probative.scope.inputs import checked_question
from probative.scope.pipeline import ScopeResult
from probative.text.prompts import read_prompt
from probative.types import Passage

SAMPLES = 5
TEMPERATURE = 0.7
REASON_TOKENS = 384

_ANSWER = re.compile(r"^[ \t>#*_-]*(?:final )?answer[ \t*_]*:(.*)$", re.I | re.M)
_ARTICLES = ("a", "an", "the")


class Vote(NamedTuple):
    """The answer that most samples give, the first such sample's rationale, and how many they are."""

    answer: str
    rationale: str
    agreeing: int


def by_cot_sc(question: str, passages: Sequence[Passage], tools: Tools, seed: int) -> Search[ScopeResult]:
    """The most frequent of 5 reasoned answers. The passages are not read, and there may be none."""
    notes: list[str] = []
    vote = yield from sampled(checked_question(question), seed, notes)
    given = ParsedAnswer(None, ()) if vote is None else read_answer(vote.answer, (), (), notes)
    return answered(passages, (), given, notes)


def sampled(question: str, seed: int, notes: list[str]) -> Search[Vote | None]:
    """The vote of the samples, with a note on how it went; None in a dry run, where there are none."""
    prompt = read_prompt("probative.baselines.passages", "reason").replace("{question}", question)
    requests = [
        Request.user(prompt, max_tokens=REASON_TOKENS, temperature=TEMPERATURE, seed=seed, sample=number)
        for number in range(SAMPLES)
    ]
    replies = yield from generate(requests, step="reason")
    if any(reply.finish_reason == "dry-run" for reply in replies):
        return None
    vote = counted([reply.text for reply in replies], notes)
    if vote is None:
        raise OutputError(
            f"none of {SAMPLES} samples ends with a line 'Answer: …'",
            raw=replies[0].text,
            model=replies[0].model,
            step="reason",
            finish_reason=replies[0].finish_reason,
            hint="use a larger model, or --method rag, which needs no such line",
        )
    return vote


def counted(texts: Sequence[str], notes: list[str]) -> Vote | None:
    r"""The answer that most of these texts end with, of equals the earliest; None if none has an answer line.

    >>> counted(["Hm.\nAnswer: Oslo", "Answer: Molde", "By sea.\nAnswer: the Molde."], [])
    Vote(answer='Molde', rationale='', agreeing=2)
    """
    read = [one for text in texts if (one := answer_line(text)) is not None]
    if silent := len(texts) - len(read):
        notes.append(f"samples without an answer line: {silent} of {len(texts)}")
    if not read:
        return None
    votes = Counter(normalised(answer) for _, answer in read)
    # A Counter keeps the order of first sight, and max takes the first of equals.
    best = max(votes, key=votes.__getitem__)
    rationale, answer = next(one for one in read if normalised(one[1]) == best)
    notes.append(f"samples that agree on the answer: {votes[best]} of {len(texts)}")
    return Vote(answer, rationale, votes[best])


def answer_line(text: str) -> tuple[str, str] | None:
    r"""What stands before the last line with an answer, and the answer; None without such a line.

    >>> answer_line("It lies in Norway.\n**Answer:** Molde")
    ('It lies in Norway.', 'Molde')
    """
    for line in reversed(list(_ANSWER.finditer(text))):
        if answer := line[1].strip(" \t\r*_"):
            return text[: line.start()].strip(), answer
    return None


def normalised(answer: str) -> str:
    """An answer as it is counted: without case, punctuation and articles.

    >>> normalised("The  Sea-Lark."), normalised("U.S."), normalised("The The")
    ('sealark', 'us', 'the the')
    """
    plain = unicodedata.normalize("NFKC", answer).casefold()
    plain = "".join(letter for letter in plain if not unicodedata.category(letter).startswith("P"))
    said = plain.split()
    return " ".join([word for word in said if word not in _ARTICLES] or said) or answer.strip()
