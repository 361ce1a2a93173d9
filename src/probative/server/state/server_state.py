"""Everything that the routes of one server share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from probative.server.base.options import ServerOptions
from probative.server.runs.manager import RunManager
from probative.server.runs.store import RunStore
from probative.server.state.catalog import Catalog
from probative.server.state.reports import BenchReports, NoReports
from probative.server.state.uploads import Uploads
from probative.server.state.verbs import Verbs
from probative.session.session import Session


@dataclass(frozen=True)
class ServerState:
    """A session, what is registered, the uploads, the runs, and the bench reports."""

    options: ServerOptions
    session: Session
    catalog: Catalog
    uploads: Uploads
    verbs: Verbs
    store: RunStore
    manager: RunManager
    reports: BenchReports

    @classmethod
    def open(
        cls,
        session: Session,
        catalog: Catalog,
        options: ServerOptions,
        reports: BenchReports | None = None,
    ) -> Self:
        """Open the store of runs and make the queue, which does not work yet: `manager.start()`."""
        uploads = Uploads(options.data / "uploads", options.limits)
        verbs = Verbs(session, catalog, uploads, options.limits)
        store = RunStore(options.data / "runs.sqlite")
        manager = RunManager(store, verbs.execute, options.limits)
        return cls(options, session, catalog, uploads, verbs, store, manager, reports or NoReports())

    def close(self) -> None:
        """Stop the runs and readings and close the store; session and catalogue belong to the caller."""
        self.uploads.close()
        self.manager.close()
        self.store.close()
