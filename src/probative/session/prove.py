"""The verb `prove`: the sentences that together prove a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from probative.baselines.evidence.methods import evidence_method
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.errors import InputError
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import DEFAULT_PRESET, PRESETS, McseOptions
from probative.mcse.proof import Proof
from probative.mcse.result import McseResult, ProofSentence
from probative.mcse.search import K
from probative.models.types import encodable, reason
from probative.session.verb import Verb
from probative.text.sentences import split_notes, split_sentences
from probative.types import Sentence, Value
from probative.verdict.judge import judge_claim
from probative.verdict.judgement import Judgement

CASE = 'a case is {"claim": "…", "sentences": "a text" or ["…", "…"]}, with an optional "k"'
LISTED = "give a text, or a list with a string for each sentence"
Text = str | Sequence[str] | Sequence[Sentence]
ProveFound = tuple[McseResult, Judgement | None]


class ProveCase(Value):
    """One claim with its text, for `prove_all`: one text that is split, or its sentences."""

    claim: str
    sentences: str | tuple[str, ...]
    k: Annotated[int, Field(strict=True)] | Literal["auto"] | None = None


@dataclass(frozen=True)
class SplitCase:
    """A claim and its text, split into numbered sentences."""

    claim: str
    sentences: tuple[Sentence, ...]
    k: K


def prove_verb(
    options: McseOptions | LearnedOptions, method: str, *, k: K, verdict: bool
) -> Verb[SplitCase, ProveFound, Proof]:
    """Return `prove` with its options bound; the `k` of a case beats the common one."""
    find = evidence_method(method, options)

    def read(raw: SplitCase | ProveCase | Mapping[str, Any]) -> SplitCase:
        if isinstance(raw, SplitCase):
            return raw
        case = as_case(raw)
        return SplitCase(
            claim=case.claim,
            sentences=number_sentences(case.sentences),
            k=k if case.k is None else case.k,
        )

    def search(case: SplitCase, tools: Tools) -> Search[ProveFound]:
        outcome = yield from find(case.claim, [sentence.text for sentence in case.sentences], case.k, tools)
        if not verdict:
            return outcome, None
        return outcome, (yield from _judge_evidence(case, outcome, tools))

    def result(case: SplitCase, finished: Finished[ProveFound], tools: Tools) -> Proof:
        return _proof(case, finished, method, tools)

    return Verb("prove", read, search, result)


def as_case(case: ProveCase | Mapping[str, Any]) -> ProveCase:
    """Convert to ProveCase; raises InputError."""
    if isinstance(case, ProveCase):
        return case
    try:
        return ProveCase.model_validate(case)
    except ValidationError as error:
        raise InputError(
            f"a case for prove cannot be read: {reason(error)}",
            hint=CASE,
        ) from None


def _judge_evidence(case: SplitCase, outcome: McseResult, tools: Tools) -> Search[Judgement]:
    """Return the verdict on the claim by the chosen evidence, read in the order of the text.

    The deciding indexes are those of the caller's sentences.
    """
    indexes = sorted(sentence.index for sentence in outcome.evidence)
    judgement = yield from judge_claim(
        case.claim, [case.sentences[index].text for index in indexes], tools, twice=True
    )
    return judgement.model_copy(update={"deciding": tuple(indexes[index] for index in judgement.deciding)})


def _proof(case: SplitCase, finished: Finished[ProveFound], method: str, tools: Tools) -> Proof:
    assert finished.result is not None
    outcome, judged = finished.result
    without = outcome.without_evidence

    def placed(chosen: ProofSentence) -> ProofSentence:
        """Return a chosen sentence with its text as the caller gave it, and its offsets."""
        own = case.sentences[chosen.index]
        others = (
            other.model_copy(update={"text": case.sentences[other.index].text}) for other in chosen.runners_up
        )
        return chosen.model_copy(
            update={"text": own.text, "start": own.start, "end": own.end, "runners_up": tuple(others)}
        )

    return Proof(
        claim=case.claim,
        evidence=tuple(placed(sentence) for sentence in outcome.evidence),
        verdict=judged.verdict if judged else None,
        probabilities=judged.probabilities if judged else None,
        judged=judged is not None and judged.judged,
        disputed=judged.disputed if judged else None,
        deciding=judged.deciding[0] if judged and judged.deciding else None,
        method=method,
        k=case.k,
        model=tools.name_if_used("model"),
        policy=tools.name_if_used("policy"),
        verdict_model=tools.name_if_used("verdict"),
        without_evidence=without,
        claim_tokens=outcome.claim_tokens,
        curve=tuple(
            sentence.joint - without
            for sentence in outcome.evidence
            if sentence.joint is not None and without is not None
        ),
        stops=tuple(outcome.stops),
        searched=tuple(outcome.searched) if outcome.searched is not None else None,
        notes=(*split_notes(case.sentences), *outcome.notes, *(judged.notes if judged else ())),
        usage=finished.usage,
        policy_usage=finished.policy if tools.name_if_used("policy") else None,
        verdict_usage=finished.verdict if tools.name_if_used("verdict") else None,
    )


def number_sentences(sentences: Text) -> tuple[Sentence, ...]:
    """Return the sentences of a text, or the given sentences, numbered from 0."""
    if isinstance(sentences, str):
        try:
            encodable(sentences)
        except ValueError as error:
            raise InputError(str(error)) from None
        return split_sentences(sentences)
    try:
        listed: list[Any] = list(sentences)
    except TypeError:
        raise InputError(
            f"sentences must be a text or a list, got {type(sentences).__name__}", hint=LISTED
        ) from None
    return tuple(_numbered(index, sentence) for index, sentence in enumerate(listed))


def _numbered(index: int, sentence: Any) -> Sentence:
    if isinstance(sentence, Sentence):
        return sentence.model_copy(update={"index": index})
    if not isinstance(sentence, str):
        raise InputError(f"a sentence must be a string, got {type(sentence).__name__}", hint=LISTED)
    return Sentence(index=index, text=sentence)


def method_options(
    method: str, preset: str, options: McseOptions | LearnedOptions | None, changes: dict[str, Any]
) -> McseOptions | LearnedOptions:
    """Return the options of learned or of mcse: the preset, or the options object, with the changes applied.

    >>> method_options("learned", "fast", None, {"beam": 3}).beam
    3
    """
    if preset not in PRESETS:
        raise InputError(f"there is no preset {preset!r}", hint=f"one of {', '.join(PRESETS)}")
    if method == "learned" and preset != DEFAULT_PRESET:
        raise InputError(f"learned has no preset {preset!r}", hint="its options are given one by one: beam=2")
    kind: type[McseOptions | LearnedOptions] = LearnedOptions if method == "learned" else McseOptions
    start = options
    if start is None:
        start = LearnedOptions() if method == "learned" else PRESETS[preset]
    name = "learned" if method == "learned" else "mcse"
    if not isinstance(start, kind):
        raise InputError(f"the options of {name} are {kind.__name__}, not {type(start).__name__}")
    try:
        return kind.model_validate({**start.model_dump(), **changes})
    except ValidationError as error:
        known = ", ".join(kind.model_fields)
        raise InputError(
            f"this is no option of {name}: {reason(error)}", hint=f"the options are {known}"
        ) from None
