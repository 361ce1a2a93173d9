"""Evidence for a claim that is written, chosen or gold, and whether it entails the claim."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.families.claims import Claim
from probative.bench.judging import read_yes_no
from probative.bench.study import Lab
from probative.models.types import Request
from probative.text.prompts import fenced, fill, read_prompt
from probative.text.sentences import split_sentences
from probative.types import Verdict

MAX_TOKENS, ANSWER_TOKENS = 200, 16


def write_steps(claim: Claim, lab: Lab) -> list[str]:
    """Return the steps that the model writes after two examples, as one text."""
    prompt = fill(
        read_prompt("probative.bench", "chain_of_thought"),
        text=fenced(" ".join(claim.sentences)),
        claim=claim.text,
    )
    (reply,) = lab.model.generate([Request.user(prompt, max_tokens=MAX_TOKENS, temperature=0.0)])
    return [own_steps(reply.text, claim.text)]


def own_steps(text: str, claim: str) -> str:
    """Return the steps without a next example, and without the claim repeated as the last step.

    A step that only repeats the claim would entail it whatever the other steps say.

    >>> own_steps("Ada owns it. So the mill is old. Text: The", "The mill is old.")
    'Ada owns it.'
    """
    steps = text.split("Text:")[0].split("Claim:")[0]
    repeated = _words(claim)
    kept = (sentence.text for sentence in split_sentences(steps))
    return " ".join(
        step for step in kept if [word for word in _words(step) if word not in ("so", "thus")] != repeated
    )


def _words(text: str) -> list[str]:
    return text.lower().rstrip(".!").replace(",", "").split()


def entailed_by_verdict(claim: Claim, evidence: Sequence[str], lab: Lab) -> bool:
    """Return whether the verdict model says that the evidence supports the claim."""
    texts = [text for text in evidence if text.strip()]
    return bool(texts) and lab.session.judge(claim.text, texts).verdict == Verdict.SUPPORTED


def entailed_by_judge(claim: Claim, evidence: Sequence[str], lab: Lab) -> bool | None:
    """Return whether the judge model says so; None if its reply is neither yes nor no, or there is none."""
    if lab.judge_model is None:
        return None
    text = fenced(" ".join(evidence))
    if not text:
        return False
    prompt = fill(read_prompt("probative.bench", "entails"), evidence=text, claim=claim.text)
    (reply,) = lab.judge_model.generate([Request.user(prompt, max_tokens=ANSWER_TOKENS, temperature=0.0)])
    return read_yes_no(reply.text)
