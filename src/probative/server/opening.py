"""Fetch and open the models of a session before the first run needs them."""

from __future__ import annotations

from probative.errors import ProbativeError
from probative.session.session import Session

_ROLES = {
    "model": "the language model",
    "judge": "the judge model",
    "encoder": "the encoder",
    "policy": "the evidence policy",
    "verdict": "the verdict model",
}


def open_models(session: Session) -> tuple[str, ...]:
    """Open the models that work in this process; returns a note for each that could not be opened.

    A model on a server is left alone: there is nothing to fetch. Without a model, the server can still show
    runs and carry out those that do not need it.

    >>> from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict
    >>> from probative.models.evidence_policy import PolicyScores
    >>> from probative.models.verdict import VerdictScores
    >>> policy = ScriptedPolicy(lambda state: PolicyScores((), 0.0, 0.0))
    >>> verdict = ScriptedVerdict(lambda item: VerdictScores(1.0, 0.0, 0.0, ()))
    >>> with Session(ScriptedModel(), encoder="openai:e5", policy=policy, verdict=verdict) as session:
    ...     open_models(session), sorted(session.weights)
    ((), ['model', 'policy', 'verdict'])
    """
    settings = session.settings
    by_model = settings.verdict_model == "model"
    names = {"model": settings.model, "judge": settings.judge_model, "encoder": settings.encoder}
    notes = []
    for role, called in _ROLES.items():
        if (names.get(role) or "").startswith("openai:") or (role == "verdict" and by_model):
            continue
        try:
            session.fingerprint(role)
        except ProbativeError as error:
            notes.append(f"{called} could not be opened; each run that needs it tries again: {error}")
    return tuple(notes)
