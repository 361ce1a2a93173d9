"""The verb `verify`: every claim of a text against passages or a corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, ValidationError

from probative.baselines.evidence.methods import METHODS, evidence_method
from probative.corpus.documents.document import Document
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.engine.side_by_side import side_by_side
from probative.engine.tools import Tools
from probative.errors import BudgetError, InputError
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import McseOptions
from probative.models.types import reason
from probative.session.verb import Verb
from probative.types import Value
from probative.verify.check import check_claim
from probative.verify.claims import ClaimedText, TextToVerify, claims_of, text_to_verify
from probative.verify.evidence import Candidate, Weigher, weigh_by_policy
from probative.verify.sources import EvidenceSource, evidence_source
from probative.verify.verification import CheckedClaim, Verification, VerifyOptions

CASE = 'a case is {"text": "…", "passages": ["…"]}, with an optional "name"'
POLICY = "policy"
# The sentences that a method of prove chooses for a claim.
CHOSEN = 6

ClaimProgress = Callable[[int, int], None]
"""Called with the number of claims that are checked, and of all."""

ClaimDone = Callable[[int, CheckedClaim, int], None]
"""Called with the index of a claim in the text, the checked claim, and the number of all claims."""


class VerifyCase(Value):
    """One text, for `verify_all`: words, a `Document` or the `Path` of a file.

    `passages` are its sources: passages, a retriever or a corpus; None means those of all cases.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    text: str | Path | Document
    passages: Any = None
    name: str | None = None


@dataclass(frozen=True)
class ClaimedCase:
    """A text taken apart, and where its evidence comes from."""

    text: TextToVerify
    claimed: ClaimedText
    sources: EvidenceSource


def verify_verb(
    options: VerifyOptions,
    method: str = POLICY,
    progress: ClaimProgress | None = None,
    claim_done: ClaimDone | None = None,
    shared: Any = None,
) -> Verb[ClaimedCase, list[CheckedClaim], Verification]:
    """Return `verify` with its options bound. `shared` are the sources of cases that have none."""
    chosen = _weigher_of(method)

    def search(case: ClaimedCase, tools: Tools) -> Search[list[CheckedClaim]]:
        weigher = chosen(tools)
        claims = case.claimed.claims

        def finished(done: int) -> None:
            if progress is not None:
                progress(done, len(claims))

        checked: dict[int, CheckedClaim] = {}

        def check(index: int) -> Search[CheckedClaim]:
            checked[index] = yield from check_claim(claims[index], case.sources, weigher, options, tools)
            if claim_done is not None:
                claim_done(index, checked[index], len(claims))
            return checked[index]

        try:
            found = yield from side_by_side(
                (check(index) for index in range(len(claims))),
                max_active=options.max_active,
                finished=finished,
            )
        except BudgetError as spent:
            results = [checked.get(index) for index in range(len(claims))]
            raise BudgetError(spent.what, hint=spent.hint, results=results) from spent
        return found

    def result(case: ClaimedCase, finished: Finished[list[CheckedClaim]], tools: Tools) -> Verification:
        assert finished.result is not None
        return Verification(
            claims=tuple(finished.result),
            unchecked=case.claimed.unchecked,
            text=case.text.words,
            name=case.text.name,
            method=method,
            policy=tools.name_if_used("policy"),
            verdict_model=tools.name_if_used("verdict"),
            model=tools.name_if_used("model"),
            notes=_notes(case, tools),
            usage=finished.usage,
        )

    return Verb("verify", partial(claimed_case, shared=shared), search, result)


def claimed_case(raw: ClaimedCase | VerifyCase | Mapping[str, Any], shared: Any = None) -> ClaimedCase:
    """Return a text taken apart, with its own sources or the shared ones; raises `InputError`."""
    if isinstance(raw, ClaimedCase):
        return raw
    if not isinstance(raw, VerifyCase):
        try:
            raw = VerifyCase.model_validate(raw)
        except ValidationError as error:
            raise InputError(f"a case for verify cannot be read: {reason(error)}", hint=CASE) from None
    text = text_to_verify(raw.text, raw.name)
    sources = evidence_source(shared if raw.passages is None else raw.passages)
    return ClaimedCase(text, claims_of(text.words, text.headings), sources)


def verify_options(options: VerifyOptions | None, changes: Mapping[str, Any]) -> VerifyOptions:
    """Return the options with the changes applied; raises `InputError`."""
    start = options if options is not None else VerifyOptions()
    try:
        return VerifyOptions.model_validate({**start.model_dump(), **changes})
    except ValidationError as error:
        known = ", ".join(VerifyOptions.model_fields)
        raise InputError(
            f"an option of verify is wrong: {reason(error)}", hint=f"the options are {known}"
        ) from None


def checked_method(method: str) -> str:
    """Return the name of a way to choose evidence; raises `InputError` if there is none of this name."""
    if method != POLICY and method not in METHODS:
        raise InputError(f"there is no method {method!r}", hint=f"use one of {', '.join((POLICY, *METHODS))}")
    return method


def _notes(case: ClaimedCase, tools: Tools) -> tuple[str, ...]:
    notes = [*case.text.notes, *getattr(case.sources, "notes", ())]
    if not case.claimed.claims:
        notes.append("the text has no claim that could be checked")
    if (unused := tools.unused_judge()) is not None:
        notes.append(f"the judge {unused} was not used: verdict='model' (--verdict model) asks it")
    return tuple(notes)


def _weigher_of(method: str) -> Callable[[Tools], Weigher]:
    """Return what makes the weigher of a method: the evidence policy, or a method of prove, whose chosen
    sentences are worth more the earlier they were chosen.
    """
    if checked_method(method) == POLICY:
        return lambda _: weigh_by_policy
    find = evidence_method(method, LearnedOptions() if method == "learned" else McseOptions())

    def bound(tools: Tools) -> Weigher:
        def weigher(statement: str, candidates: Sequence[Candidate]) -> Search[list[float]]:
            texts = [candidate.titled for candidate in candidates]
            outcome = yield from find(statement, texts, min(CHOSEN, len(texts)), tools)
            ranks = {chosen.index: rank for rank, chosen in enumerate(outcome.evidence)}
            return [-float(ranks.get(index, 2 * CHOSEN)) for index in range(len(texts))]

        return weigher

    return bound
