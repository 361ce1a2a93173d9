"""A server in this process for tests: scripted models, its own data folder, and a client of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from probative import Session
from probative.models.evidence_policy import PolicyScores
from probative.models.verdict import VerdictScores
from probative.server.app import create_app
from probative.server.base.options import Limits, ServerOptions
from probative.server.state.catalog import Catalog
from probative.server.state.server_state import BenchReports
from probative.settings import Settings
from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict

HERBS = [("willow bark", "contains", "salicin"), ("salicin", "eases", "pain")]


def scripted_session(**changes: Any) -> Session:
    """Return a session whose model writes "Molde", and whose verdicts say `supported`."""
    tools: dict[str, Any] = {
        "model": ScriptedModel(generate="Molde"),
        "policy": ScriptedPolicy(
            lambda state: PolicyScores(
                tuple(-float(number) for number in range(len(state.candidates))), 0.0, -9.0
            )
        ),
        "verdict": ScriptedVerdict(lambda item: VerdictScores(0.9, 0.05, 0.05, (1.0,) * len(item.evidence))),
        "settings": Settings(cache=False),
    }
    return Session(**{**tools, **changes})


@contextmanager
def serving(
    data: Path,
    *,
    session: Session | None = None,
    catalog: Catalog | None = None,
    limits: Limits | None = None,
    reports: BenchReports | None = None,
    **options: Any,
) -> Iterator[TestClient]:
    """Yield a client of a server; it sends what a program on this machine would send."""
    chosen = ServerOptions(data=data, limits=limits or Limits(), **options)
    with session or scripted_session() as opened, catalog or Catalog({}, {"herbs": HERBS}) as named:
        app = create_app(opened, named, chosen, reports=reports)
        with TestClient(app, base_url="http://127.0.0.1:8377", raise_server_exceptions=False) as client:
            yield client
