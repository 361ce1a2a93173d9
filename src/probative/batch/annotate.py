"""`annotate` for a file of claims."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from probative.batch.cases import Line
from probative.batch.manifest import BatchManifest
from probative.batch.run import Outcome, Progress
from probative.batch.session_run import run_with_session
from probative.batch.width import max_active
from probative.session.session import Session


def annotate_file(
    source: Path,
    target: Path,
    *,
    session: Session,
    limit: int | None = None,
    unordered: bool = False,
    progress: Progress | None = None,
) -> BatchManifest:
    """Annotate every claim of a JSONL file (`id`, `claim`, `sentences`); see `Session.annotate`."""

    def run(lines: list[Line]) -> Iterator[tuple[int, Outcome]]:
        return session.annotate_all(lines, max_active=max_active(session))

    return run_with_session(
        session,
        "annotate",
        source,
        target,
        run,
        options={},
        limit=limit,
        unordered=unordered,
        progress=progress,
    )
