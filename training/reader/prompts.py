"""The words in which the reader is asked: its own short forms, as the product asks it.

A part of the examples uses the prompts that every model gets (`plain`), so that the tuned model also serves
where those are used.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.mcse.strength import prompt_text
from probative.models import reader_prompts as reader
from probative.models.types import Request
from probative.text.prompts import fenced, fill, numbered, read_prompt
from probative.types import Passage
from training.reader.example import Form, Message

# What the plain forms start with: the system message of the model's own chat template.
DEFAULT_SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def ask_answer(question: str, passages: Sequence[Passage], form: Form) -> tuple[Message, ...]:
    """A question about numbered passages."""
    if form == "plain":
        asked = " ".join(question.split())
        return _plain(
            fill(read_prompt("probative.scope", "pick"), passages=numbered(passages), question=asked)
        )
    return _short(reader.ask_answer(question, passages, "after" if form == "after" else "around"))


def ask_features(question: str) -> tuple[Message, ...]:
    """What a question is made of."""
    return _short(reader.ask_features(question))


def ask_carries(kind: str, feature: str, passage: Passage, form: Form) -> tuple[Message, ...]:
    """Whether a passage carries a feature."""
    if form == "plain":
        text = fenced(passage.whole)
        return _plain(fill(read_prompt("probative.scope", f"carries_{kind}"), feature=feature, passage=text))
    return _short(reader.ask_carries(kind, feature, passage))


def ask_judge(statement: str, passages: Sequence[Passage]) -> tuple[Message, ...]:
    """Whether a statement is true by the passages: yes, no or maybe."""
    return _short(reader.ask_judge(statement, passages))


def ask_judge_alone(statement: str) -> tuple[Message, ...]:
    """Whether a statement is true, from what the model knows: give's own prompt."""
    return _plain(fill(read_prompt("probative.give", "judge"), statement=statement))


def claim_after(evidence: str, claim: str) -> tuple[str, str]:
    """What mcse scores: the prompt that grounds the model in a text, and the claim behind it."""
    before, _, after = prompt_text("grounding").partition("{evidence}")
    return f"{before}{evidence}{after}", f" {claim}"


def evidence_after(claim: str, evidence: str) -> tuple[str, str]:
    """What mcse's prior scores: a sentence behind the claim."""
    before, _, _ = fill(prompt_text("policy"), claim=claim).partition("{evidence}")
    return before.rstrip(" "), f" {evidence}"


def _short(asked: Request) -> tuple[Message, ...]:
    return tuple(Message(one.role, one.content) for one in asked.messages)


def _plain(said: str) -> tuple[Message, ...]:
    return (Message("system", DEFAULT_SYSTEM), Message("user", said))
