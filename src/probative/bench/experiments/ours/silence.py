"""A session whose language model says nothing: for figures in which no language model has a part."""

from __future__ import annotations

from probative.bench.experiment import Lab
from probative.bench.models import SilentModel
from probative.session.session import Session


def silent_session(lab: Lab) -> Session:
    """Return a session with the encoder, the evidence policy and the verdict model of the lab, and a language
    model that answers everything with a dot, at no cost.
    """
    return lab.session.with_model(SilentModel())
