"""The prompts of the reader: its own short forms, as the package uses them.

Some examples use the prompts that every model gets (`plain`), so that the tuned model also works with
those.
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
    """Return a question about numbered passages."""
    if form == "plain":
        plain_question = " ".join(question.split())
        return _plain(
            fill(read_prompt("probative.scope", "pick"), passages=numbered(passages), question=plain_question)
        )
    return _short(reader.ask_answer(question, passages, "after" if form == "after" else "around"))


def ask_features(question: str) -> tuple[Message, ...]:
    """Return the request for a question's features."""
    return _short(reader.ask_features(question))


def ask_carries(kind: str, feature: str, passage: Passage, form: Form) -> tuple[Message, ...]:
    """Return the question whether a passage carries a feature."""
    if form == "plain":
        text = fenced(passage.whole)
        return _plain(fill(read_prompt("probative.scope", f"carries_{kind}"), feature=feature, passage=text))
    return _short(reader.ask_carries(kind, feature, passage))


def ask_judge(statement: str, passages: Sequence[Passage]) -> tuple[Message, ...]:
    """Return the question whether a statement is true by the passages: yes, no or maybe."""
    return _short(reader.ask_judge(statement, passages))


def ask_judge_alone(statement: str) -> tuple[Message, ...]:
    """Return the question whether a statement is true, from the model's own knowledge: give's prompt."""
    return _plain(fill(read_prompt("probative.give", "judge"), statement=statement))


def claim_after(evidence: str, claim: str) -> tuple[str, str]:
    """Return the pair that mcse scores: the prompt that grounds the model in a text, and the claim after
    it.
    """
    before, _, after = prompt_text("grounding").partition("{evidence}")
    return f"{before}{evidence}{after}", f" {claim}"


def evidence_after(claim: str, evidence: str) -> tuple[str, str]:
    """Return the pair that mcse's policy scores: the claim, and a sentence after it."""
    before, _, _ = fill(prompt_text("policy"), claim=claim).partition("{evidence}")
    return before.rstrip(" "), f" {evidence}"


def _short(request: Request) -> tuple[Message, ...]:
    return tuple(Message(message.role, message.content) for message in request.messages)


def _plain(text: str) -> tuple[Message, ...]:
    return (Message("system", DEFAULT_SYSTEM), Message("user", text))
