"""`/api/bench`: bench reports that the operator registered, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from probative.server.base.errors import ErrorBody, NotThereError, documented
from probative.server.state.server_state import ServerState
from probative.types import Value

ReportName = Annotated[str, Path(max_length=255, description="the name of a report")]


def bench_routes(state: ServerState) -> APIRouter:
    """Return the routes of bench reports."""
    errors = documented(ErrorBody, 400, 401, 403, 404, 422)
    router = APIRouter(prefix="/api/bench", tags=["bench"], responses=errors)
    reports = state.reports

    @router.get("", operation_id="list_reports", response_class=Response)
    def list_reports() -> Response:
        """Return what each report is about, and those that cannot be read."""
        return _reply(reports.list)

    @router.get("/{name}", operation_id="get_report", response_class=Response)
    def get_report(name: ReportName) -> Response:
        """Return a report: how it was made, its tables, plots and findings."""
        return _reply(reports.report, name)

    @router.get("/{name}/compare", operation_id="compare_reports", response_class=Response)
    def compare_reports(
        name: ReportName, other: Annotated[str, Query(alias="with", min_length=1, max_length=255)]
    ) -> Response:
        """Compare two reports of one experiment: their tables side by side, and paired tests for runs."""
        return _reply(reports.compare, name, other)

    return router


def _reply(read: Callable[..., Value], *names: str) -> Response:
    """Return what is read as JSON; raises `NotThereError` if no report has such a name."""
    try:
        return Response(read(*names).to_json(), media_type="application/json")
    except KeyError as error:
        raise NotThereError(
            f"there is no report called {error.args[0]!r}", hint="GET /api/bench lists the reports"
        ) from None
