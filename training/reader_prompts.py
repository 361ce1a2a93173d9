"""The words in which the reader is asked.

Its own forms are short, because every token is read once a passage on a slow machine: the system message
names the task in one word. A part of the examples uses the prompts that every model gets, so that the tuned
model also serves where those are used.
"""

from __future__ import annotations

from collections.abc import Sequence

from reader_example import Form, Message

from probative.evidence import Passage
from probative.mcse.strength import prompt_text
from probative.prompting import fenced, fill, read_prompt

# What the plain forms start with: the system message of the model's own chat template.
DEFAULT_SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def numbered(passages: Sequence[Passage]) -> str:
    """The passages, numbered from 1, each on a line, as scope shows them.

    >>> numbered([Passage(text="He sailed.", title="Ole Brandt")])
    '[1] Ole Brandt: He sailed.'
    """
    return "\n".join(f"[{number}] {fenced(passage.whole)}" for number, passage in enumerate(passages, 1))


def ask_answer(question: str, passages: Sequence[Passage], form: Form) -> tuple[Message, ...]:
    """A question about numbered passages."""
    question = " ".join(question.split())
    texts = numbered(passages)
    if form == "plain":
        return _plain(fill(read_prompt("probative.scope", "pick"), passages=texts, question=question))
    said = f"{texts}\n\n{question}" if form == "after" else f"{question}\n\n{texts}\n\n{question}"
    return _short("answer", said)


def ask_features(question: str) -> tuple[Message, ...]:
    """What a question is made of."""
    return _short("features", " ".join(question.split()))


def ask_carries(kind: str, feature: str, passage: Passage, form: Form) -> tuple[Message, ...]:
    """Whether a passage carries a feature. The feature stands first, so that the text is read with it."""
    text = fenced(passage.whole)
    if form == "plain":
        return _plain(fill(read_prompt("probative.scope", f"carries_{kind}"), feature=feature, passage=text))
    return _short("carries", f"{kind}: {feature}\n\n{text}")


def ask_judge(statement: str, passages: Sequence[Passage]) -> tuple[Message, ...]:
    """Whether a statement is true by the passages: yes, no or maybe."""
    return _short("judge", f"{numbered(passages)}\n\n{statement}")


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


def _short(task: str, said: str) -> tuple[Message, ...]:
    return (Message("system", task), Message("user", said))


def _plain(said: str) -> tuple[Message, ...]:
    return (Message("system", DEFAULT_SYSTEM), Message("user", said))
