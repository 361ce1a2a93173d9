"""Verify and edit: where reasoned answers differ, the reasoning is mended from the passages first."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.passages.cot_sc import SAMPLES, answer_line, sampled
from probative.baselines.passages.methods import answered
from probative.engine.search import Search, encode, generate
from probative.engine.tools import Tools
from probative.models.types import Request
from probative.scope.answer.write import ANSWER_TOKENS, ParsedAnswer, read_answer
from probative.scope.inputs import checked_question, deduplicate
from probative.scope.pipeline import ScopeResult
from probative.text.cleaning import clean
from probative.text.prompts import fenced, fill, read_prompt
from probative.text.sentences import split_sentences
from probative.types import Passage

# How many statements of a rationale are verified.
MOST_STATEMENTS = 4
QUESTION_TOKENS = 64

# All different: a cache would count the same one once.
_STAND_INS = [f"(dry run {number})" for number in range(MOST_STATEMENTS)]


def by_verify_edit(
    question: str, passages: Sequence[Passage], tools: Tools, seed: int
) -> Search[ScopeResult]:
    """The answer of 5 reasoned samples if all agree. If not, each statement of the majority's rationale is
    turned into a question, answered from the passage nearest to it, and the model answers anew from that.

    The chain are the passages that answered something.
    """
    notes: list[str] = []
    question = checked_question(question)
    places = deduplicate(passages, notes) if any(clean(passage.text) for passage in passages) else []
    vote = yield from sampled(question, seed, notes)
    majority = ParsedAnswer(None, ()) if vote is None else read_answer(vote.answer, (), (), notes)
    if vote is not None and vote.agreeing == SAMPLES:
        return answered(passages, (), majority, notes)
    if not places:
        notes.append("there are no passages to verify the reasoning with: the majority's answer stands")
        return answered(passages, (), majority, notes)
    # A dry run has no rationale: it counts what the longest would cost.
    said = _STAND_INS if vote is None else statements(vote.rationale, notes)
    if not said:
        notes.append("the samples give no reasoning to verify: the majority's answer stands")
        return answered(passages, (), majority, notes)
    found = yield from _verified(question, said, [passages[place] for place in places])
    facts = [fact for fact, _ in found if fact is not None]
    if not facts:
        notes.append("the passages say nothing of the reasoning: the majority's answer stands")
        return answered(passages, (), majority, notes)
    if len(facts) < len(said):
        notes.append(f"statements that the passages say nothing of, kept: {len(said) - len(facts)}")
    edited = [own if fact is None else fact for own, (fact, _) in zip(said, found, strict=True)]
    chain = list(dict.fromkeys(places[at] for fact, at in found if fact is not None))
    given = yield from _concluded(question, edited, chain, notes)
    return answered(passages, chain, given, notes)


def statements(rationale: str, notes: list[str]) -> list[str]:
    r"""The first sentences of a rationale; a note says if there are more.

    >>> statements("Ada Berg sailed.\n2.\nShe sailed far.", [])
    ['Ada Berg sailed.', 'She sailed far.']
    """
    sentences = [fenced(one.text) for one in split_sentences(rationale)]
    spoken = [sentence for sentence in sentences if any(map(str.isalpha, sentence))]
    if len(spoken) > MOST_STATEMENTS:
        notes.append(
            f"the first {MOST_STATEMENTS} of {len(spoken)} statements of the reasoning were verified"
        )
    return spoken[:MOST_STATEMENTS]


def _verified(
    question: str, said: Sequence[str], passages: Sequence[Passage]
) -> Search[list[tuple[str | None, int]]]:
    """For each statement what the nearest passage says instead, None for nothing, and which passage it is."""
    prompts = [_filled("verify_question", question=question, statement=one) for one in said]
    asked = yield from generate(
        [Request.user(prompt, max_tokens=QUESTION_TOKENS) for prompt in prompts], step="ask"
    )
    verifying = [
        one if reply.finish_reason == "dry-run" else fenced(reply.text) or one
        for reply, one in zip(asked, said, strict=True)
    ]
    vectors = yield from encode([*verifying, *(passage.whole for passage in passages)], step="retrieve")
    texts = vectors[len(said) :]
    cosines = [[float(vector @ text) for text in texts] for vector in vectors[: len(said)]]
    nearest = [row.index(max(row)) for row in cosines]
    prompts = [
        _filled("verify_answer", passage=fenced(passages[at].whole), question=one)
        for one, at in zip(verifying, nearest, strict=True)
    ]
    replies = yield from generate(
        [Request.user(prompt, max_tokens=ANSWER_TOKENS) for prompt in prompts], step="verify"
    )
    return [
        (read_answer(reply.text, (at,), passages, []).text, at)
        for reply, at in zip(replies, nearest, strict=True)
    ]


def _concluded(
    question: str, edited: Sequence[str], chain: Sequence[int], notes: list[str]
) -> Search[ParsedAnswer]:
    """The answer from the edited rationale; it rests on all that the rationale rests on."""
    listed = "\n".join(f"- {statement}" for statement in edited)
    prompt = _filled("verify_conclude", statements=listed, question=question)
    replies = yield from generate([Request.user(prompt, max_tokens=ANSWER_TOKENS)], step="answer")
    if replies[0].finish_reason == "dry-run":
        return ParsedAnswer(None, ())
    line = answer_line(replies[0].text)
    text = read_answer(line[1] if line is not None else replies[0].text, (), (), notes).text
    return ParsedAnswer(text, tuple(chain) if text is not None else ())


def _filled(name: str, **parts: str) -> str:
    """A prompt with its places filled, all at once: a place within a filled-in text stays as it is.

    >>> _filled("verify_answer", passage="{question}", question="Why?").splitlines()[3]
    '{question}'
    """
    return fill(read_prompt("probative.baselines.passages", name), **parts)
