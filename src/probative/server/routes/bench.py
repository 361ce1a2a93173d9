"""`/api/bench`: bench reports that the operator registered, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from probative.server.base.errors import ErrorBody, NotThereError, documented
from probative.server.state.server_state import State
from probative.types import Value

ReportName = Annotated[str, Path(max_length=255, description="the name of a report")]


router = APIRouter(
    prefix="/api/bench", tags=["bench"], responses=documented(ErrorBody, 400, 401, 403, 404, 422)
)


@router.get("", operation_id="list_reports", response_class=Response)
def list_reports(server: State) -> Response:
    """Return what each report is about, and those that cannot be read."""
    return _reply(server.reports.list)


@router.get("/{name}", operation_id="get_report", response_class=Response)
def get_report(server: State, name: ReportName) -> Response:
    """Return a report: how it was made, its tables, plots and findings."""
    return _reply(server.reports.report, name)


@router.get("/{name}/compare", operation_id="compare_reports", response_class=Response)
def compare_reports(
    server: State,
    name: ReportName,
    other: Annotated[str, Query(alias="with", min_length=1, max_length=255)],
) -> Response:
    """Compare two reports of one experiment: their tables side by side, and paired tests for runs."""
    return _reply(server.reports.compare, name, other)


def _reply(read: Callable[..., Value], *names: str) -> Response:
    """Return what is read as JSON; raises `NotThereError` if no report has such a name."""
    try:
        return Response(read(*names).to_json(), media_type="application/json")
    except KeyError as error:
        raise NotThereError(
            f"there is no report called {error.args[0]!r}", hint="GET /api/bench lists the reports"
        ) from None
