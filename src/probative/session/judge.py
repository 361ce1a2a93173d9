"""The verb `judge`: what evidence says about a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.errors import InputError
from probative.models.types import encodable, reason
from probative.session.prove import number_sentences
from probative.session.verb import Verb
from probative.text.sentences import split_notes
from probative.types import Sentence, Value
from probative.verdict.judge import judge_claim
from probative.verdict.judgement import Judgement

CASE = 'a case is {"claim": "…", "evidence": "a text" or ["…", "…"]}'
Evidence = str | Sequence[str] | Sequence[Sentence]


class JudgeCase(Value):
    """One claim with its evidence, for `judge_all`: one text that is split, or its sentences."""

    claim: str
    evidence: str | tuple[str, ...]


@dataclass(frozen=True)
class NumberedCase:
    """A claim and its evidence, split into numbered sentences."""

    claim: str
    evidence: tuple[Sentence, ...]


def judge_verb() -> Verb[NumberedCase, Judgement, Judgement]:
    """Return `judge` as a session runs it."""

    def read(raw: NumberedCase | JudgeCase | Mapping[str, Any]) -> NumberedCase:
        if isinstance(raw, NumberedCase):
            return raw
        case = as_case(raw)
        return numbered_case(case.claim, case.evidence)

    def search(case: NumberedCase, tools: Tools) -> Search[Judgement]:
        return judge_claim(case.claim, [sentence.text for sentence in case.evidence], tools, twice=True)

    return Verb("judge", read, search, _result)


def numbered_case(claim: str, evidence: Evidence) -> NumberedCase:
    """Return a claim with its evidence split and numbered; raises `InputError`."""
    if not isinstance(claim, str):
        raise InputError(f"the claim must be a string, got {type(claim).__name__}", hint=CASE)
    try:
        encodable(claim)
    except ValueError as error:
        raise InputError(str(error)) from None
    if not claim.strip():
        raise InputError("the claim is empty", hint="write it as a sentence")
    return NumberedCase(claim, number_sentences(evidence))


def as_case(case: JudgeCase | Mapping[str, Any]) -> JudgeCase:
    """Convert to JudgeCase; raises InputError."""
    if isinstance(case, JudgeCase):
        return case
    try:
        return JudgeCase.model_validate(case)
    except ValidationError as error:
        raise InputError(f"a case for judge cannot be read: {reason(error)}", hint=CASE) from None


def _result(case: NumberedCase, finished: Finished[Judgement], tools: Tools) -> Judgement:
    assert finished.result is not None
    notes = [*split_notes(case.evidence), *finished.result.notes]
    if (unused := tools.unused_judge()) is not None:
        notes.append(f"the judge {unused} was not used: verdict='model' (--verdict model) asks it")
    return finished.result.model_copy(
        update={
            "claim": case.claim,
            "evidence": case.evidence,
            "verdict_model": tools.name_if_used("verdict"),
            "notes": tuple(notes),
            "usage": finished.usage,
        }
    )
