"""Assertions about texts, for people who test what their own system writes."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from probative.errors import InputError
from probative.types import Verdict

if TYPE_CHECKING:
    from probative.verify.verification import Verification

FAILING = (Verdict.CONTRADICTED, Verdict.INSUFFICIENT)


def assert_supported(
    text: str,
    passages: Any,
    *,
    fail_on: Verdict | str | Collection[Verdict | str] = FAILING,
    citations: bool = False,
    **arguments: Any,
) -> Verification:
    """Fail with an `AssertionError` if a claim of a text is contradicted or not supported by passages.

    The message names each such claim, with the sentence that decides. `passages` are passages, a corpus or a
    retriever. `fail_on` is one verdict or several, such as ``"contradicted"``. With `citations`, a citation
    that does not hold fails, too. `arguments` are those of `probative.verify`. Returns the verification.

    >>> from probative.models.evidence_policy import PolicyScores
    >>> from probative.models.verdict import VerdictScores
    >>> from probative.session.session import Session
    >>> from probative.testing import ScriptedPolicy, ScriptedVerdict
    >>> policy = ScriptedPolicy(lambda state: PolicyScores((0.0,) * len(state.candidates), 0.0, 0.0))
    >>> verdict = ScriptedVerdict(lambda item: VerdictScores(0.1, 0.8, 0.1, (1.0,)))
    >>> with Session(policy=policy, verdict=verdict) as session:
    ...     assert_supported("The mill is new.", ["The mill dates from 1790."], session=session)
    Traceback (most recent call last):
    ...
    AssertionError: 1 of 1 claims failed
    contradicted: The mill is new.
    contradicts (a passage): "The mill dates from 1790."
    """
    from probative.session.default import verify
    from probative.views.verification import message_of

    failing = _verdicts(fail_on)
    session = arguments.pop("session", None)
    verification: Verification = (session.verify if session is not None else verify)(
        text, passages, **arguments
    )
    failed = verification.having(*failing)
    messages = [message_of(claim) for claim in failed]
    if citations:
        messages += [
            f"citation {citation.marker} does not hold: {citation.note or citation.source}"
            for citation in verification.bad_citations
        ]
    if messages:
        head = f"{len(failed)} of {len(verification.claims)} claims failed"
        raise AssertionError("\n".join([head, *messages]))
    return verification


def _verdicts(names: Verdict | str | Collection[Verdict | str]) -> tuple[Verdict, ...]:
    """Return the verdicts of one name or several; raises `InputError` for another name."""
    listed = [names] if isinstance(names, str) else list(names)
    for name in listed:
        if name not in list(Verdict):
            raise InputError(
                f"fail_on has {name!r}, which is no verdict", hint=f"the verdicts are {', '.join(Verdict)}"
            )
    return tuple(Verdict(name) for name in listed)
