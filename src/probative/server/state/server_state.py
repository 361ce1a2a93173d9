"""Everything that the routes of one server share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Protocol, Self

from fastapi import Depends, Request

from probative.scope.follow_up import is_too_small
from probative.server.base.errors import NotThereError
from probative.server.base.options import ServerOptions
from probative.server.runs.live import LiveRun
from probative.server.runs.manager import Execute, RunManager
from probative.server.runs.run import CALIBRATE, Run
from probative.server.runs.store import RunStore
from probative.server.state.calibration_runs import CalibrationRuns
from probative.server.state.calibrations import Calibrations
from probative.server.state.catalog import Catalog
from probative.server.state.library import CorpusInfo, Library
from probative.server.state.models import ModelChoices
from probative.server.state.suggestions import SuggestionMaker
from probative.server.state.uploads import Uploads
from probative.server.state.verbs import Verbs
from probative.session.session import Session
from probative.types import Value
from probative.verbs.requests import VerbRequest
from probative.verbs.spec import VerbSpec


class BenchReports(Protocol):
    """Bench reports that an operator registered, as `probative.bench.reports.ReportIndex` has them.

    The command line hands them over: nothing below it may import `probative.bench`.
    """

    def list(self) -> Value:
        """Return what each report is about."""

    def report(self, name: str) -> Value:
        """Return a report; raises `KeyError` if no report has this name."""

    def compare(self, first: str, second: str) -> Value:
        """Compare two reports; raises `KeyError`, or `InputError` if they cannot be compared."""


class NoReport(Value):
    """The list of a server without reports."""

    reports: tuple[()] = ()
    unreadable: tuple[()] = ()


class NoReports:
    """What a server without registered reports has.

    >>> NoReports().list().to_dict()
    {'reports': [], 'unreadable': []}
    """

    def list(self) -> NoReport:
        return NoReport()

    def report(self, name: str) -> Value:
        raise KeyError(name)

    def compare(self, first: str, second: str) -> Value:
        raise KeyError(first)


@dataclass(frozen=True)
class ServerState:
    """A session, what is registered, the users' own corpora, the uploads, the runs, and the bench reports."""

    options: ServerOptions
    session: Session
    catalog: Catalog
    library: Library
    uploads: Uploads
    verbs: Verbs
    store: RunStore
    manager: RunManager
    reports: BenchReports
    suggestions: SuggestionMaker
    calibrations: Calibrations
    models: ModelChoices

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
        store = RunStore(options.data / "runs.sqlite")
        models = ModelChoices(session, store, offered=options.choose_model)
        verbs = Verbs(models, catalog, uploads, options.limits)
        kinds: dict[str, Execute] = {}
        manager = RunManager(
            store, lambda live: kinds.get(live.run.verb, verbs.execute)(live), options.limits
        )
        library = Library(options.data / "corpora", catalog, session.settings, options.limits)
        shown = reports or NoReports()
        suggestions = SuggestionMaker(session, catalog, lambda: manager.is_idle)
        calibrations = Calibrations(session, catalog, library, store, manager)
        kinds[CALIBRATE] = CalibrationRuns(session, catalog, calibrations).execute
        return cls(
            options,
            session,
            catalog,
            library,
            uploads,
            verbs,
            store,
            manager,
            shown,
            suggestions,
            calibrations,
            models,
        )

    def submit(
        self,
        spec: VerbSpec,
        request: VerbRequest,
        *,
        detached: bool = False,
        key: str | None = None,
        stored: bool = True,
    ) -> tuple[Run, LiveRun | None]:
        """Check a request and queue its run; see `RunManager.submit`."""
        self.verbs.check(spec, request)
        return self.manager.submit(
            spec.name, request.title, request.to_dict(), detached=detached, key=key, stored=stored
        )

    def delete_corpus(self, name: str) -> None:
        """Delete a corpus with its marks and threads; for a day, `restore_corpus` brings them back."""
        found = self.library.get(name)
        runs = [run for run in self.store.belongings.runs() if self.is_over(run, name)]
        self.library.delete(name)
        self.store.belongings.go(found.id, runs)

    def restore_corpus(self, identity: str) -> CorpusInfo:
        """Bring back a corpus that was deleted, with its marks and threads."""
        found = self.library.restore(identity)
        self.store.belongings.come_back(identity)
        return found

    def threads_over(self, name: str) -> list[str]:
        """Return the ids of the threads over a corpus, oldest first."""
        threads = (
            self.store.threads.of_run(run) for run in self.store.belongings.runs() if self.is_over(run, name)
        )
        there = [thread for thread in threads if thread is not None and thread.deleted is None]
        return list(dict.fromkeys(thread.id for thread in sorted(there, key=lambda thread: thread.created)))

    def clean(self) -> None:
        """Remove for good what was deleted a day ago."""
        self.store.threads.clean()
        self.store.belongings.forget(self.library.clean())

    def is_over(self, run: str, name: str) -> bool:
        """Return whether a run is over a corpus, by its name now or an earlier one."""
        try:
            asked = (self.store.get(run).request or {}).get("corpus")
            return asked is not None and self.catalog.corpus(asked) is self.catalog.corpus(name)
        except NotThereError:  # the run or its corpus has gone
            return False

    @property
    def rewrites(self) -> bool:
        """Whether the model rewrites follow-ups, by its name: it is not opened to know it."""
        return not is_too_small(self.session.model_name)

    def close(self) -> None:
        """Stop the runs and readings and close the store; session and catalogue belong to the caller."""
        self.suggestions.close()
        self.uploads.close()
        self.manager.close()
        self.library.close()
        self.store.close()


async def _state_of(request: Request) -> ServerState:
    state: ServerState = request.app.state.server
    return state


State = Annotated[ServerState, Depends(_state_of)]
"""The state of the server as a parameter of a route."""
