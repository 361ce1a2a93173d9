"""A server on a real socket in this process, with a model that waits until a test lets it go on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from served_app import served_app
from server_app import scripted_session

from probative import Request
from probative.server.app import create_app
from probative.server.base.options import Limits, ServerOptions
from probative.server.runs.manager import RunManager
from probative.server.state.catalog import Catalog
from probative.testing import ScriptedModel

# Longer than anything takes on a busy machine: what is waited for comes at once on others.
PATIENCE = 120


class Model:
    """A model that waits where a claim says so."""

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self.asked = threading.Semaphore(0)

    def __call__(self, request: Request) -> str:
        if "Claim: wait" in request.messages[-1].content:
            self.asked.release()
            self.goes_on.wait(PATIENCE)
        return "[1]"


@contextmanager
def listening(data: Path, model: Model, **limits: Any) -> Iterator[tuple[int, RunManager]]:
    """Yield the port of a server, and its queue."""
    session = scripted_session(model=ScriptedModel(generate=model))
    options = ServerOptions(data=data, limits=Limits(**{"runs_at_once": 1, **limits}))
    with session, Catalog() as catalog:
        app = create_app(session, catalog, options)
        with served_app(app) as url:
            try:
                yield int(url.rsplit(":", 1)[1]), app.state.server.manager
            finally:
                model.goes_on.set()
