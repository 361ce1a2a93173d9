"""How many cases of a batch run side by side."""

from __future__ import annotations

from probative.engine.runner import MAX_ACTIVE
from probative.session.session import Session
from probative.verbs.table import VERBS

# The embedded models gain little from larger batches, and the first results should not wait for 64 cases.
EMBEDDED_ACTIVE = 8


def max_active(session: Session, verb: str) -> int:
    """Return how many cases of a verb run side by side with the models of a session."""
    embedded = session.settings.model.startswith("embedded")
    return min(VERBS.load(verb).max_active, EMBEDDED_ACTIVE if embedded else MAX_ACTIVE)
