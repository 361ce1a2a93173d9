"""The baseline `verify-edit`: if no answer has a majority, the reasoning is corrected from the passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from probative.baselines.passages.closed_book import SAMPLES, Vote, answer_line, sample_votes, voted_answer
from probative.baselines.passages.results import fill_prompt, to_result
from probative.engine.methods import Method, Tools
from probative.engine.search import Search, encode, generate
from probative.models.types import Request
from probative.scope.answer.make import ANSWER_TOKENS, answer_without_texts, parse_reply
from probative.scope.finding import ParsedAnswer
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.result import ScopeResult
from probative.scope.run import Run, select_candidates, start_run
from probative.text import english
from probative.text.prompts import fenced
from probative.text.sentences import split_sentences
from probative.types import Value

# How many statements of a rationale are verified.
MAX_STATEMENTS = 4
QUESTION_TOKENS = 64

# ⌈n/2⌉: with fewer equal answers, Verify-and-Edit as published edits.
MAJORITY = (SAMPLES + 1) // 2


class VerifyEditOptions(Value):
    """When `verify-edit` edits."""

    edit: Literal["below-majority", "unless-unanimous"] = Field(
        default="below-majority",
        description="when the reasoning is corrected: below-majority: fewer than half of the samples agree "
        "(as published); unless-unanimous: not all of them agree",
    )


@dataclass(frozen=True)
class Verified:
    """A statement, what the nearest passage says instead (None for nothing), and its index."""

    statement: str
    fact: str | None
    index: int


def by_verify_edit(
    inputs: Inputs, tools: Tools, seed: int, options: VerifyEditOptions | None = None
) -> Search[ScopeResult]:
    """Return the answer of 5 reasoned samples if enough of them agree. Otherwise, each statement of the
    rationale of the most frequent answer is turned into a question and answered from the passage nearest to
    it, and the model answers again from that. The chain are the passages that answered something.
    """
    enough = MAJORITY if (options or VerifyEditOptions()).edit == "below-majority" else SAMPLES
    run = start_run(inputs, ScopeOptions(), tools)
    if any(passage.text for passage in run.pool.originals):
        select_candidates(run)
    vote = yield from sample_votes(run, seed)
    statements = _statements_to_verify(run, vote, enough)
    verified = (yield from _verify(run, statements)) if statements else []
    chain = list(dict.fromkeys(entry.index for entry in verified if entry.fact is not None))
    if not chain:
        if verified:
            run.note("the passages say nothing about the reasoning: the majority's answer is kept")
        return (yield from to_result(run, (yield from voted_answer(run, vote))))
    return (yield from to_result(run, (yield from _conclude(run, verified, chain)), chain))


def _statements_to_verify(run: Run, vote: Vote, enough: int) -> list[str]:
    """Return the statements of the rationale to verify, or nothing if `enough` samples agree."""
    if vote.agreeing >= enough:
        return []
    if not run.pool.judged:
        run.note("there are no passages to verify the reasoning with: the majority's answer is kept")
        return []
    statements = statements_of(vote.rationale, run.note)
    if not statements:
        run.note("the samples give no reasoning to verify: the majority's answer is kept")
    return statements


def statements_of(rationale: str, note: Callable[[str], None]) -> list[str]:
    r"""Return the first sentences of a rationale; `note` reports if there are more.

    >>> statements_of("Ada Berg sailed.\n2.\nShe sailed far.", lambda text: None)
    ['Ada Berg sailed.', 'She sailed far.']
    """
    sentences = [fenced(sentence.text) for sentence in split_sentences(rationale)]
    statements = [sentence for sentence in sentences if any(map(str.isalpha, sentence))]
    if len(statements) > MAX_STATEMENTS:
        note(f"the first {MAX_STATEMENTS} of {len(statements)} statements of the reasoning were verified")
    return statements[:MAX_STATEMENTS]


def _verify(run: Run, statements: Sequence[str]) -> Search[list[Verified]]:
    """Ask a question for each statement and answer it from the nearest passage."""
    passages = run.pool.candidates()
    questions = yield from _questions_for(run, statements)
    vectors = yield from encode([*questions, *(passage.whole for passage in passages)], step="retrieve")
    texts = vectors[len(questions) :]
    cosines = [[float(vector @ text) for text in texts] for vector in vectors[: len(questions)]]
    nearest = [row.index(max(row)) for row in cosines]
    prompts = [
        fill_prompt("verify_answer", passage=fenced(passages[row].whole), question=question)
        for question, row in zip(questions, nearest, strict=True)
    ]
    replies = yield from generate(
        [Request.user(prompt, max_tokens=ANSWER_TOKENS) for prompt in prompts], step="verify"
    )
    return [
        Verified(statement, english.read_answer(reply.text), run.pool.judged[row])
        for statement, reply, row in zip(statements, replies, nearest, strict=True)
    ]


def _questions_for(run: Run, statements: Sequence[str]) -> Search[list[str]]:
    """Return a question that verifies each statement; the statement itself if the model writes none."""
    prompts = [
        fill_prompt("verify_question", question=run.question.text, statement=statement)
        for statement in statements
    ]
    replies = yield from generate(
        [Request.user(prompt, max_tokens=QUESTION_TOKENS) for prompt in prompts], step="ask"
    )
    return [fenced(reply.text) or statement for reply, statement in zip(replies, statements, strict=True)]


def _conclude(run: Run, verified: Sequence[Verified], chain: Sequence[int]) -> Search[ParsedAnswer]:
    """Return the answer from the corrected rationale, which rests on the passages of the chain; if it is
    "unknown", the model's own.
    """
    if unverified := sum(entry.fact is None for entry in verified):
        run.note(f"statements that the passages say nothing about were kept: {unverified}")
    listed = "\n".join(f"- {entry.fact or entry.statement}" for entry in verified)
    prompt = fill_prompt("verify_conclude", statements=listed, question=run.question.text)
    (reply,) = yield from generate([Request.user(prompt, max_tokens=ANSWER_TOKENS)], step="answer")
    line = answer_line(reply.text)
    answer = parse_reply(run, line[1] if line is not None else reply.text)
    if answer.text is None:
        return (yield from answer_without_texts(run))
    return answer._replace(citations=tuple(chain))


VERIFY_EDIT = Method(by_verify_edit, VerifyEditOptions)
