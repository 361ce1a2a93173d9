"""The verb `judge`: what evidence says about a claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from probative.engine.methods import Tools
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.errors import InputError
from probative.types import Value
from probative.verbs import BUILT_IN, requests
from probative.verbs.command import CLAIM, Command, sentences_input
from probative.verbs.sentences import NumberedText, check_encodable, number_sentences, split_notes
from probative.verbs.sentences import Text as Text
from probative.verbs.spec import BoundVerb, Host, VerbRun, VerbSpec
from probative.verdict.judge import judge_claim
from probative.verdict.judgement import Judgement


class JudgeCase(Value):
    """One claim with its evidence, for `judge_all`: one text that is split, or its sentences."""

    claim: str
    evidence: str | tuple[str, ...]


class JudgeRequest(requests.VerbRequest):
    """A claim and the evidence it is judged by."""

    claim: requests.Line
    evidence: requests.Text | Annotated[tuple[requests.Text, ...], Field(min_length=1, max_length=1_000)]


def bind(host: Host) -> BoundVerb:
    """Judge whether evidence supports a claim, contradicts it, or says too little about it.

    `evidence` is a list of sentences, or one text that is split. The deciding sentences are named by their
    index in it.

    >>> import probative
    >>> from probative.models.verdict import VerdictScores
    >>> from probative.testing import ScriptedVerdict
    >>> scripted = ScriptedVerdict(lambda item: VerdictScores(0.1, 0.8, 0.1, (0.2, 0.8)))
    >>> text = "Ada owns a mill. It was built in 1790."
    >>> judgement = probative.judge("The mill is new.", text, verdict=scripted)
    >>> judgement.verdict.value, judgement.deciding_texts
    ('contradicted', ('It was built in 1790.',))
    """
    return BoundVerb.of(VerbRun("judge", _read, _search, _result))


def _read(raw: JudgeCase | Mapping[str, Any]) -> NumberedText:
    case: JudgeCase = JUDGE.as_case(raw)
    if not isinstance(case.claim, str):
        raise InputError(f"the claim must be a string, got {type(case.claim).__name__}", hint=JUDGE.case_hint)
    check_encodable(case.claim)
    if not case.claim.strip():
        raise InputError("the claim is empty", hint="write it as a sentence")
    return NumberedText(case.claim, number_sentences(case.evidence))


def _search(case: NumberedText, tools: Tools) -> Search[Judgement]:
    return judge_claim(case.claim, [sentence.text for sentence in case.sentences], tools)


def _result(case: NumberedText, finished: Finished[Judgement], tools: Tools) -> Judgement:
    assert finished.result is not None
    notes = [*split_notes(case.sentences), *finished.result.notes]
    if (unused := tools.unused_judge()) is not None:
        notes.append(f"the judge {unused} was not used: verdict='model' (--verdict model) asks it")
    return finished.result.model_copy(
        update={
            "claim": case.claim,
            "evidence": case.sentences,
            "verdict_model": tools.name_if_used("verdict"),
            "notes": tuple(notes),
            "usage": finished.usage,
        }
    )


JUDGE = VerbSpec(
    name="judge",
    help=BUILT_IN["judge"],
    case=JudgeCase,
    case_hint='a case is {"claim": "…", "evidence": "a text" or ["…", "…"]}',
    request=JudgeRequest,
    result=Judgement,
    bind=bind,
    positional=("claim", "evidence"),
    cases_name="claims",
    verdicts=("supported", "insufficient", "contradicted"),
    command=Command(
        {
            "claim": CLAIM,
            "evidence": sentences_input("evidence", "--evidence", "--context", may_be_empty=True),
        },
        (
            'probative judge "The lighthouse was lit in 1871." --evidence lighthouse.txt',
            'probative judge "The lens is Danish." --evidence lighthouse.txt '
            "--fail-on contradicted,insufficient",
            'grep -h lens *.txt | probative judge "The lens is French." --lines --json',
            "probative judge --in claims.jsonl --out judgements.jsonl",
        ),
        judged=True,
    ),
    types={"evidence": "Text"},
)
