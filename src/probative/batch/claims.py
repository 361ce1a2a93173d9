"""`judge` and `annotate` for a file of claims: verbs without options of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from probative.batch.manifest import BatchManifest
from probative.batch.run import Progress
from probative.batch.session_run import run_with_session
from probative.runners.contract import Runner
from probative.session.session import Session


def claims_file(
    verb: Literal["judge", "annotate"],
    source: Path,
    target: Path,
    *,
    session: Session,
    limit: int | None = None,
    unordered: bool = False,
    progress: Progress | None = None,
    runner: Runner | None = None,
) -> BatchManifest:
    """Judge or annotate every claim of a JSONL file (`id`, `claim`, and `evidence` or `sentences`); see
    `Session.judge` and `Session.annotate`.
    """
    return run_with_session(
        session,
        verb,
        source,
        target,
        arguments={},
        options={},
        limit=limit,
        unordered=unordered,
        progress=progress,
        runner=runner,
    )
